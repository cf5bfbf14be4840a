import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debug, Deadline, DesktopError } from '../../../shared/index.js';
import type { Undo } from './undo-list.js';
import type { Greeting } from './release-guard-process.js';

const MAX_RESTARTS = 5;
const LIVES_MS = 30_000;
const START_MS = 10_000;
const END_MS = 3000;

/** Holds the pipe whose end tells the watcher that this process is gone. A watcher that dies is replaced. */
export class Watch {
  private child?: ChildProcess;
  private ready: Promise<void>;
  private last: Undo = { now: '', again: '', later: '' };
  private ended = false;
  private restarts = 0;
  private startedAt = 0;

  private constructor(private readonly greeting: Greeting) {
    this.ready = this.start();
  }

  static async begin(greeting: Greeting, deadline: Deadline): Promise<Watch> {
    const watch = new Watch(greeting);
    try {
      await deadline.race(watch.ready, "Starting the hands' watcher");
      return watch;
    } catch (error) {
      watch.abandon();
      throw error;
    }
  }

  /**
   * When this resolves, what has to be undone is known even if this process dies at once: the words are in the pipe.
   * Nothing may be pressed before.
   */
  async tell(undo: Undo): Promise<void> {
    const known = undo.now === this.last.now && undo.later === this.last.later;
    this.last = undo;
    await this.ready;
    const child = this.child!;
    const pipe = child.stdin!;
    if (known && pipe.writable && pipe.writableLength === 0) return;
    if (pipe.writable) {
      pipe.write(`${JSON.stringify(undo)}\n`);
      while (pipe.writableLength > 0 && pipe.writable) await Promise.race([once(pipe, 'drain'), once(pipe, 'close')]);
    }
    if (pipe.writable) return;
    // It died just now. Its successor is told `last` as its first words.
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await this.ready;
  }

  /** Nothing is left to undo, or the watcher is to do it: it goes. */
  async end(): Promise<void> {
    this.ended = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.ref();
    child.stdin?.end();
    // A server that stands still holds it up; it goes on by itself.
    await Deadline.in(END_MS)
      .race(gone, "The hands' watcher")
      .catch(() => child.unref());
  }

  abandon(): void {
    this.ended = true;
    this.child?.stdin?.destroy();
  }

  private async start(): Promise<void> {
    this.startedAt = performance.now();
    const child = spawn(process.execPath, ['--max-old-space-size=32', watcherFile()], {
      env: { PATH: '/usr/bin:/bin' }, // No marker of a seat: it must outlive what is ended with one.
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child = child;
    child.stdin.on('error', () => undefined); // The watcher died; 'exit' tells.
    child.on('exit', () => this.exited());
    child.on('error', () => undefined); // Told below: no line comes.
    child.stdin.write(`${JSON.stringify(this.greeting)}\n${JSON.stringify(this.last)}\n`);
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as { unref?: () => void }).unref?.();
    await this.readyLine(child);
  }

  private async readyLine(child: ChildProcess): Promise<void> {
    const line = once(child.stdout!, 'data').then(() => true);
    const gone = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => false);
    line.catch(() => undefined); // The other of the two tells.
    gone.catch(() => undefined);
    const came = await Deadline.in(START_MS).race(Promise.race([line, gone]), "The hands' watcher");
    if (came) return;
    throw noWatcher();
  }

  private exited(): void {
    if (this.ended) return;
    debug('input', () => 'the watcher is gone');
    // One that lives for a while and is ended by somebody is not one that cannot live.
    if (performance.now() - this.startedAt > LIVES_MS) this.restarts = 0;
    this.ready = this.restarts++ < MAX_RESTARTS ? this.start() : Promise.reject(noWatcher());
    this.ready.catch((error: unknown) => debug('input', () => `no watcher: ${String(error)}`)); // `tell` says so.
  }
}

function noWatcher(): DesktopError {
  return new DesktopError('driver_unavailable', 'The process that lets go of keys after a crash does not stay alive.', {
    hint: 'deskproof doctor',
  });
}

/** Plain node runs it, so it must be the compiled file, also when this one is run from its source by a test. */
function watcherFile(): string {
  const beside = fileURLToPath(new URL('./release-guard-process.js', import.meta.url));
  if (existsSync(beside)) return beside;
  const built = beside.replace(`${sep}src${sep}drivers${sep}`, `${sep}dist${sep}drivers${sep}`);
  if (existsSync(built)) return built;
  throw new DesktopError('driver_unavailable', 'Deskproof is not built.', { hint: 'Run: npm run build' });
}
