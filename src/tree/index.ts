export type { Element, Node, Pattern, PlatformIds, Span, TableInfo } from './element.js';
export { centre, contains, intersect, sameBox } from './geometry.js';
export type { Box, Point, Size } from './geometry.js';
export { roleFromAtspi, roleFromAx, roleFromUia } from './role-from-platform.js';
export {
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  isInteractive,
  ITEM_ROLES,
  RANGE_ROLES,
  ROLE_KINDS,
  roleIsA,
  STRUCTURE_ROLES,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
  WINDOW_ROLES,
} from './role-kinds.js';
export { rolesNamed, roleWord, roleWords } from './role-words.js';
export type { RolePlatform } from './role-words.js';
export { isRole, ROLES } from './roles.js';
export type { Role } from './roles.js';
export type { DriverIdentity, Snapshot } from './snapshot.js';
export type { StateName, States } from './states.js';
export type { WindowInfo, WindowNode } from './window.js';
