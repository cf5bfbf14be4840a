import type {
  ActStep,
  CallOptions,
  Checkpoint,
  CheckpointDecision,
  CheckpointName,
  Driver,
} from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Point } from '../../tree/index.js';

/** The checks of one act, by checkpoint. A check that throws ends the act, and its error is the error of the act. */
export interface ActChecks {
  /** Everything is prepared. `sent`: how many presses of a double or triple click were sent before; else 0. */
  ready?: (sent: number) => Promise<void>;
  /** The button is down. Returns where to release it instead; undefined if the click may continue. */
  pressed?: (pointer?: Point) => Promise<Point | undefined>;
  /** Before the button is released at the end of a drag. */
  drop?: () => Promise<void>;
  /** Before each chunk of keys or characters. `sent`: the characters of the text before it. */
  chunk?: (sent: number, sameWindow: boolean) => Promise<void>;
}

/** The names of the checkpoints that these checks need. */
export function checkpointsOf<Name extends CheckpointName>(checks: Pick<ActChecks, Name>): Name[] {
  return (Object.keys(checks) as Name[]).filter((name) => checks[name] !== undefined);
}

/**
 * Runs an act of a driver and its checks: at each checkpoint the act waits until its check has decided. If a check
 * throws, the driver ends the act and sends nothing more.
 *
 * `early`: the check for `ready` starts together with the act, because it often takes longer than the driver's
 * preparation. It must be the last thing before the act, so it runs again if it ended before the driver was ready.
 */
export async function runChecked<T>(
  driver: Pick<Driver, 'resume'>,
  checks: ActChecks,
  call: CallOptions,
  begin: () => Promise<ActStep<T>>,
  { early = false } = {},
): Promise<T> {
  const ready = early && checks.ready ? startEarly(checks.ready) : checks.ready;
  const all = { ...checks, ...(ready && { ready }) };
  let step = await begin();
  while ('checkpoint' in step) {
    const { token } = step.checkpoint;
    let failure: { error: unknown } | undefined;
    const check = decide(all, step.checkpoint).catch((error: unknown) => {
      failure = { error };
      throw error;
    });
    let decision: CheckpointDecision;
    try {
      decision = await call.deadline.race(check, 'The act');
    } catch (error) {
      const end = await driver.resume!(token, 'stop', call).catch((ended: unknown) => ended);
      // If the deadline ended the check, it ended the act too, and the driver's error is more exact.
      if (!failure) throw end instanceof DesktopError ? end : error;
      throw end instanceof DesktopError ? withDelivery(error, end) : error;
    }
    step = (await driver.resume!(token, decision, call)) as ActStep<T>;
  }
  return step.done;
}

async function decide(checks: ActChecks, { at, pointer, ...state }: Checkpoint): Promise<CheckpointDecision> {
  if (at !== 'pressed') {
    const { sent = 0, sameWindow = false } = state;
    await (at === 'drop' ? checks.drop?.() : checks[at]?.(sent, sameWindow));
    return 'proceed';
  }
  const releaseAt = await checks.pressed?.(pointer);
  return releaseAt ? { releaseAt } : 'proceed';
}

function startEarly(check: (sent: number) => Promise<void>): (sent: number) => Promise<void> {
  let isOver = false;
  const first = check(0).finally(() => (isOver = true));
  first.catch(() => undefined); // An act that pauses at no checkpoint, because it has nothing to send, awaits no check.
  return async (sent) => {
    const endedEarly = isOver;
    await first;
    if (endedEarly) await check(sent);
  };
}

/** The error of a check, with what the act had delivered until then. */
function withDelivery(error: unknown, { delivered, details }: DesktopError): unknown {
  if (!(error instanceof DesktopError)) return error;
  if (delivered === 'no' && Object.keys(details ?? {}).length === 0) return error;
  const { code, message, hint, retry, retryAfter } = error;
  return new DesktopError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(delivered === 'no' && { retry, ...(retryAfter !== undefined && { retryAfter }) }),
    delivered,
    details: { ...error.details, ...details },
    cause: error,
  });
}
