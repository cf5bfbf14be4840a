export type { Element, Node, Pattern, PlatformIds, Span, TableInfo } from './element.js';
export { accessibleName } from './render/view.js';
export { cellAddress, columnNumber, parseCellAddress } from './cell-address.js';
export { cleanName, cleanText, cleanValue, TEXT_BOUNDS } from '../shared/index.js';
export { boundingBox, joinOverlapping, centre, contains, intersect, sameBox } from './geometry.js';
export type { Box, Point, Size } from './geometry.js';
export { displayName } from './items.js';
export { nearest } from './ref-record.js';
export type { Nearest } from './ref-record.js';
export { parseRef } from './ref-record.js';
export type { RefRecord } from './ref-record.js';
export { Refs } from './refs.js';
export { roleFromAtspi } from './roles/words.js';
export {
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  isInteractive,
  ITEM_ROLES,
  RANGE_ROLES,
  roleIsA,
  STRUCTURE_ROLES,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
  WINDOW_ROLES,
} from './roles/roles.js';
export { roleInText } from './roles/roles.js';
export { rolesNamed, roleWord, roleWords } from './roles/words.js';
export type { RolePlatform } from './roles/words.js';
export { isRole, ROLES } from './roles/roles.js';
export type { Role } from './roles/roles.js';
export { isSecretField, looksSecret, takesTypedText } from './secret-field.js';
export type { DriverIdentity, Snapshot, SnapshotAnswer } from './snapshot.js';
export type { StateName, States } from './element.js';
export { mainWindowOf, type WindowInfo, type WindowNode } from './snapshot.js';
export { diffSnapshots } from './diff/diff.js';
export type { Change, SnapshotDiff } from './diff/diff.js';
export { isCut, withoutUntrustedMarkers, withUntrustedMarkers } from './quote.js';
export { cellText, describeElement, describeTarget, joinCells, quote } from './quote.js';
export { checkMaxTokens, incompleteReason, renderSnapshot } from './render/render.js';
export type { RenderOptions } from './render/render.js';
export { renderChanges } from './diff/render-changes.js';
export { renderSince } from './diff/render-changes.js';
export { renderElementLine, renderRowLine, renderStates, renderWindowList } from './render/window-lines.js';
export { estimateTokens } from './render/tokens.js';
export { ITEM_DEPTH, plainClickPoint } from './click-point.js';
