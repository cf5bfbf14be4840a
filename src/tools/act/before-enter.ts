import { setTimeout as pause } from 'node:timers/promises';
import { readsAs, type Actor, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote } from '../../tree/index.js';

/** An app that is slow to take what was typed gets so long to come to its end. */
const SLOW_MS = 1_000;
const AGAIN_MS = 50;

type Held = Awaited<ReturnType<Actor['reader']['held']>>;

/**
 * Enter sends off what stands in the field. So it waits until all that was typed is in there, and is not pressed when a
 * part of it got lost; afterwards the field is often empty, and nobody could tell. Apps may write it otherwise, as a
 * calculator its signs. What cannot be read is left to the app.
 */
export async function beforeEnter(actor: Actor, target: Target, typed: string, held: Held): Promise<void> {
  const { reader, deadline } = actor;
  const kept = held ? [...held.text].length - (held.end - held.start) : 0;
  const isAll = (there: string): boolean =>
    readsAs({ part: typed }, there) !== 'otherwise' || [...there].length >= kept + [...typed].length;
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
