import { DesktopError } from '../../shared/index.js';
import {
  describeElement,
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  ITEM_ROLES,
  type Role,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
} from '../../tree/index.js';
import type { Target } from '../locate/target.js';

/** Fields by role, even when they are not exposed as editable: some toolkits omit that state. */
const FIELDS: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'spinbutton']);
/** Unless they are exposed as editable, keys sent to these go elsewhere or trigger something. */
const NOT_EDITABLE: ReadonlySet<Role> = new Set([
  ...[...INTERACTIVE_ROLES].filter((role) => !FIELDS.has(role) && role !== 'terminal'),
  ...TEXT_ROLES,
  ...ITEM_ROLES,
  ...CONTAINER_ROLES,
  ...(['cell', 'columnheader', 'rowheader', 'document', 'image'] as const),
]);

/** Whether the element's text can be read as one piece. */
export function isField({ element }: Target): boolean {
  return FIELDS.has(element.role) || element.role === 'combobox';
}

/**
 * Whether keys can select and replace the whole text. In a part of an editor, "select all" selects the whole editor.
 */
export function isWritten(target: Target): boolean {
  const { element, path } = target;
  if (FIELDS.has(element.role)) return true;
  return isEditable(target) && element.role !== 'paragraph' && !path.some(({ states }) => states.editable);
}

/** Whether the element may accept text. For a canvas or a terminal this is unknown, so it counts as possible. */
export function mayTakeText(target: Target): boolean {
  return isEditable(target) || !NOT_EDITABLE.has(target.element.role);
}

/** In a list with selectable rows the list handles the keys: they select, search and delete. */
function isEditable({ element }: Target): boolean {
  const { editable, selected } = element.states;
  return editable === true && !(element.role === 'cell' && selected !== undefined);
}

export function takesNoText({ element }: Target, hint: string): DesktopError {
  const message = `${describeElement(element)} does not accept text.`;
  return new DesktopError('pattern_unsupported', message, { retry: 'no', hint });
}
