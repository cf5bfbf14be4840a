import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { debug, DesktopError, hasTrait } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import type { FailedCall } from './link.js';

interface FailureOptions {
  /** Name of the desktop. */
  name: string;
  trace: 'off' | 'on' | 'on-failure';
  takeSnapshot: (window: string | undefined) => Promise<Snapshot>;
  /** Writes an HTML page of all calls. */
  writePage: (file: string) => Promise<void>;
}

/** Length of the snapshot in the message. */
const MESSAGE_TOKENS = 600;
/** Length of the snapshot in the file. */
const FILE_TOKENS = 50_000;
/** Only this number of files is kept, so that a program that retries forever does not fill the disk. */
const MAX_FILES = 20;
export const TRACE_DIRECTORY = 'deskproof-trace';

/** Adds to an error what a developer needs: the failed call, and a snapshot of the screen at that time. */
export class FailureReporter {
  private folder: string | undefined;
  private count = 0;

  constructor(private readonly options: FailureOptions) {}

  async explain(error: DesktopError, { expression, window }: FailedCall): Promise<DesktopError> {
    const { failureText } = await import('../../tools/index.js');
    const lines = [failureText(error), `call: ${expression}`];
    if (!hasTrait(error, 'offScreen')) lines.push(...(await this.evidence(window)));
    const { code, hint, retry, retryAfter, delivered, details } = error;
    return new DesktopError(code, lines.join('\n'), { hint, retry, retryAfter, delivered, details, cause: error });
  }

  private async evidence(window: string | undefined): Promise<string[]> {
    this.count++;
    const [snapshot, trace] = [await this.snapshotLines(window), await this.traceLines()];
    return [...snapshot, ...trace];
  }

  /** Best effort: a failed snapshot must not replace the original error. */
  private async snapshotLines(window: string | undefined): Promise<string[]> {
    try {
      const snapshot = await this.options.takeSnapshot(window);
      const { renderSnapshot } = await import('../../tree/index.js');
      const file = this.writeSnapshot(renderSnapshot(snapshot, { maxTokens: FILE_TOKENS }).text);
      return [renderSnapshot(snapshot, { maxTokens: MESSAGE_TOKENS }).text, `last snapshot: ${file}`];
    } catch (error) {
      debug('library', () => `cannot take a snapshot after a failure: ${String(error)}`);
      return [];
    }
  }

  private writeSnapshot(text: string): string {
    this.folder ??= mkdtempSync(join(tmpdir(), `deskproof-${this.options.name}-`));
    const fileFor = (number: number): string => join(this.folder!, `failure-${number}.txt`);
    writeFileSync(fileFor(this.count), text, { mode: 0o600 });
    if (this.count > MAX_FILES) rmSync(fileFor(this.count - MAX_FILES), { force: true });
    return fileFor(this.count);
  }

  private async traceLines(): Promise<string[]> {
    const { trace, name, writePage: page } = this.options;
    if (trace === 'off') return [];
    const fileFor = (number: number): string => resolve(TRACE_DIRECTORY, `${name}-failure-${number}.html`);
    try {
      mkdirSync(TRACE_DIRECTORY, { recursive: true, mode: 0o700 });
      await page(fileFor(this.count));
      if (this.count > MAX_FILES) rmSync(fileFor(this.count - MAX_FILES), { force: true });
      return [`trace: ${fileFor(this.count)}`];
    } catch (error) {
      debug('library', () => `cannot write a trace after a failure: ${String(error)}`);
      return [];
    }
  }
}
