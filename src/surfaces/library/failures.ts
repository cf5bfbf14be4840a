import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { debug, DesktopError, type ErrorCode } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { FailedCall } from './link.js';

export interface FailureOptions {
  /** Of the desktop. */
  name: string;
  trace: 'off' | 'on' | 'on-failure';
  look: (window: string | undefined) => Promise<Snapshot>;
  /** Writes the page of all that was done. */
  page: (file: string) => Promise<void>;
}

/** Of the snapshot in a message. */
const SHOWN_TOKENS = 600;
/** Of the one in the file. */
const FILE_TOKENS = 50_000;
/** Programs that try again and again must not fill the disk. */
const KEPT = 20;
export const TRACES = 'deskproof-trace';

/** Nothing on the screen explains these. */
const NOT_ON_SCREEN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['bad_arguments', 'selector_syntax', 'cancelled', 'driver_unavailable'] as const),
  ...(['rate_limited', 'audit_unavailable', 'permission_missing'] as const),
]);

/** What people read when a call failed: what happened, what was called, and what was on the screen then. */
export class Failures {
  private folder: string | undefined;
  private count = 0;

  constructor(private readonly options: FailureOptions) {}

  async explain(error: DesktopError, { said, window }: FailedCall): Promise<DesktopError> {
    const { failureText } = await import('../../tools/index.js');
    const lines = [failureText(error), `call: ${said}`];
    if (!NOT_ON_SCREEN.has(error.code)) lines.push(...(await this.evidence(window)));
    const { code, hint, retry, retryAfter, delivered, details } = error;
    return new DesktopError(code, lines.join('\n'), { hint, retry, retryAfter, delivered, details, cause: error });
  }

  private async evidence(window: string | undefined): Promise<string[]> {
    this.count++;
    const [seen, page] = [await this.seen(window), await this.page()];
    return [...seen, ...page];
  }

  /** Best effort: the failure itself is what has to be told. */
  private async seen(window: string | undefined): Promise<string[]> {
    try {
      const snapshot = await this.options.look(window);
      const { renderSnapshot } = await import('../../tree/index.js');
      const file = this.write(renderSnapshot(snapshot, { maxTokens: FILE_TOKENS }).text);
      return [renderSnapshot(snapshot, { maxTokens: SHOWN_TOKENS }).text, `last snapshot: ${file}`];
    } catch (error) {
      debug('library', () => `no snapshot of a failure: ${String(error)}`);
      return [];
    }
  }

  private write(text: string): string {
    this.folder ??= mkdtempSync(join(tmpdir(), `deskproof-${this.options.name}-`));
    const place = (number: number): string => join(this.folder!, `failure-${number}.txt`);
    writeFileSync(place(this.count), text, { mode: 0o600 });
    if (this.count > KEPT) rmSync(place(this.count - KEPT), { force: true });
    return place(this.count);
  }

  private async page(): Promise<string[]> {
    const { trace, name, page } = this.options;
    if (trace === 'off') return [];
    const place = (number: number): string => resolve(TRACES, `${name}-failure-${number}.html`);
    try {
      mkdirSync(TRACES, { recursive: true, mode: 0o700 });
      await page(place(this.count));
      if (this.count > KEPT) rmSync(place(this.count - KEPT), { force: true });
      return [`trace: ${place(this.count)}`];
    } catch (error) {
      debug('library', () => `no trace of a failure: ${String(error)}`);
      return [];
    }
  }
}
