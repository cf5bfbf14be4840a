import type { Deadline } from '../../shared/index.js';
import type { Outcome } from './changes.js';
import type { Settling } from './settle.js';

/** What an app does about something that was confirmed by others it begins by then. */
const SOON_MS = 100;

/**
 * A change ends the waiting. That nothing changed is said only when all the time was given: apps think, then move.
 *
 * The first look begins in the first lull after something was drawn, while the quiet is still waited for: it holds when nothing at all is heard
 * from its beginning to the end of the quiet, and else another one is taken. Once only: something that moves all the
 * time would be read all the time.
 *
 * A look that windows overtook is taken once more after the next quiet: a dialog that closes may be gone before the
 * window behind it has its new title.
 *
 * `sure`: it is known already that it was done, as by a window manager; then no change is waited for, only quiet.
 */
export async function settledOutcome(
  settling: Settling,
  look: () => Promise<Outcome>,
  endsAt: number,
  deadline: Deadline,
  sure = false,
): Promise<Outcome> {
  if (sure && !(await settling.begins(Math.min(endsAt, performance.now() + SOON_MS), deadline))) return look();
  const paused = await settling.lull(endsAt, deadline);
  const mark = settling.signs;
  let early = paused === 'drawn' && performance.now() < endsAt && !deadline.over ? await look() : undefined;
  for (let patient = true; ;) {
    await settling.quiet(endsAt, deadline);
    const holds = early && early.changed !== 'no' && !early.overtaken && settling.signs === mark ? early : undefined;
    const outcome = holds ?? (await look());
    early = undefined;
    const there = (sure || outcome.changed === 'yes') && !outcome.pending && !(outcome.overtaken && patient);
    if (there || performance.now() >= endsAt || deadline.over) return outcome;
    patient &&= !outcome.overtaken;
  }
}
