import { DesktopError } from '../../shared/index.js';
import { quote, roleInText } from '../../tree/index.js';
import type { Condition } from '../conditions/condition.js';
import { shown } from '../selector-target.js';
import type { Outcome } from '../wait.js';
import type { ActResult } from './result.js';

/** The act was done and did not bring what it was for. It is never repeated; what it did bring is told. */
export function verifyFailed(result: ActResult, condition: Condition, verdict: Outcome): DesktopError {
  const { resolvedTarget: target, verb, method, window, changes } = result;
  const name = target?.name ? ` ${quote(target.name)}` : '';
  const what = target
    ? ` ${target.ref} ${roleInText(target.role)}${name} in ${target.window}`
    : window
      ? ` in ${window}`
      : '';
  const how = method ? ` (by ${method})` : '';
  const message = `${verb}${what} was done${how}, but ${shown(condition.text)} does not hold after ${verdict.elapsedMs} ms.`;
  const { answer, seen, nearest } = verdict;
  return new DesktopError('verify_failed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it; see what there is now: ui_snapshot.',
    details: { answer, seen, changes, ...(nearest && nearest.length > 0 && { nearest }), result },
  });
}

/** What was asked for is known not to be so; that something else changed does not make it good. */
export function notMet({ verb, window, changes, ...rest }: ActResult, unmet: string): DesktopError {
  return new DesktopError('verify_failed', `${verb} ${window ?? 'it'} was asked for, but ${unmet}.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `do not repeat it; see what there is now: ui_snapshot.`,
    details: { changes, result: { verb, ...(window !== undefined && { window }), changes, ...rest } },
  });
}
