import type { PatternAct } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';
import { roleInText } from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import type { ActionReport, Method } from './action.js';
import type { Actor } from './actor.js';

export interface InputMethods {
  /** Tried first; absent if the platform has no pattern for this act. */
  pattern?: PatternAct;
  /** With pointer and keyboard input. */
  input?: () => Promise<void>;
}

/**
 * Uses the app's pattern if there is one, and otherwise pointer and keyboard input. An act that was sent by pattern is
 * never repeated by input, whatever its effect was.
 */
export async function patternThenInput(
  actor: Actor,
  target: Target,
  request: 'auto' | Method,
  methods: InputMethods,
): Promise<ActionReport> {
  const focuses = methods.pattern?.kind === 'focus' && { focuses: true };
  if (request !== 'input' && methods.pattern) {
    const answer = await actor.pattern(target, methods.pattern);
    if (answer) return { method: 'pattern', by: answer.by, ...focuses };
  }
  if (request === 'pattern' || !methods.input) throw unsupportedError(target, request, actor.declined);
  await methods.input();
  return { method: 'input', ...focuses };
}

function unsupportedError({ element }: Target, request: 'auto' | Method, why = 'offers no such action'): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${roleInText(element.role)} ${why}.`, {
    retry: 'no',
    hint:
      request === 'pattern' ? 'leave method out: mouse and keys may do it.' : 'Run ui_describe to see what it offers.',
  });
}
