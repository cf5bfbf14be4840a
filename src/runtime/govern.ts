import type { Ending, Intent } from '../audit/index.js';
import type { Decision, TargetFacts } from '../policy/index.js';
import { DesktopError } from '../shared/index.js';
import type { Aim } from './act/aim.js';
import type { ActResult } from './act/result.js';
import type { Desktop } from './desktop.js';
import type { ToolClass } from './tool.js';

/** Who wants to do what. */
export interface Asked {
  tool: string;
  class: ToolClass;
  caller: string;
}

/** The one question to policy, asked of every call and again of every act when its target is known. */
export function permit(desktop: Desktop, asked: Asked, target?: TargetFacts): Decision {
  const { tool, class: kind, caller } = asked;
  const decision = desktop.policy.decide({
    ...{ tool, class: kind, caller, desktop: desktop.kind },
    ...(target && { target }),
  });
  if (decision.answer === 'allow') return decision;
  const { rule, reason, hint } = decision;
  throw new DesktopError('policy_denied', `${tool} is refused by rule ${rule}${reason ? `: ${reason}` : ''}.`, {
    retry: 'no',
    ...(hint !== undefined && { hint }),
    details: { rule },
  });
}

/** What is known of a target, for rules and for the log. */
export function factsOf({ target, window }: Aim): TargetFacts | undefined {
  const where = target?.window ?? window;
  if (!where) return undefined;
  return {
    ...(where.program !== undefined && { app: where.program }),
    appName: where.app,
    window: where.title,
    ...(target && {
      role: target.element.role,
      ...(target.element.name !== undefined && { name: target.element.name }),
      confidence: target.confidence ?? 1,
    }),
  };
}

/** Written before it is begun and after it has ended, however it ended. What cannot be written is not begun. */
export async function recorded(
  desktop: Desktop,
  intent: Intent,
  delivered: () => Ending['delivered'],
  work: () => Promise<ActResult>,
): Promise<ActResult> {
  const began = performance.now();
  const { ledger } = desktop;
  const of = await ledger.intent(intent).catch((error: unknown) => {
    throw unwritten(error, 'no');
  });
  const end = async (ending: Omit<Ending, 'durationMs'>): Promise<void> => {
    const durationMs = Math.round(performance.now() - began);
    await ledger.outcome(of, { ...ending, durationMs }).catch((error: unknown) => {
      throw unwritten(error, ending.delivered);
    });
  };
  let result: ActResult;
  try {
    result = await work();
  } catch (error) {
    const code = error instanceof DesktopError ? error.code : 'command_failed';
    await end({ status: 'failed', delivered: delivered(), error: code });
    throw error;
  }
  await end({ status: result.status, delivered: result.delivered, changed: result.changed });
  return result;
}

function unwritten(cause: unknown, delivered: Ending['delivered']): DesktopError {
  const what = delivered === 'no' ? 'so nothing was done' : 'though the act was done';
  return new DesktopError('audit_unavailable', `The log could not be written, ${what}.`, {
    delivered,
    retry: delivered === 'no' ? 'after' : 'no',
    ...(delivered === 'no' && { retryAfter: 'the log can be written again' }),
    hint: 'make room or repair the log first.',
    cause,
  });
}
