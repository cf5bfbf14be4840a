import { Deadline, hasTrait } from '../../shared/index.js';
import { parseRef } from '../../tree/index.js';
import type { Approval } from '../approval/approval-validity.js';
import { askAndGrant, type ApprovalCase } from '../approval/ask-user.js';
import type { ActTool } from '../call/tool.js';
import { FinalActError, PlanOutdatedError } from '../request/act-errors.js';
import type { CallContext } from '../request/call-context.js';
import type { CallRequest } from '../request/policy-request.js';
import { withDeadline } from '../verify/action-errors.js';
import type { RenderableActResult } from './action.js';
import { type ActionSteps, Attempt, type AttemptInput, type AttemptOutcome } from './attempt.js';
import { Reader } from './reader.js';

const SETTLE_MS = 500;
const FINISH_MS = 5_000;
const LONGEST_MS = 10 * 60_000;
/** After the user has answered, the target is resolved again. */
const AFTER_ASKING_MS = 2_000;
/** A shorter wait for another act is not worth an entry in the call log. */
const QUEUED_MS = 50;

/**
 * Runs an act in the action queue: one act at a time. The limit is for the target to become actionable; an act that
 * began in time gets the time to finish and to be verified. While the user thinks about an approval, no other act runs.
 */
export async function runAction(context: CallContext, tool: ActTool): Promise<RenderableActResult> {
  const { view, channel, limitMs } = context;
  let { request } = context;
  const eventsBefore = view.events.eventsSinceLastCall(request.caller).filter((event) => view.hears(event));
  const { settleMs = SETTLE_MS, verify } = request.args as { settleMs?: number; verify?: unknown };
  const verifyMs = verify === undefined ? 0 : limitMs;
  const first = context.deadline();
  const queued = performance.now();
  const result = await view.queue.run(first, async () => {
    const waited = Math.round(performance.now() - queued);
    if (waited >= QUEUED_MS) view.log.add('wait', `waited ${waited} ms for another act`);
    let approval: Approval | undefined;
    for (let ready = first; ;) {
      const finishMs = FINISH_MS + Math.min(tool.longerMs?.(request.args) ?? 0, LONGEST_MS);
      const deadline = Deadline.in(ready.remaining() + settleMs + verifyMs + finishMs, channel.signal);
      const reader = new Reader(view, deadline, request.caller, channel.onProgress);
      const outcome = await performAct(context, tool, {
        ...{ request, reader, ready, deadline, settleMs, verifyMs },
        ...(approval && { approval }),
        ...(context.onVerified && { onProved: context.onVerified }),
      });
      if ('result' in outcome) return outcome.result;
      const left = Math.max(ready.remaining(), AFTER_ASKING_MS);
      // Attempts may have found out more about the request than was known at first.
      ({ asked: request } = outcome.ask);
      view.log.add('step', `asked the user (rule ${outcome.ask.decided.rule})`);
      approval = await askAndGrant(view, outcome.ask, channel, approval);
      delete view.pendingReadApproval;
      view.log.add('step', `the user allowed it (${approval.scope})`);
      ready = Deadline.in(left, channel.signal);
    }
  });
  return eventsBefore.length > 0 ? { ...result, eventsBefore } : result;
}

/** Attempts an act until it is done, the user has to be asked, or it fails. */
export async function performAct(
  context: Pick<CallContext, 'view' | 'intentWritten'>,
  tool: ActionSteps,
  first: AttemptInput,
): Promise<{ result: RenderableActResult } | { ask: ApprovalCase }> {
  for (let input = first; ;) {
    const outcome = await attempt(context, tool, input);
    if (!('retry' in outcome)) return outcome;
    context.view.log.add('retry', outcome.why);
    input = { ...input, request: outcome.retry };
  }
}

async function attempt(
  context: Pick<CallContext, 'view' | 'intentWritten'>,
  tool: ActionSteps,
  input: AttemptInput,
): Promise<AttemptOutcome> {
  const one = new Attempt(context, tool, input);
  try {
    return await withDeadline(one.run(), input.deadline, tool.name, () => one.progress);
  } catch (error) {
    const retry = one.progress.delivered === 'no' && !input.ready.over ? retryOf(error, input.request) : undefined;
    if (retry) return { retry, why: `planned again: ${(error as Error).message}` };
    throw error;
  }
}

/** The request of the next attempt; undefined if the act has to end. */
function retryOf(error: unknown, request: CallRequest): CallRequest | undefined {
  // A bare point means whatever is there in its window, once that does not change any more.
  if (error instanceof PlanOutdatedError) return { ...request, meets: [...(request.meets ?? []), ...error.controls] };
  if (!hasTrait(error, 'targetLost') || error.delivered !== 'no' || error instanceof FinalActError) return undefined;
  // A selector means whatever matches it: it is resolved again. A ref means one element.
  const { target, from } = request.args;
  const named = target ?? from;
  return typeof named === 'string' && parseRef(named.trim()) === undefined ? request : undefined;
}
