import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { perform, type Performed } from '../../../src/runtime/index.js';
import { DesktopError } from '../../../src/shared/index.js';
import { failureText, TOOLS } from '../../../src/tools/index.js';
import { AppRoom } from './app-room.js';

const run = promisify(execFile);
/** Machines that run many tests at once are slow; what must hold is waited for, not timed. */
const PATIENCE_MS = 30_000;

/** Work as an agent does it: everything goes through the tools, and what came of it is asked of others. */
export class WorkRoom {
  private constructor(readonly room: AppRoom) {}

  static async open(): Promise<WorkRoom> {
    return new WorkRoom(await AppRoom.open());
  }

  get directory(): string {
    return this.room.directory;
  }

  /** Of the private desktop, where apps keep their settings. */
  get home(): string {
    return this.room.real.seat.env.HOME!;
  }

  file(name: string): string {
    return join(this.directory, name);
  }

  /** A call that must succeed. A failure is what a model would read. */
  async do(tool: string, args: Record<string, unknown> = {}): Promise<Performed> {
    try {
      return await perform(this.room.real.desktop, TOOLS, { tool, args, caller: 'test', timeoutMs: PATIENCE_MS });
    } catch (error) {
      if (error instanceof DesktopError) throw new Error(failureText(error), { cause: error });
      throw error;
    }
  }

  /** An act whose answer must say that it worked. */
  async act(tool: string, args: Record<string, unknown>): Promise<Performed> {
    // A change ends the waiting for one; on a busy machine it may take its time.
    const done = await this.do(tool, { settleMs: PATIENCE_MS, ...args });
    if (done.json.status !== 'ok') throw new Error(`${tool} ${JSON.stringify(args)}: ${done.text}`);
    return done;
  }

  /** Starts an app by the tool; its process, for those who ask it directly. */
  async launch(command: string, ...args: string[]): Promise<number> {
    const { json } = await this.act('ui_launch', { command, args });
    return Number(/, pid (\d+)/.exec(String(json.detail))![1]);
  }

  async until(condition: unknown): Promise<void> {
    await this.do('ui_wait', { until: condition, timeoutMs: PATIENCE_MS });
  }

  /** What the app exposes to a client that is independent of Deskproof. */
  async textsOf(pid: number): Promise<{ role: string; name: string; text: string }[]> {
    const script = join(import.meta.dirname, 'app-text.py');
    const { stdout } = await run('/usr/bin/python3', [script, String(pid)], { env: { ...this.room.real.seat.env } });
    const lines = stdout.split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as { role: string; name: string; text: string });
  }

  close(): Promise<void> {
    return this.room.close();
  }
}
