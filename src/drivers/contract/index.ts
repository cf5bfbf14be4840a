export type { ActOptions, Caret, Clipboard, PatternAct, PatternAnswer, WindowAnswer, WindowChange } from './act.js';
export { CAPABILITIES } from './capability.js';
export type { Ability, Capability, DriverDescription } from './capability.js';
export type { Picture, PictureArea, PictureOptions } from './capture.js';
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
export type { DriverEvent, DriverEventType, EventStream } from './event.js';
export { ABOUT } from './finding.js';
export { MAX_MOVES_AWAY } from './hands.js';
export type { Finding, FoundApp } from './finding.js';
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
} from './hands.js';
export type { HumanEvent, HumanEvents, HumanKind, HumanOptions } from './human.js';
export type { LaunchOptions, Launched, Seat, SeatOptions, Start, Surroundings } from './seat.js';
export { keyName } from './key-names.js';
export type { KeyName } from './key-names.js';
export { parseKeys } from './parse-keys.js';
