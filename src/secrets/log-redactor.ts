import type { Masks } from './masks/masks.js';
import { Taint, type Where } from './taint.js';
import { markOf } from './text/redact-values.js';

/** Where a text stands that is about to be written; the ledger tells more than is needed here. */
export interface LogPlace {
  path: readonly string[];
  window?: string;
}

/** What stands in a log for a text whose caller wanted it so. */
export const UNLOGGED = 'redactInLogs';

/** The last door before the ledger: secrets, then what callers keep out of logs, then masks. */
export class LogRedactor {
  private readonly unlogged = new Taint();

  constructor(
    private readonly taint: Taint,
    private readonly masks: Masks,
  ) {}

  /** Text of a call with `redactInLogs`: apps show it again, and then it has to stay out of the log too. */
  withhold(text: string, { window = '' }: Where = {}): void {
    this.unlogged.typed({ name: UNLOGGED, value: text, window, field: UNLOGGED });
  }

  text(text: string, { path, window }: LogPlace): string {
    const hidden = [this.taint, this.unlogged].reduce(
      (now, taint) => (path[0] === 'args' ? taint.redactArgument(now, { window }) : taint.redactText(now, { window })),
      text,
    );
    return this.masks.redact(hidden);
  }

  end(): void {
    this.unlogged.end();
  }
}

const TYPED_ARGUMENTS = new Set(['text', 'value']);

/** The arguments as they may be written, of one call or of the steps in it: what `redactInLogs` stands beside is gone. */
export function argumentsForLog<T>(args: T): T {
  if (Array.isArray(args)) return args.map(argumentsForLog) as T;
  if (typeof args !== 'object' || args === null) return args;
  const unlogged = 'redactInLogs' in args && args.redactInLogs === true;
  const kept = Object.entries(args).map(([key, value]: [string, unknown]) => {
    const gone = unlogged && TYPED_ARGUMENTS.has(key) && value !== undefined;
    return [key, gone ? markOf(UNLOGGED) : argumentsForLog(value)];
  });
  return Object.fromEntries(kept) as T;
}

/** The texts that such arguments hold, for `withhold`. */
export function unloggedTexts(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return [];
  const unlogged = 'redactInLogs' in args && args.redactInLogs === true;
  return Object.entries(args).flatMap(([key, value]: [string, unknown]) => {
    const typed = typeof value === 'string' || typeof value === 'number';
    return unlogged && typed && TYPED_ARGUMENTS.has(key) ? [String(value)] : unloggedTexts(value);
  });
}
