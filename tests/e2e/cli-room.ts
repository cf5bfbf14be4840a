import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const CLI = fileURLToPath(new URL('../../dist/surfaces/cli/deskproof.js', import.meta.url));

export interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** The built command line with a runtime directory of its own, so that tests never meet each other's desktops. */
export class CliRoom {
  readonly base = mkdtempSync(join(tmpdir(), 'dp-e2e-'));
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: this.base,
    LANG: 'C.UTF-8',
    DESKPROOF_RUNTIME: join(this.base, 'run'),
  };

  run(
    words: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [CLI, ...words],
        { env: { ...this.env, ...options.env }, cwd: options.cwd ?? this.base, maxBuffer: 64 * 1024 * 1024 },
        (_, out, err) => resolve({ code: child.exitCode, out, err }),
      );
      child.stdin?.end(options.input ?? '');
    });
  }

  /** One that must succeed; its output. */
  async ok(...words: string[]): Promise<string> {
    const { code, out, err } = await this.run(words);
    if (code !== 0) throw new Error(`deskproof ${words.join(' ')} ended with ${code}: ${err}${out}`);
    return out;
  }

  /** As a user types it in a terminal, where both streams are one. */
  inTerminal(...words: string[]): Promise<Pick<Outcome, 'code' | 'out'>> {
    const quoted = [process.execPath, CLI, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    return new Promise((resolve) => {
      const child = execFile(
        'script',
        ['-qec', quoted.join(' '), '/dev/null'],
        { env: { ...this.env, SHELL: '/bin/sh', TERM: 'dumb', NO_COLOR: '1' }, cwd: this.base },
        (_, out) => resolve({ code: child.exitCode, out: out.replaceAll('\r\n', '\n') }),
      );
    });
  }

  async json<T>(...words: string[]): Promise<T> {
    return JSON.parse(await this.ok('--json', ...words)) as T;
  }

  /** Left running; what it writes to stdout is collected in `said`. */
  start(...words: string[]): { child: ChildProcess; said: () => string } {
    const child = spawn(process.execPath, [CLI, ...words], {
      env: this.env,
      cwd: this.base,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return { child, said: () => said };
  }

  /** Every living process that has anything to do with this room. */
  processes(): { pid: number; command: string }[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
      .map((name) => ({
        pid: Number(name),
        command: read(`/proc/${name}/cmdline`),
        env: read(`/proc/${name}/environ`),
      }))
      .filter(({ command, env }) => command.includes(this.base) || env.includes(this.base))
      .filter(({ pid }) => !/^\d+ \(.*\) [ZX]/.test(read(`/proc/${pid}/stat`)))
      .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ') }));
  }

  /** Files of desktops that are still there. */
  files(): string[] {
    try {
      return readdirSync(join(this.base, 'run'));
    } catch {
      // Nothing was ever started: nothing is there.
      return [];
    }
  }

  async close(): Promise<void> {
    if (this.processes().length > 0) await this.run(['desktop', 'stop', '--all']);
    for (const { pid } of this.processes()) process.kill(pid, 'SIGTERM');
    // A host that ends still writes the end of its log.
    for (let tries = 0; this.processes().length > 0 && tries < 200; tries++) await pause(50);
    rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // Ended meanwhile, or another user's: not one of ours.
    return '';
  }
}
