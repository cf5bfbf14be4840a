import { DesktopError } from '../../shared/index.js';
import {
  describeElement,
  CONTAINER_ROLES,
  INTERACTIVE_ROLES,
  ITEM_ROLES,
  type Role,
  roleInText,
  TEXT_FIELD_ROLES,
  TEXT_ROLES,
} from '../../tree/index.js';
import type { Actor } from '../act/actor.js';
import type { ActionReport, Method } from '../act/action.js';
import type { PatternAct } from '../../drivers/contract/index.js';
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

export interface InputMethods {
  /** Tried first; absent if the platform has no pattern for this act. */
  pattern?: PatternAct;
  /** With pointer and keyboard input. */
  input?: () => Promise<void>;
}

/**
 * Uses the app's pattern if there is one, and otherwise pointer and keyboard input. An act that was sent by pattern is
 * never repeated by input, whatever its effect was.
 */
export async function patternThenInput(
  actor: Actor,
  target: Target,
  request: 'auto' | Method,
  methods: InputMethods,
): Promise<ActionReport> {
  const focuses = methods.pattern?.kind === 'focus' && { focuses: true };
  if (request !== 'input' && methods.pattern) {
    const answer = await actor.pattern(target, methods.pattern);
    if (answer) return { method: 'pattern', by: answer.by, ...focuses };
  }
  if (request === 'pattern' || !methods.input) throw unsupportedError(target, request, actor.declined);
  await methods.input();
  return { method: 'input', ...focuses };
}

function unsupportedError({ element }: Target, request: 'auto' | Method, why = 'offers no such action'): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${roleInText(element.role)} ${why}.`, {
    retry: 'no',
    hint:
      request === 'pattern' ? 'leave method out: mouse and keys may do it.' : 'Run ui_describe to see what it offers.',
  });
}
