import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, hasTrait } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import { type Actor } from '../act/actor.js';
import { compareText } from '../verify/typed-text.js';
import { type Target } from '../locate/target.js';
import { type Typed } from '../../drivers/contract/index.js';

/** A cell of a spreadsheet, which takes text by being selected and typed into. */
export function isSheetCell({ element }: Target): boolean {
  return element.role === 'cell' && element.cell?.address !== undefined;
}

/** Stops where the focus leaves the target: the rest would go somewhere else. */
export async function typeText(
  actor: Actor,
  target: Target,
  text: string,
  delayMs?: number,
  hidden = false,
): Promise<void> {
  if (text === '') return;
  const { ref } = target.element;
  // While a cell is written the focus is in an editor above it: that its window is active must do.
  const inWindow = async (): Promise<boolean> => (await actor.reader.activeWindow()).ref === target.window.ref;
  const there = isSheetCell(target) ? inWindow : (): Promise<boolean> => actor.hasFocus(target);
  const goOn = (): Promise<boolean> => actor.noMenuElsewhere(target.window).then(there).catch(ifEnded);
  const { typed, done } = await actor
    .type(text, { goOn, ...(delayMs !== undefined && { delayMs }) })
    .catch((error: unknown) => ifStoppedByEnd(error, () => actor.hasEnded(target)))
    .catch((error: unknown) => {
      throw hidden ? error : howFar(error, ref, text);
    });
  if (done) return;
  const far = hidden ? 'before the end' : `after ${characters(typed)}`;
  const so = {
    delivered: typed > 0 ? 'yes' : 'no',
    retry: 'no',
    ...(!hidden && { details: { typed } }),
  } as const;
  if (await actor.hasEnded(target))
    throw new DesktopError('process_gone', `The app of ${ref} has ended ${far}.`, {
      ...so,
      hint: 'start it again, then look what it kept.',
    });
  throw new DesktopError('target_changed', `The focus left ${ref} ${far}.`, {
    ...so,
    hint: `see what it holds: ui_read ${ref}.`,
  });
}

/** Whoever's time is up in the middle of a long text has to know where. */
function howFar(error: unknown, ref: string, text: string): unknown {
  if (!hasTrait(error, 'cutShort') || error.delivered === 'no') return error;
  const { code, message, delivered, details, cause } = error;
  const { typed } = details ?? {};
  if (typeof typed !== 'number') return error;
  return new DesktopError(code, `${message.replace(/\.$/, '')} after ${typed} of ${characters(text)}.`, {
    ...{ delivered, details, cause, retry: 'no' },
    hint: `see what it holds: ui_read ${ref}; then type the rest, or more time: timeoutMs.`,
  });
}

/** An app that has ended does not get on with its keys, either. */
async function ifStoppedByEnd(error: unknown, ended: () => Promise<boolean>): Promise<Typed> {
  if (!hasTrait(error, 'appSilent', 'targetLost', 'gone') || !(await ended())) throw error;
  const { typed } = error.details ?? {};
  return { typed: typeof typed === 'number' ? typed : 0, done: false };
}

/** Then nothing more is typed, and what became of it is looked at once. */
function ifEnded(error: unknown): false {
  if (error instanceof DesktopError && error.code === 'process_gone') return false;
  throw error;
}

/** An app that is slow to take what was typed gets so long to come to its end. */
const SLOW_MS = 1_000;
const AGAIN_MS = 50;

type Held = Awaited<ReturnType<Actor['reader']['held']>>;

/**
 * Enter sends off what stands in the field. So it waits until all that was typed is in there, and is not pressed when a
 * part of it got lost; afterwards the field is often empty, and nobody could tell. Apps may write it otherwise, as a
 * calculator its signs. What cannot be read is left to the app.
 */
export async function confirmBeforeEnter(actor: Actor, target: Target, typed: string, held: Held): Promise<void> {
  const { reader, deadline } = actor;
  const kept = held ? [...held.text].length - (held.end - held.start) : 0;
  const isAll = (there: string): boolean =>
    compareText({ part: typed }, there) !== 'otherwise' || [...there].length >= kept + [...typed].length;
  for (const end = deadline.atMost(SLOW_MS); ; await pause(AGAIN_MS)) {
    const there = await reader.wholeText(target).catch(ifGone);
    if (there === undefined || isAll(there)) return;
    deadline.throwIfOver('Reading it back');
    if (end.over) throw notSent(target, typed, there);
  }
}

/** That the keys have nowhere to go any more is found out when the next is pressed. */
function ifGone(error: unknown): undefined {
  if (error instanceof DesktopError && (error.code === 'stale_ref' || error.code === 'process_gone')) return undefined;
  throw error;
}

function notSent({ element: { ref } }: Target, expected: string, value: string): DesktopError {
  return new DesktopError('verify_failed', `${ref} holds less than what was typed, so Enter was not pressed.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `see what it holds: ui_read ${ref}; set it right with ui_set_value, then ui_key Enter.`,
    details: { complete: true, expected, untrusted: { value }, changes: [`${ref} holds ${quote(value)}`] },
  });
}

/** `1 character`, `8 characters`, as a person counts them. */
export function characters(text: string | number): string {
  const count = typeof text === 'number' ? text : [...text].length;
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}
