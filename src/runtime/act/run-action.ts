import { Deadline, hasTrait } from '../../shared/index.js';
import { parseRef } from '../../tree/index.js';
import type { Approval } from '../approval/approval-validity.js';
import { askAndGrant } from '../approval/ask-user.js';
import type { ActTool } from '../call/tool.js';
import type { Turn } from '../desktop/action-queue.js';
import { FinalActError, HeldError, PlanOutdatedError } from '../request/act-errors.js';
import type { CallContext } from '../request/call-context.js';
import { type CallRequest, sessionOf, surfaceOf } from '../request/policy-request.js';
import { withDeadline } from '../verify/action-errors.js';
import type { RenderableActResult } from './action.js';
import { type ActionSteps, Attempt, type AttemptInput, type AttemptOutcome } from './attempt.js';
import { Reader } from './reader.js';

const SETTLE_MS = 500;
const FINISH_MS = 5_000;
const MAX_EXTRA_MS = 10 * 60_000;
/** After the user has answered, the target is resolved again. */
const AFTER_ASKING_MS = 2_000;
/** By then an act that began while the user was asked has ended. */
const TURN_AFTER_ASKING_MS = 30_000;
/** A shorter wait for another act is not worth an entry in the call log. */
const QUEUED_MS = 50;

/**
 * Runs an act in the action queue: one act at a time. The limit is for the target to become actionable; an act that
 * began in time gets the time to finish and to be verified. Other callers act while this one waits for its target or
 * its post-condition. While the user thinks about an approval, other acts run only as far as they cannot answer it
 * (`approval/open-questions.ts`).
 */
export async function runAction(context: CallContext, tool: ActTool): Promise<RenderableActResult> {
  const { view, channel, limitMs } = context;
  let { request } = context;
  const eventsBefore = view.events.eventsSinceLastCall(request.caller).filter((event) => view.hears(event));
  const { settleMs = SETTLE_MS, verify } = request.args as { settleMs?: number; verify?: unknown };
  const verifyMs = verify === undefined ? 0 : limitMs;
  const firstLimit = context.deadline();
  const queued = performance.now();
  const inTurn = async (turn: Turn): Promise<RenderableActResult> => {
    const waited = Math.round(performance.now() - queued);
    if (waited >= QUEUED_MS) view.log.add('wait', `waited ${waited} ms for another act`);
    let approval: Approval | undefined;
    for (let actionableBy = firstLimit; ;) {
      const finishMs = FINISH_MS + Math.min(tool.longerMs?.(request.args) ?? 0, MAX_EXTRA_MS);
      const turnMs = actionableBy.remaining() + settleMs + finishMs;
      const finishBy = Deadline.in(turnMs, channel.signal);
      const reader = new Reader(view, finishBy, request.caller, channel.onProgress);
      const outcome = await attemptUntilDone(context, tool, {
        ...{ request, reader, actionableBy, deadline: finishBy, settleMs, verifyMs },
        release: () => turn.release(),
        yieldDuring: (wait, by) => turn.yieldDuring(wait, by),
        ...(approval && { approval }),
        ...(context.failsFast && { failsFast: true as const }),
        ...(context.onVerified && { onVerified: context.onVerified }),
      });
      if ('result' in outcome) return outcome.result;
      const session = sessionOf(request.caller);
      const asksAlready = 'ask' in outcome && view.authorizer.questions.hasOpen(session);
      if ('held' in outcome || asksAlready) {
        view.log.add('wait', 'the user is asked about another act');
        await turn.waitForAnswers(actionableBy, 'held' in outcome ? undefined : session);
        continue;
      }
      const left = Math.max(actionableBy.remaining(), AFTER_ASKING_MS);
      // Attempts may have found out more about the request than was known at first.
      ({ request } = outcome.ask);
      view.log.add('step', `asked the user (rule ${outcome.ask.decision.rule})`);
      approval = await turn.ask(
        session,
        () => askAndGrant(view, outcome.ask, channel, approval),
        () => Deadline.in(TURN_AFTER_ASKING_MS, channel.signal),
      );
      view.readApproved();
      view.log.add('step', `the user allowed it (${approval.scope})`);
      actionableBy = Deadline.in(left, channel.signal);
    }
  };
  const result = await view.queue.run(firstLimit, inTurn, laneOf(request.caller));
  return eventsBefore.length > 0 ? { ...result, eventsBefore } : result;
}

/** A caller's acts run in the order of its calls. Commands on the command line are independent of each other. */
const laneOf = (caller: string): string | undefined => (surfaceOf(caller) === 'cli' ? undefined : sessionOf(caller));

/** Attempts an act until it is done, the user has to be asked, or it fails. */
export async function attemptUntilDone(
  context: Pick<CallContext, 'view' | 'recordsItself'>,
  tool: ActionSteps,
  firstInput: AttemptInput,
): Promise<Exclude<AttemptOutcome, { retry: CallRequest }>> {
  for (let input = firstInput; ;) {
    const outcome = await runAttempt(context, tool, input);
    if (!('retry' in outcome)) return outcome;
    context.view.log.add('retry', outcome.why);
    input = { ...input, request: outcome.retry };
  }
}

async function runAttempt(
  context: Pick<CallContext, 'view' | 'recordsItself'>,
  tool: ActionSteps,
  input: AttemptInput,
): Promise<AttemptOutcome> {
  let onRelease!: () => void;
  const released = new Promise<'released'>((resolve) => (onRelease = () => resolve('released')));
  const release = (): (() => boolean) => {
    onRelease();
    return input.release?.() ?? (() => false);
  };
  const attempt = new Attempt(context, tool, { ...input, release });
  const progress = (): Attempt['progress'] => attempt.progress;
  try {
    const work = attempt.run();
    const first = await withDeadline(Promise.race([work, released]), input.deadline, tool.name, progress);
    if (first !== 'released') return first;
    // The act is done and others may act. Its post-condition has a limit of its own.
    const verifyBy = Deadline.in(input.deadline.remaining() + input.verifyMs, input.deadline.signal);
    return await withDeadline(work, verifyBy, tool.name, progress);
  } catch (error) {
    if (error instanceof HeldError && attempt.progress.delivered === 'no') return { held: true };
    const retry =
      attempt.progress.delivered === 'no' && !input.actionableBy.over ? retryOf(error, input.request) : undefined;
    if (retry) return { retry, why: `planned again: ${(error as Error).message}` };
    throw error;
  }
}

/** The request of the next attempt; undefined if the act has to end. */
function retryOf(error: unknown, request: CallRequest): CallRequest | undefined {
  // A bare point means whatever is there in its window, once that does not change any more.
  if (error instanceof PlanOutdatedError)
    return { ...request, hitControls: [...(request.hitControls ?? []), ...error.controls] };
  if (!hasTrait(error, 'targetLost') || error.delivered !== 'no' || error instanceof FinalActError) return undefined;
  // A selector means whatever matches it: it is resolved again. A ref means one element.
  const { target, from } = request.args;
  const named = target ?? from;
  return typeof named === 'string' && parseRef(named.trim()) === undefined ? request : undefined;
}
