export type { ActOptions, Caret, Clipboard, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from './act.js';
export { CAPABILITIES } from './capabilities.js';
export type { CapabilityState, Capability, DriverDescription } from './capabilities.js';
export type { Screenshot, CaptureArea, ScreenshotOptions } from './driver.js';
export type {
  CallOptions,
  TreeSync,
  Driver,
  Found,
  RangeAnswer,
  RangeRequest,
  ReadAnswer,
  ReadOptions,
  ReadScope,
  TextAnswer,
  TitleChange,
  WindowsAnswer,
} from './driver.js';
export type { DriverEvent, EventStream } from './events.js';
export { MAX_MOVES_AWAY } from './input-device.js';
export type { Finding, FoundApp } from './capabilities.js';
export type {
  Chord,
  ClickOptions,
  DragOptions,
  InputDevice,
  Modifier,
  MouseButton,
  PressOptions,
  Typed,
  TypeOptions,
} from './input-device.js';
export type { UserInputEvent, UserInputEvents, UserInputKind, UserInputOptions } from './events.js';
export type {
  LaunchOptions,
  Launched,
  PrivateDesktop,
  PrivateDesktopOptions,
  ResolvedCommand,
  LaunchEnvironment,
} from './private-desktop.js';
export { keyName } from './keys.js';
export type { KeyName } from './keys.js';
export { parseKeys } from './keys.js';
export { requireCapability } from './require-capability.js';
