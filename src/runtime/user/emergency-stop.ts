import type { Finding } from '../../drivers/contract/index.js';
import { localiseHint, DesktopError } from '../../shared/index.js';
import type { Desktop } from '../desktop/desktop.js';

export interface Stopped {
  /** Who wished it and how, as a sentence goes on: `the person pressed Escape twice`. */
  reason: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Where a stop is remembered beyond this process. Without one it ends with the process. */
export interface StopKeeper {
  load(): Stopped | undefined;
  save(stopped: Stopped | undefined): void;
}

/** These may be asked at any time: they say why nothing else works. */
const ALWAYS: ReadonlySet<string> = new Set(['ui_capabilities']);
const HINT = 'stop here and tell the person. Only they end it: deskproof resume, in a terminal.';

/** Closed, it lets nothing pass and has ended all that was under way; only `open` changes that. */
export class EmergencyStop {
  private closed?: Stopped;
  private readonly running = new Set<AbortController>();

  constructor(private readonly keeper?: StopKeeper) {
    const kept = keeper?.load();
    if (kept) this.closed = kept;
  }

  get stopped(): Stopped | undefined {
    return this.closed;
  }

  /** False when it was closed already. */
  engage(reason: string): boolean {
    if (this.closed) return false;
    this.closed = { reason, at: Date.now() };
    // What runs ends first: a disk may be slow.
    for (const call of [...this.running]) call.abort();
    this.keeper?.save(this.closed);
    return true;
  }

  /** False when it was open already. */
  release(): boolean {
    if (!this.closed) return false;
    this.keeper?.save(undefined);
    this.closed = undefined;
    return true;
  }

  /** Why nothing of this tool is done now. */
  refusalOf(tool: string): DesktopError | undefined {
    return this.closed && !ALWAYS.has(tool) ? refused(tool, this.closed) : undefined;
  }

  /** Runs `work` unless stopped; its signal aborts with the caller's, and when the latch closes. */
  async guard<T>(tool: string, caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (ALWAYS.has(tool)) return work(caller ?? new AbortController().signal);
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
      throw this.closed && !caller?.aborted ? ended(tool, this.closed, error) : error;
    } finally {
      this.running.delete(call);
      caller?.removeEventListener('abort', abort);
    }
  }
}

function refused(tool: string, { reason, at }: Stopped): DesktopError {
  const when = new Date(at).toTimeString().slice(0, 8);
  return new DesktopError(
    'policy_denied',
    `${tool} is refused: everything was stopped at ${when}, because ${reason}.`,
    {
      retry: 'after',
      retryAfter: 'the person resumes it',
      hint: HINT,
      details: { rule: 'stop', stopped: { reason, at } },
    },
  );
}

/** What was under way says how far it came. */
function ended(tool: string, { reason, at }: Stopped, error: unknown): unknown {
  if (!(error instanceof DesktopError) || error.code !== 'cancelled') return error;
  const { delivered, details } = error;
  const characters =
    typeof details?.typed === 'number'
      ? ` after ${details.typed} ${details.typed === 1 ? 'character' : 'characters'}`
      : '';
  const part = { no: '', yes: '; part of it was done', unknown: '; it may have been done' }[delivered];
  const rest = details?.done === true ? '; it was done, but what came of it was not seen' : part;
  return new DesktopError('cancelled', `${tool} was stopped${characters}, because ${reason}${rest}.`, {
    delivered,
    retry: 'no',
    hint: HINT,
    details: { ...details, stopped: { reason, at } },
    cause: error,
  });
}

/** What `ui_capabilities` says of the person at the seat: that they stopped everything, or that nobody notices them. */
export function userInputFindings({
  emergencyStop,
  user: person,
  kind,
}: Pick<Desktop, 'emergencyStop' | 'user' | 'kind'>): Finding[] {
  const findings: Finding[] = [];
  const { stopped } = emergencyStop;
  if (stopped)
    findings.push({
      level: 'off',
      what: `stopped, because ${stopped.reason}`,
      fix: 'the person ends it: deskproof resume, in a terminal',
    });
  if (person.unwatched !== undefined) {
    const why = person.unwatched.replace(/[.\s]+$/, '');
    const then = kind === 'seat' ? 'mouse and keys are not used' : 'acts go on without it';
    findings.push({ level: 'warn', what: `a person at mouse or keyboard is not noticed (${why}): ${then}` });
  }
  return findings;
}

/** Its fix as one would type it for this desktop. */
export function fixFor(desktop: string, finding: Finding): Finding {
  return finding.fix === undefined ? finding : { ...finding, fix: localiseHint(desktop, finding.fix) };
}
