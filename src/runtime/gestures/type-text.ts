import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, hasTrait } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { quote, type Role, TEXT_FIELD_ROLES } from '../../tree/index.js';
import { type Actor } from '../act/actor.js';
import { compareText } from '../verify/typed-text.js';
import { type Target } from '../locate/target.js';
import type { ShouldContinue, TypedText } from '../user/arbitrated-input.js';

/** Whether it is a spreadsheet cell. To write one, select it and type. */
export function isSheetCell({ element }: Target): boolean {
  return element.role === 'cell' && element.cell?.address !== undefined;
}

/** Stops when the focus leaves the target: the rest would go to another element. */
export async function typeText(
  actor: Actor,
  target: Target,
  text: string,
  delayMs?: number,
  hidden = false,
): Promise<void> {
  if (text === '') return;
  const { ref } = target.element;
  // While a cell is edited, an editor above it has the focus. So only its window must be active.
  const inWindow = async (): Promise<boolean> => {
    await actor.noMenuElsewhere(target.window);
    return (await actor.reader.activeWindow()).ref === target.window.ref;
  };
  const focus = isSheetCell(target) ? undefined : actor.typingFocus(target, text);
  const shouldContinue: ShouldContinue = (typed, sameWindow) =>
    (focus ? focus.has(typed, sameWindow) : inWindow()).catch(falseIfEnded);
  const chunkSize = chunkSizeFor(target, hidden);
  const { typed, done } = await actor
    .type(text, { ...(delayMs !== undefined && { delayMs }), ...(chunkSize && { chunkSize }) }, shouldContinue)
    .catch((error: unknown) => typedBeforeEnd(error, () => actor.hasEnded(target)))
    .catch((error: unknown) => {
      throw hidden ? error : withTypedCount(error, ref, text);
    });
  if (done) return;
  const progress = hidden ? 'before the end' : `after ${characters(typed)}`;
  const options = {
    delivered: typed > 0 ? 'yes' : 'no',
    retry: 'no',
    ...(!hidden && { details: { typed } }),
  } as const;
  if (await actor.hasEnded(target))
    throw new DesktopError('process_gone', `The app of ${ref} has ended ${progress}.`, {
      ...options,
      hint: 'Start it again, then check what it saved.',
    });
  throw new DesktopError('target_changed', `The focus left ${ref} ${progress}.`, {
    ...options,
    hint: `Run ui_read ${ref} to see what it holds.`,
  });
}

/** In these a letter is only text. Elsewhere it may activate a control, choose an item or run a shortcut. */
const WRITTEN: ReadonlySet<Role> = new Set([...TEXT_FIELD_ROLES, 'terminal', 'spinbutton'] as Role[]);
/** A secret that the focus leaves shows at most this much of itself elsewhere. */
const SECRET_CHUNK = 4;

function chunkSizeFor(target: Target, hidden: boolean): number | undefined {
  const { role, states } = target.element;
  if (!WRITTEN.has(role) && !states.editable && !isSheetCell(target)) return 1;
  return hidden || states.secret ? SECRET_CHUNK : undefined;
}

/** An error in the middle of a long text says how much was typed. */
function withTypedCount(error: unknown, ref: string, text: string): unknown {
  if (!hasTrait(error, 'cutShort') || error.delivered === 'no') return error;
  const { code, message, delivered, details, cause } = error;
  const { typed } = details ?? {};
  if (typeof typed !== 'number') return error;
  return new DesktopError(code, `${message.replace(/\.$/, '')} after ${typed} of ${characters(text)}.`, {
    ...{ delivered, details, cause, retry: 'no' },
    hint: `Run ui_read ${ref} to see what it holds, then type the rest. Allow more time with timeoutMs.`,
  });
}

/** An app that has ended does not handle its keys either. */
async function typedBeforeEnd(error: unknown, ended: () => Promise<boolean>): Promise<TypedText> {
  if (!hasTrait(error, 'appSilent', 'targetLost', 'gone') || !(await ended())) throw error;
  const { typed } = error.details ?? {};
  return { typed: typeof typed === 'number' ? typed : 0, done: false };
}

/** Ends the typing; the caller then reports the reason. */
function falseIfEnded(error: unknown): false {
  if (error instanceof DesktopError && error.code === 'process_gone') return false;
  throw error;
}

/** How long a slow app may take to handle all that was typed. */
const READ_BACK_MS = 1_000;
const POLL_MS = 50;

type TextBefore = Awaited<ReturnType<Actor['reader']['held']>>;

/**
 * Enter submits the content of the field. So it waits until all typed text is there, and Enter is not pressed if a part
 * was lost: afterwards the field is often empty and the loss could not be detected. Apps may reformat the text, as a
 * calculator does with its signs. Text that cannot be read is submitted.
 */
export async function confirmBeforeEnter(
  actor: Actor,
  target: Target,
  typed: string,
  before: TextBefore,
): Promise<void> {
  const keptLength = before ? [...before.text].length - (before.end - before.start) : 0;
  const isAll = (actual: string): boolean =>
    compareText({ part: typed }, actual) !== 'different' || [...actual].length >= keptLength + [...typed].length;
  await confirmText(actor, target, ['typed text', typed], isAll);
}

/** The same for a value that was written as a whole. */
export async function confirmValue(actor: Actor, target: Target, value: string): Promise<void> {
  const isAll = (actual: string): boolean =>
    compareText({ value }, actual) !== 'different' || [...actual].length >= [...value].length;
  await confirmText(actor, target, ['value', value], isAll);
}

async function confirmText(
  { reader, deadline }: Actor,
  target: Target,
  [what, wanted]: ['typed text' | 'value', string],
  isAll: (actual: string) => boolean,
): Promise<void> {
  for (const end = deadline.atMost(READ_BACK_MS); ; await pause(POLL_MS)) {
    const actual = await reader.wholeText(target).catch(undefinedIfGone);
    if (actual === undefined || isAll(actual)) return;
    deadline.throwIfOver('Reading it back');
    if (end.over) throw incompleteError(target, what, wanted, actual);
  }
}

/** The next key press reports that the target is gone. */
function undefinedIfGone(error: unknown): undefined {
  if (error instanceof DesktopError && (error.code === 'stale_ref' || error.code === 'process_gone')) return undefined;
  throw error;
}

function incompleteError({ element: { ref } }: Target, what: string, expected: string, value: string): DesktopError {
  return new FinalActError('verify_failed', `${ref} holds less than the ${what}, so Enter was not pressed.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `Run ui_read ${ref} to see what it holds, correct it with ui_set_value, then press Enter with ui_key.`,
    details: { expected, untrusted: { value }, changes: [`${ref} holds ${quote(value)}`] },
  });
}

/** `1 character`, `8 characters`: code points. */
export function characters(text: string | number): string {
  const count = typeof text === 'number' ? text : [...text].length;
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}
