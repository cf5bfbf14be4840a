import { spawn, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { noteDiary } from '../evidence.js';
import { freeze } from './freeze.js';

export type DiaryLine = Record<string, unknown>;

/** A fixture app of scene.ts as a process: commands in, diary out. */
export class FixtureApp {
  readonly diary: DiaryLine[] = [];
  private ended = false;
  private readonly noticed = new Set<() => void>();

  private constructor(private readonly child: ChildProcess) {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      // Toolkits print warnings of their own; the diary is JSON.
      if (!line.startsWith('{')) return;
      this.diary.push(JSON.parse(line) as DiaryLine);
      this.notice();
    });
    child.once('exit', () => {
      this.ended = true;
      this.notice();
    });
  }

  /** Resolves when the app has shown its window. `file` is one of tests/fixture-apps. */
  static start(file: string, env: Readonly<Record<string, string>>, args: string[] = []): Promise<FixtureApp> {
    return FixtureApp.startPath(fileURLToPath(new URL(`../fixture-apps/${file}`, import.meta.url)), env, args);
  }

  static startPath(
    path: string,
    env: Readonly<Record<string, string>>,
    args: string[],
    program = '/usr/bin/python3',
  ): Promise<FixtureApp> {
    return FixtureApp.startProgram(program, ['-B', path, ...args], env, basename(path));
  }

  /** A fixture that is no Python script: words of a command line. */
  static async startProgram(
    program: string,
    words: readonly string[],
    env: Readonly<Record<string, string>>,
    name = basename(program),
  ): Promise<FixtureApp> {
    const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {
      // The app is gone. Pending answers are rejected by `exit`.
    });
    const app = new FixtureApp(child);
    noteDiary({ name: [name, ...words.filter((word) => word.startsWith('--'))].join(' '), lines: () => app.diary });
    await app.wait('the fixture to be ready', (line) => line.ready === true, 0);
    return app;
  }

  get pid(): number {
    return this.child.pid!;
  }

  async command(line: string): Promise<void> {
    const from = this.diary.length;
    const [word] = line.split(' ');
    this.child.stdin!.write(`${line}\n`);
    const answer = await this.wait(
      `"${word}" to be done`,
      (entry) => entry.done === word || entry.failed === word,
      from,
    );
    if (answer.failed !== undefined) throw new Error(`the fixture could not do ${word}: ${String(answer.why)}`);
  }

  /** The first line from `from` on that fits. */
  async wait(what: string, fits: (line: DiaryLine) => boolean, from: number, timeoutMs = 20_000): Promise<DiaryLine> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const found = this.diary.slice(from).find(fits);
      if (found) return found;
      if (this.ended) throw new Error(`the fixture ended while we waited for ${what}`);
      if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 250);
        const noticed = this.noticed;
        noticed.add(done);
        function done(): void {
          clearTimeout(timer);
          noticed.delete(done);
          resolve();
        }
      });
    }
  }

  /** Stopped, like by a debugger, when this resolves. */
  freeze(): Promise<void> {
    return freeze(this.pid);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(): Promise<void> {
    if (this.ended) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }

  private notice(): void {
    for (const wake of [...this.noticed]) wake();
  }
}
