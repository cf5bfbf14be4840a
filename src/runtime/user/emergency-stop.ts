import type { Finding } from '../../drivers/contract/index.js';
import { debug, localiseHint, DesktopError } from '../../shared/index.js';
import type { Desktop } from '../desktop/desktop.js';

export interface Stopped {
  /** Who stopped it and how, as the end of a sentence: `the user pressed Escape twice`. */
  reason: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Stores a stop beyond this process. Without one it ends with the process. */
export interface StopKeeper {
  load(): Stopped | undefined;
  save(stopped: Stopped | undefined): void;
}

const HINT = 'Stop here and tell the user. Only the user can continue: deskproof resume, in a terminal.';

/**
 * While engaged, it refuses every call and has aborted the running ones. Only `release` ends it.
 *
 * What happens on Escape twice: the driver detects it (on Linux `drivers/linux/input/user-input.ts`) and sends a `stop`
 * event. `UserActivity` (user-activity.ts) passes it to `Desktop.stop`, which calls `stopEverything` below.
 * `deskproof stop` calls `Desktop.stop` too, and `deskproof resume` calls `Desktop.resume`.
 */
export class EmergencyStop {
  private engaged?: Stopped;
  private readonly running = new Set<AbortController>();

  constructor(private readonly keeper?: StopKeeper) {
    const kept = keeper?.load();
    if (kept) this.engaged = kept;
  }

  get stopped(): Stopped | undefined {
    return this.engaged;
  }

  /** False if it was already engaged. */
  engage(reason: string): boolean {
    if (this.engaged) return false;
    this.engaged = { reason, at: Date.now() };
    // Abort running calls first: the disk may be slow.
    for (const call of [...this.running]) call.abort();
    this.keeper?.save(this.engaged);
    return true;
  }

  /** False if it was not engaged. */
  release(): boolean {
    if (!this.engaged) return false;
    this.keeper?.save(undefined);
    this.engaged = undefined;
    return true;
  }

  /** The error for calls of this tool, if it is refused now. */
  refusalOf(tool: string): DesktopError | undefined {
    return this.engaged ? refusedError(tool, this.engaged) : undefined;
  }

  /** Runs `work` unless stopped. Its signal aborts with the caller's, and when the stop is engaged. */
  async guard<T>(tool: string, caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const refusal = this.refusalOf(tool);
    if (refusal) throw refusal;
    const call = new AbortController();
    const abort = (): void => call.abort();
    if (caller?.aborted) call.abort();
    caller?.addEventListener('abort', abort, { once: true });
    this.running.add(call);
    try {
      return await work(call.signal);
    } catch (error) {
      throw this.engaged && !caller?.aborted ? stoppedError(tool, this.engaged, error) : error;
    } finally {
      this.running.delete(call);
      caller?.removeEventListener('abort', abort);
    }
  }
}

type StoppedDesktop = Pick<Desktop, 'emergencyStop' | 'events' | 'authorizer' | 'driver'>;

/** Writes to the audit log of the desktop. Does not throw: the stop has happened, whether or not it can be logged. */
type WriteNote = (note: Parameters<Desktop['authorizer']['ledger']['note']>[0]) => Promise<void>;

/**
 * Aborts all calls, reports the event, ends all grants and pending approvals, releases keys and buttons, and logs it.
 * Returns false if the desktop was already stopped.
 */
export async function stopEverything(desktop: StoppedDesktop, reason: string, write: WriteNote): Promise<boolean> {
  let engaged = true;
  try {
    engaged = desktop.emergencyStop.engage(reason);
  } finally {
    // The stop holds in this process even if it cannot be saved for the next one.
    if (engaged) await finishStop(desktop, reason, write);
  }
  return engaged;
}

async function finishStop({ events, authorizer, driver }: StoppedDesktop, reason: string, write: WriteNote) {
  events.addUserEvent('stop', reason);
  authorizer.forget('everything was stopped');
  try {
    await driver.input?.release();
  } catch (error) {
    // Running acts release their keys themselves. If the X server is gone, no key is held.
    debug('runtime', () => `stop: ${error instanceof Error ? error.message : String(error)}`);
  }
  await write({ kind: 'stop', by: 'user', reason });
}

/** Ends a stop. Grants and approvals do not come back. Returns false if the desktop was not stopped. */
export function resumeAfterStop({ emergencyStop, events }: StoppedDesktop, write: WriteNote): boolean {
  if (!emergencyStop.release()) return false;
  events.addUserEvent('continue');
  void write({ kind: 'resume', by: 'user', reason: 'what was stopped may go on' });
  return true;
}

function refusedError(tool: string, { reason, at }: Stopped): DesktopError {
  const when = new Date(at).toTimeString().slice(0, 8);
  return new DesktopError(
    'policy_denied',
    `${tool} is refused: everything was stopped at ${when}, because ${reason}.`,
    {
      retry: 'after',
      retryAfter: 'the user resumes it',
      hint: HINT,
      details: { rule: 'stop', stopped: { reason, at } },
    },
  );
}

/** Adds how far the call had come. */
function stoppedError(tool: string, { reason, at }: Stopped, error: unknown): unknown {
  if (!(error instanceof DesktopError) || error.code !== 'cancelled') return error;
  const { delivered, details } = error;
  const characters =
    typeof details?.typed === 'number'
      ? ` after ${details.typed} ${details.typed === 1 ? 'character' : 'characters'}`
      : '';
  const partText = { no: '', yes: '; part of it was done', unknown: '; it may have been done' }[delivered];
  const rest = details?.done === true ? '; it was done, but its result was not observed' : partText;
  return new DesktopError('cancelled', `${tool} was stopped${characters}, because ${reason}${rest}.`, {
    delivered,
    retry: 'no',
    hint: HINT,
    details: { ...details, stopped: { reason, at } },
    cause: error,
  });
}

/** Findings for `ui_capabilities`: the user stopped everything, or user input cannot be detected. */
export function userInputFindings({
  emergencyStop,
  user,
  kind,
}: Pick<Desktop, 'emergencyStop' | 'user' | 'kind'>): Finding[] {
  const findings: Finding[] = [];
  const { stopped } = emergencyStop;
  if (stopped)
    findings.push({
      level: 'off',
      what: `stopped, because ${stopped.reason}`,
      fix: 'the user continues it: deskproof resume, in a terminal',
    });
  if (user.undetectedReason !== undefined) {
    const why = user.undetectedReason.replace(/[.\s]+$/, '');
    const consequence = kind === 'seat' ? 'mouse and keyboard are not used' : 'acts do not wait for the user';
    findings.push({ level: 'warn', what: `user input is not detected (${why}): ${consequence}` });
  }
  return findings;
}

/** The finding with its fix as it must be typed for this desktop. */
export function fixFor(desktop: string, finding: Finding): Finding {
  return finding.fix === undefined ? finding : { ...finding, fix: localiseHint(desktop, finding.fix) };
}
