// The library's front door. What stands here is meant to be used; everything else is free to change.
export { VERSION } from './config.js';
export { openDesktop } from './open-desktop.js';
export type { DesktopKind, Finding, OpenDesktop, Seat } from './open-desktop.js';
export { perform } from './runtime/index.js';
export type { Call, Desktop, Performed, Tool } from './runtime/index.js';
export { Deadline, DesktopError, ERROR_CODES } from './shared/index.js';
export type { Delivered, ErrorCode, ErrorJson, Retry } from './shared/index.js';
export { TOOLS } from './tools/index.js';
export type { Box, Element, Point, Role, Size, Snapshot, States, WindowInfo } from './tree/index.js';
