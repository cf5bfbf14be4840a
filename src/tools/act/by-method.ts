import type { PatternAct } from '../../runtime/index.js';
import type { Actor, Deed, Method, Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { roleInText } from '../../tree/index.js';

export interface Ways {
  /** Tried first; none: the platform has no such thing for this act. */
  pattern?: PatternAct;
  /** With mouse and keys. */
  input?: () => Promise<void>;
}

/**
 * By what the app offers if it offers it, else as a person would. What went out by pattern is never repeated by input,
 * whatever it did or did not do.
 */
export async function byMethod(actor: Actor, target: Target, asked: 'auto' | Method, ways: Ways): Promise<Deed> {
  const focuses = ways.pattern?.kind === 'focus' && { focuses: true };
  if (asked !== 'input' && ways.pattern) {
    const answer = await actor.pattern(target, ways.pattern);
    if (answer) return { method: 'pattern', by: answer.by, ...focuses };
  }
  if (asked === 'pattern' || !ways.input) throw unsupported(target, asked, actor.declined);
  await ways.input();
  return { method: 'input', ...focuses };
}

function unsupported({ element }: Target, asked: 'auto' | Method, why = 'offers no such action'): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${roleInText(element.role)} ${why}.`, {
    retry: 'no',
    hint: asked === 'pattern' ? 'leave method out: mouse and keys may do it.' : 'ui_describe tells what it offers.',
  });
}
