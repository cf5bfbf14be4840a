export type { ActOptions, Caret, Clipboard, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from './act.js';
export { CAPABILITIES } from './capabilities.js';
export type { Ability, Capability, DriverDescription } from './capabilities.js';
export type { Picture, PictureArea, PictureOptions } from './driver.js';
export type {
  CallOptions,
  CatchUp,
  Driver,
  Found,
  OptionalMethod,
  RangeAnswer,
  RangeRequest,
  ReadAnswer,
  ReadOptions,
  ReadScope,
  TextAnswer,
  PassedTitle,
  WindowsAnswer,
} from './driver.js';
export type { DriverEvent, DriverEventType, EventStream } from './events.js';
export { ABOUT } from './capabilities.js';
export { MAX_MOVES_AWAY } from './input-device.js';
export type { Finding, FoundApp } from './capabilities.js';
export type {
  Chord,
  ClickOptions,
  DragOptions,
  Hands,
  Modifier,
  MouseButton,
  PressOptions,
  Typed,
  TypeOptions,
} from './input-device.js';
export type { HumanEvent, HumanEvents, HumanKind, HumanOptions } from './events.js';
export type { LaunchOptions, Launched, Seat, SeatOptions, Start, Surroundings } from './private-desktop.js';
export { keyName } from './keys.js';
export type { KeyName } from './keys.js';
export { parseKeys } from './keys.js';
