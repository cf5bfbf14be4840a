import { Deadline, DesktopError } from '../../shared/index.js';
import type { Point } from '../../tree/index.js';
import type { CallOptions } from './call.js';

/**
 * Where an act can pause, so that the runtime re-checks the target before the act continues:
 *
 * - `ready`: everything is prepared and nothing was sent. A double or triple click pauses here again before each further
 *   press, once the app has processed the press before it.
 * - `pressed`: the mouse button is down and the app has processed that.
 * - `drop`: the pointer is at the end of a drag, before the button is released.
 * - `chunk`: before each chunk of keys or characters, the first one included.
 *
 * An act pauses only at the checkpoints that its request lists.
 */
export type CheckpointName = 'ready' | 'pressed' | 'drop' | 'chunk';

/** An act that waits for a decision. */
export interface Checkpoint {
  /** Names the waiting act. Valid for one `resume`. */
  token: string;
  at: CheckpointName;
  /** How many presses of this click, or characters of this text, were sent before. Absent before the first. */
  sent?: number;
  /** At `chunk`: no other window has received the keyboard, and none has appeared, since the last checkpoint. */
  sameWindow?: true;
  /** After `releaseAt`: where the pointer is now. The edge of the screen may have stopped it earlier. */
  pointer?: Point;
}

/** What an act returns: its result, or a checkpoint at which it waits for `resume`. */
export type ActStep<Result> = { done: Result } | { checkpoint: Checkpoint };

/**
 * - `proceed`: continue.
 * - `stop`: end the act here. Everything is released, and the act fails with `cancelled`. The error's `delivered` and
 *   `details` (`typed`, `pressed`, `clicks`) say how far it came.
 * - `releaseAt`: only at `pressed`. The click is cancelled as a user cancels it: the pointer moves there with the button
 *   down, and the act pauses at `pressed` again, with the actual position as `pointer`. The decision `proceed` then
 *   releases the button there. After `MAX_MOVES_AWAY` moves the button is released without another checkpoint. The
 *   click fails with `not_ready` and `delivered: 'unknown'`, because some apps act on the press.
 */
export type CheckpointDecision = 'proceed' | 'stop' | { releaseAt: Point };

/** In a request: the checkpoints that the caller wants. */
export interface Checkpointed<Name extends CheckpointName> {
  checkpoints?: readonly Name[];
}

/** How many times the pointer moves with the button down before the button is released in any case. */
export const MAX_MOVES_AWAY = 5;

/** Outcomes of abandoned acts that are kept for a late `resume`. */
const KEPT_OUTCOMES = 16;

/** The checkpoints of one act, for the code that performs it. */
export interface CheckpointGate {
  /** Whether the act pauses there. Ask before preparing a pause that costs time. */
  wants(at: CheckpointName): boolean;
  /**
   * Resolves if the act may continue; throws if it has to end. Resolves at once if the checkpoint is not wanted. `state`:
   * what the driver knows about the act so far.
   */
  pass(at: CheckpointName, state?: Pick<Checkpoint, 'sent' | 'sameWindow'>): Promise<void>;
  /** With the button down: where to release it instead; undefined if the click may continue. */
  pressed(pointer?: Point): Promise<Point | undefined>;
}

/** For acts without checkpoints. */
export const OPEN_GATE: CheckpointGate = {
  wants: () => false,
  pass: async () => undefined,
  pressed: async () => undefined,
};

/** A running act: its next step, and the decision that it waits for. */
interface RunningAct {
  /** Resolves with the next checkpoint or the result. */
  step: PromiseWithResolvers<ActStep<unknown>>;
  decision?: PromiseWithResolvers<CheckpointDecision>;
  /** Ends the act. */
  ending: AbortController;
}

/**
 * Runs the acts of a driver and turns their pauses into checkpoints and tokens. A checkpoint that is abandoned (the
 * deadline is over, the call was cancelled, the driver closed) ends its act: `pass` and `pressed` throw, so that the
 * act releases everything and sends nothing more.
 */
export class ActCheckpoints {
  private readonly waiting = new Map<string, RunningAct>();
  private readonly running = new Set<RunningAct>();
  private tokens = 0;
  private closed = false;

  /** `what` names the act in the error of an abandoned checkpoint: "The click". `work` must obey its deadline. */
  async run<T>(
    { checkpoints = [], deadline }: Checkpointed<CheckpointName> & CallOptions,
    what: string,
    work: (gate: CheckpointGate, deadline: Deadline) => Promise<T>,
  ): Promise<ActStep<T>> {
    if (checkpoints.length === 0) return { done: await work(OPEN_GATE, deadline) };
    if (this.closed) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    const act: RunningAct = { step: deferred(), ending: new AbortController() };
    const { signal } = act.ending;
    const end = Deadline.in(
      deadline.remaining(),
      deadline.signal ? AbortSignal.any([deadline.signal, signal]) : signal,
    );
    this.running.add(act);
    // `work` may reach its first checkpoint before it returns a promise.
    const first = act.step.promise;
    work(this.gateOf(act, checkpoints, end, what), end)
      .finally(() => this.running.delete(act))
      .then(
        (done) => act.step.resolve({ done }),
        (error: unknown) => act.step.reject(error),
      );
    return first as Promise<ActStep<T>>;
  }

  /** The next step of the act that waits with this token. Its end, also if the checkpoint was abandoned meanwhile. */
  async resume(token: string, decision: CheckpointDecision, { deadline }: CallOptions): Promise<ActStep<unknown>> {
    const act = this.waiting.get(token);
    if (!act) throw unknownToken();
    this.waiting.delete(token);
    // The act has its own deadline. A call that resumes it can be cancelled too, and then the act ends as well.
    const abort = (): void => act.ending.abort();
    if (deadline.signal?.aborted) abort();
    deadline.signal?.addEventListener('abort', abort, { once: true });
    act.decision?.resolve(decision);
    try {
      return await act.step.promise;
    } finally {
      deadline.signal?.removeEventListener('abort', abort);
    }
  }

  /** Ends every act that is running or waiting. */
  abandon(): void {
    for (const act of this.running) act.ending.abort();
  }

  /** Also refuses later acts. */
  close(): void {
    this.closed = true;
    this.abandon();
  }

  private gateOf(act: RunningAct, wanted: readonly CheckpointName[], deadline: Deadline, what: string): CheckpointGate {
    const wants = (at: CheckpointName): boolean => wanted.includes(at);
    const pause = (checkpoint: Omit<Checkpoint, 'token'>): Promise<CheckpointDecision> => {
      deadline.throwIfOver(what);
      return deadline.race(this.pause(act, checkpoint), what);
    };
    return {
      wants,
      pass: async (at, { sent = 0, sameWindow } = {}) => {
        const state = { ...(sent > 0 && { sent }), ...(sameWindow && { sameWindow }) };
        if (wants(at) && (await pause({ at, ...state })) !== 'proceed') throw stoppedError();
      },
      pressed: async (pointer) => {
        if (!wants('pressed')) return undefined;
        const decision = await pause({ at: 'pressed', ...(pointer && { pointer }) });
        if (typeof decision === 'object') return decision.releaseAt;
        if (decision !== 'proceed') throw stoppedError();
        return undefined;
      },
    };
  }

  private pause(act: RunningAct, checkpoint: Omit<Checkpoint, 'token'>): Promise<CheckpointDecision> {
    const token = `act-${++this.tokens}`;
    const { resolve } = act.step;
    act.step = deferred();
    // If the checkpoint is abandoned, the outcome of the act waits here for a late `resume`, which may never come.
    act.step.promise.catch(() => undefined);
    act.decision = deferred();
    for (const [old, other] of this.waiting)
      if (this.waiting.size >= KEPT_OUTCOMES && !this.running.has(other)) this.waiting.delete(old);
    this.waiting.set(token, act);
    resolve({ checkpoint: { token, ...checkpoint } });
    return act.decision.promise;
  }
}

function stoppedError(): DesktopError {
  return new DesktopError('cancelled', 'The act was stopped at a checkpoint.');
}

function unknownToken(): DesktopError {
  return new DesktopError('cancelled', 'No act waits with this token.', {
    delivered: 'unknown',
    retry: 'no',
    hint: 'Take a new snapshot to see what the act did.',
  });
}

interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** `Promise.withResolvers` needs Node 22. */
function deferred<T>(): PromiseWithResolvers<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((onDone, onError) => ([resolve, reject] = [onDone, onError]));
  return { promise, resolve, reject };
}
