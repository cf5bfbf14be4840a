import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import type { Aim, Deed } from './aim.js';

/**
 * What was written into is not there any more: the app has ended, or the field went away while keys were on their way
 * to it. Undefined where it is only out of sight, or may have taken all in one piece before it went.
 */
export async function lostTarget(
  desktop: Desktop,
  { verb, target }: Aim,
  { expected, method, hidden }: Deed,
  deadline: Deadline,
): Promise<DesktopError | undefined> {
  if (!target || !expected) return undefined;
  const { id, ref } = target.element;
  const typed = 'part' in expected && method === 'input';
  const count = typed && !hidden ? [...expected.part].length : undefined;
  const sent = typed ? (hidden ? 'a secret was sent' : sentWords(count!)) : `the ${verb} was sent`;
  const so = { delivered: 'yes', retry: 'no', ...(count !== undefined && { details: { typed: count } }) } as const;
  try {
    await desktop.driver.read({ element: id }, { deadline, depth: 0, fresh: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    if (error.code === 'process_gone')
      return new DesktopError('process_gone', `The app of ${ref} has ended while ${sent} to it.`, {
        ...so,
        hint: 'start it again, then look what it kept; keys after its end may have gone to another window.',
      });
    if (error.code !== 'stale_ref' || !typed) return undefined;
    return new DesktopError('target_changed', `${ref} went away while ${sent} to it.`, {
      ...so,
      hint: 'see what came of them, and what has the keys now: ui_snapshot.',
    });
  }
}

const sentWords = (count: number): string => `${count} ${count === 1 ? 'character was' : 'characters were'} sent`;
