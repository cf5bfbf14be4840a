import { AGAIN_MS, SLOW_MS } from './read-back.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { readAgain } from '../find-target.js';
import type { Aim, Deed } from './aim.js';
import { targetAfter, type Outcome } from './changes.js';

/** So long an app may take to come from one state to the next. */

/**
 * An act that names a state has not done what it says when something else came of it. That nothing at all came of it
 * is told anyway; but what was neither on nor off and still is may have changed behind that, as in GTK 3.
 */
export async function mustBeAsWished(
  desktop: Desktop,
  aim: Aim,
  { instead, method }: Deed,
  outcome: Outcome,
  deadline: Deadline,
): Promise<void> {
  const { target } = aim;
  if (!instead || !target || outcome.veiled) return;
  if (outcome.changed === 'no' && !isMixed(target.element)) return;
  let now = targetAfter(outcome, target.element.ref);
  for (const end = deadline.atMost(SLOW_MS); now; now = await readAgain(desktop, target, deadline)) {
    const is = instead(now.states);
    if (is === undefined) return;
    if (end.over) throw differentStateError(aim, method, now, is);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

const isMixed = ({ states: { checked, pressed } }: Element): boolean => (checked ?? pressed) === 'mixed';

function differentStateError(
  { verb }: Aim,
  method: Deed['method'],
  { ref, role, states }: Element,
  is: string,
): DesktopError {
  return new DesktopError('verify_failed', `${verb} ${ref} ${role} was done (by ${method}), but it ${is} now.`, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it; see what came of it: ui_snapshot.',
    details: { untrusted: { states } },
  });
}
