export type { Element, Node, Pattern, PlatformIds, Span, TableInfo } from './element.js';
export { centre, contains, intersect, sameBox } from './geometry.js';
export type { Box, Point, Size } from './geometry.js';
export { ROLES } from './roles.js';
export type { Role } from './roles.js';
export type { DriverIdentity, Snapshot } from './snapshot.js';
export type { StateName, States } from './states.js';
export type { WindowInfo, WindowNode } from './window.js';
