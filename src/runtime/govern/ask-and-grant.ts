import type { WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { secretIn } from './secrecy.js';
import { askPerson, type Approval, type Line, type Matter } from './approval.js';
import { sessionOf, surfaceOf } from './asked.js';
import { hashOf } from './subject.js';

type Grantable = Parameters<Desktop['governor']['grants']['covers']>[0];

/** Asks, and keeps what a person allows beyond this once. */
export async function askAndGrant(desktop: Desktop, matter: Matter, line: Line, before?: Approval): Promise<Approval> {
  const { governor } = desktop;
  const { asked, decided } = matter;
  const approval = await whileItsWindowIsOpen(desktop, matter, () => askPerson(governor, matter, line, before));
  // Who lets a session work here has not said that nobody need be asked about what it does.
  if (decided.enables) return approval;
  const grant = governor.grants.give(approval.scope, grantable(desktop, matter));
  if (!grant) return approval;
  const { id, scope, tool } = grant;
  const caller = { surface: surfaceOf(asked.caller), session: sessionOf(asked.caller) };
  try {
    await governor.ledger.note({
      ...{ kind: 'grant', event: 'given', grant: id, scope, caller, by: approval.by },
      ...(tool !== undefined && { tool }),
    });
  } catch (error) {
    // What cannot be written down is not allowed.
    governor.grants.revoke(id);
    throw error;
  }
  return approval;
}

/** What is asked about a window ends with the window: nobody should think about what is no more. */
async function whileItsWindowIsOpen<T>(desktop: Desktop, { aim, subject }: Matter, ask: () => Promise<T>): Promise<T> {
  const hash = hashOf(subject);
  const stop = desktop.onEvent((event) => {
    if (event.type !== 'window' || event.change !== 'closed' || event.window !== aim?.window?.id) return;
    desktop.governor.questions.void('its window was closed', ({ subjectHash }) => subjectHash === hash);
  });
  return ask().finally(stop);
}

/** What a person has said before, if it covers this. */
export function coveredBy(desktop: Desktop, matter: Omit<Matter, 'subject'>) {
  return desktop.governor.grants.covers(grantable(desktop, matter), matter.decided.grant ?? 'once');
}

/** What a grant would have to cover. */
export function grantable({ governor }: Desktop, { asked, aim, decided }: Omit<Matter, 'subject'>): Grantable {
  const { tool, class: kind, caller } = asked;
  const window = aim?.target?.window ?? aim?.window;
  const program = aim?.start?.program ?? window?.program;
  const whose =
    program !== undefined && !(governor.rules.runsAnything?.(program) ?? true) ? program : processOf(window);
  return {
    ...{ session: sessionOf(caller), tool, class: kind, risk: decided.risk?.levels.at(-1) ?? 'high' },
    ...(secretIn(asked) !== undefined && { secret: true }),
    ...(whose !== undefined && { program: whose }),
  };
}

/** The one that a window is of; empty for what is done in none, undefined where nobody knows. */
function processOf(window: WindowInfo | undefined): string | undefined {
  if (!window) return '';
  const { pid, started = '?' } = window;
  return pid === undefined ? undefined : `${pid}:${started}`;
}
