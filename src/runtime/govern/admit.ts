import { Deadline, DesktopError } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import { askPerson, stillFits, type Line } from './approval.js';
import { sessionOf, type Asked } from './asked.js';
import { subjectOf } from './subject.js';

const LONGEST_MS = 10 * 60_000;

/** The first question. Only whether this session may work here at all is asked of a person before there is a target. */
export async function admit(desktop: Desktop, asked: Asked, line: Line): Promise<void> {
  const { governor } = desktop;
  const isAct = asked.class === 'act' || asked.class === 'raw';
  // With the session enabled other rules have their say.
  for (let decided = governor.admit(asked); decided.answer === 'ask'; decided = governor.admit(asked)) {
    if (isAct && !decided.enables) break;
    await approve(desktop, asked, line);
    if (!decided.enables) break;
  }
  governor.count(asked);
}

/** Asks about a call that has no target, or about the session; it may go on afterwards. */
async function approve(desktop: Desktop, asked: Asked, line: Line): Promise<void> {
  const { governor } = desktop;
  const turn = Deadline.in(LONGEST_MS, line.signal);
  await desktop.turns.take(turn, async () => {
    // Somebody may have said yes to this session while the turn was waited for.
    const now = governor.admit(asked);
    if (now.answer !== 'ask') return;
    const subject = subjectOf(desktop.name, asked, undefined, now);
    const approval = await askPerson(governor, { asked, decided: now, subject }, line);
    if (!stillFits(approval, subjectOf(desktop.name, asked, undefined, governor.admit(asked)))) throw policyMoved();
    if (!now.enables) return;
    const policy = now.policyHash ?? '0'.repeat(64);
    // What cannot be written down is not allowed.
    await governor.ledger.note({ kind: 'policy', event: 'enabled', policy, by: approval.by });
    governor.enable(sessionOf(asked.caller));
  });
}

function policyMoved(): DesktopError {
  return new DesktopError('policy_denied', 'The policy changed while a person was asked.', { retry: 'safe' });
}
