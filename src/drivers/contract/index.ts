export type {
  ActOptions,
  Caret,
  Clipboard,
  ClipboardOwner,
  PatternAct,
  PatternAnswer,
  WindowAnswer,
  WindowChange,
} from './act.js';
export {
  ActCheckpoints,
  OPEN_GATE,
  type CheckpointGate,
  MAX_MOVES_AWAY,
  type ActStep,
  type Checkpoint,
  type CheckpointDecision,
  type Checkpointed,
  type CheckpointName,
} from './act-checkpoints.js';
export { CALL_FIELDS, type CallOptions } from './call.js';
export { CAPABILITIES } from './capabilities.js';
export type { CapabilityState, Capability, DriverDescription, Finding, FoundApp } from './capabilities.js';
export type { CaptureArea, Screenshot, ScreenshotOptions } from './capture.js';
export type { Driver, TreeDriver } from './driver.js';
export type { DriverModule, Environment, MissingPackages } from './driver-module.js';
export type { DriverEvent, EventStream } from './events.js';
export type { UserInputEvent, UserInputEvents, UserInputKind, UserInputOptions } from './events.js';
export { MAX_CLICKS } from './input-device.js';
export type {
  Chord,
  ClickOptions,
  ClickRequest,
  DragOptions,
  DragRequest,
  InputDevice,
  Modifier,
  MouseButton,
  PressOptions,
  PressRequest,
  Typed,
  TypeOptions,
  TypeRequest,
} from './input-device.js';
export { keyName, parseKeys, type KeyName } from './keys.js';
export type {
  LaunchOptions,
  Launched,
  PrivateDesktop,
  PrivateDesktopOptions,
  ResolvedCommand,
  LaunchEnvironment,
} from './private-desktop.js';
export type {
  Found,
  RangeAnswer,
  RangeRequest,
  ReadAnswer,
  ReadOptions,
  ReadScope,
  TextAnswer,
  TitleChange,
  HitTestOptions,
  TreeSync,
  WindowsAnswer,
} from './read.js';
export { missingCapability, requireCapability } from './driver.js';
