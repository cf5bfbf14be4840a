import type { Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import {
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  ITEM_ROLES,
  quote,
  roleInText,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
  type Role,
} from '../../tree/index.js';

/** Fields by their role, whatever else they say: toolkits forget to call them editable. */
const FIELDS: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'spinbutton']);
/** Keys that come here go somewhere else, or do something, unless it says that it can be edited. */
const NO_TEXT: ReadonlySet<Role> = new Set([
  ...[...INTERACTIVE_ROLES].filter((role) => !FIELDS.has(role) && role !== 'terminal'),
  ...TEXT_ROLES,
  ...ITEM_ROLES,
  ...CONTAINER_ROLES,
  ...(['cell', 'columnheader', 'rowheader', 'document', 'image'] as const),
]);

/** Its text is one piece that can be read as such. */
export function isField({ element }: Target): boolean {
  return FIELDS.has(element.role) || element.role === 'combobox';
}

/** All of it can be selected with keys and be replaced. `select all` of a part takes all that is around it. */
export function isWritten(target: Target): boolean {
  const { element, path } = target;
  if (FIELDS.has(element.role)) return true;
  return isEdited(target) && element.role !== 'paragraph' && !path.some(({ states }) => states.editable);
}

/** It is not known to be something that takes no text: of a canvas or a terminal nobody can say. */
export function mayTakeText(target: Target): boolean {
  return isEdited(target) || !NO_TEXT.has(target.element.role);
}

/** In a list whose rows one chooses the keys belong to the list: they select, search and delete. */
function isEdited({ element }: Target): boolean {
  const { editable, selected } = element.states;
  return editable === true && !(element.role === 'cell' && selected !== undefined);
}

export function takesNoText({ element }: Target, hint: string): DesktopError {
  const name = element.name ? ` ${quote(element.name)}` : '';
  const message = `${element.ref} ${roleInText(element.role)}${name} is nothing that one can write into.`;
  return new DesktopError('pattern_unsupported', message, { retry: 'no', hint });
}
