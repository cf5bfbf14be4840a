import { Deadline, DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Desktop } from '../desktop/desktop.js';
import { askAndGrant, coveredBy, type Line, stillFits } from '../approval/ask-user.js';
import { sessionOf, type Asked } from './policy-request.js';
import type { Decided } from './authorizer.js';
import { subjectOf } from '../approval/approval-subject.js';

const LONGEST_MS = 10 * 60_000;

/** The first question. Only whether this session may work here at all is asked of a person before there is a target. */
export async function admit(desktop: Desktop, asked: Asked, line: Line): Promise<void> {
  const { governor } = desktop;
  // With the session enabled other rules have their say.
  for (let decided = governor.admit(asked); decided.enables; decided = governor.admit(asked)) {
    await approve(desktop, asked, line, async () => ({ decided: governor.admit(asked) }));
  }
  governor.count(asked);
}

/** What is known now of what is asked for. */
export type Known = () => Promise<{ decided: Decided; aim?: ActionPlan }>;

/** Asks about a look or about the session, with the turn held; it may go on afterwards. */
export async function approve(desktop: Desktop, asked: Asked, line: Line, known: Known): Promise<void> {
  const { governor } = desktop;
  await desktop.turns.run(Deadline.in(LONGEST_MS, line.signal), async () => {
    // Somebody may have said yes to this session while the turn was waited for.
    const { decided, aim } = await known();
    if (decided.answer !== 'ask') return;
    const matter = { asked, decided, ...(aim && { aim }) };
    if (!decided.enables && coveredBy(desktop, matter)) return;
    const subject = subjectOf(desktop.name, asked, aim, decided);
    const approval = await askAndGrant(desktop, { ...matter, subject }, line);
    const now = await known();
    if (!stillFits(approval, subjectOf(desktop.name, asked, now.aim, now.decided))) throw moved(asked.tool);
    if (!decided.enables) return;
    const policy = decided.policyHash ?? '0'.repeat(64);
    // What cannot be written down is not allowed.
    await governor.ledger.note({ kind: 'policy', event: 'enabled', policy, by: approval.by });
    governor.enable(sessionOf(asked.caller));
  });
}

function moved(tool: string): DesktopError {
  return new DesktopError('target_changed', `What ${tool} was allowed for changed while a person was asked.`, {
    retry: 'safe',
    hint: 'try again: it is asked about as it is now.',
  });
}
