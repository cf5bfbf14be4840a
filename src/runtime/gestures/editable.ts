import { DesktopError } from '../../shared/index.js';
import {
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  ITEM_ROLES,
  quote,
  type Role,
  roleInText,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
} from '../../tree/index.js';
import type { Actor } from '../act/actor.js';
import type { ActionReport, Method } from '../act/action.js';
import type { PatternAct } from '../../drivers/contract/index.js';
import type { Target } from '../locate/target.js';

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

export interface InputMethods {
  /** Tried first; none: the platform has no such thing for this act. */
  pattern?: PatternAct;
  /** With mouse and keys. */
  input?: () => Promise<void>;
}

/**
 * By what the app offers if it offers it, else as a person would. What went out by pattern is never repeated by input,
 * whatever it did or did not do.
 */
export async function patternThenInput(
  actor: Actor,
  target: Target,
  request: 'auto' | Method,
  ways: InputMethods,
): Promise<ActionReport> {
  const focuses = ways.pattern?.kind === 'focus' && { focuses: true };
  if (request !== 'input' && ways.pattern) {
    const answer = await actor.pattern(target, ways.pattern);
    if (answer) return { method: 'pattern', by: answer.by, ...focuses };
  }
  if (request === 'pattern' || !ways.input) throw unsupported(target, request, actor.declined);
  await ways.input();
  return { method: 'input', ...focuses };
}

function unsupported({ element }: Target, request: 'auto' | Method, why = 'offers no such action'): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${roleInText(element.role)} ${why}.`, {
    retry: 'no',
    hint: request === 'pattern' ? 'leave method out: mouse and keys may do it.' : 'ui_describe tells what it offers.',
  });
}
