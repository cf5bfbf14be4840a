import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debug, Deadline, DesktopError } from '../../../shared/index.js';
import type { Undo } from './undo-list.js';
import type { GuardSetup } from './release-guard-process.js';

const MAX_RESTARTS = 5;
const STABLE_MS = 30_000;
const START_MS = 10_000;
const END_MS = 3000;

/** Owns the release guard process. The process detects our death by the end of its pipe. If it dies, it is replaced. */
export class ReleaseGuard {
  private child?: ChildProcess;
  private ready: Promise<void>;
  private last: Undo = { now: '', again: '', later: '' };
  private ended = false;
  private restarts = 0;
  private startedAt = 0;

  private constructor(private readonly setup: GuardSetup) {
    this.ready = this.start();
  }

  static async start(setup: GuardSetup, deadline: Deadline): Promise<ReleaseGuard> {
    const guard = new ReleaseGuard(setup);
    try {
      await deadline.race(guard.ready, 'Starting the release guard');
      return guard;
    } catch (error) {
      guard.abandon();
      throw error;
    }
  }

  /**
   * When this resolves, the undo list is in the pipe, so the guard has it even if this process dies at once. Nothing
   * may be pressed before that.
   */
  async update(undo: Undo): Promise<void> {
    const info = undo.now === this.last.now && undo.later === this.last.later;
    this.last = undo;
    await this.ready;
    const child = this.child!;
    const pipe = child.stdin!;
    if (info && pipe.writable && pipe.writableLength === 0) return;
    if (pipe.writable) {
      pipe.write(`${JSON.stringify(undo)}\n`);
      while (pipe.writableLength > 0 && pipe.writable) await Promise.race([once(pipe, 'drain'), once(pipe, 'close')]);
    }
    if (pipe.writable) return;
    // The guard just died. Its successor receives `last` on start.
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await this.ready;
  }

  /** Ends the guard, when nothing is left to undo or when the guard should undo it. */
  async end(): Promise<void> {
    this.ended = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.ref();
    child.stdin?.end();
    // A server that hangs delays the guard. It finishes without us.
    await Deadline.in(END_MS)
      .race(gone, 'The release guard')
      .catch(() => child.unref());
  }

  abandon(): void {
    this.ended = true;
    this.child?.stdin?.destroy();
  }

  private async start(): Promise<void> {
    this.startedAt = performance.now();
    const child = spawn(process.execPath, ['--max-old-space-size=32', guardFile()], {
      // Without the variables that mark processes of a private desktop: the guard must outlive that desktop's cleanup.
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.child = child;
    child.stdin.on('error', () => undefined); // The guard died; 'exit' reports it.
    child.on('exit', () => this.exited());
    child.on('error', () => undefined); // Reported below, since no line arrives.
    child.stdin.write(`${JSON.stringify(this.setup)}\n${JSON.stringify(this.last)}\n`);
    child.unref();
    for (const pipe of [child.stdin, child.stdout]) (pipe as { unref?: () => void }).unref?.();
    await this.readyLine(child);
  }

  private async readyLine(child: ChildProcess): Promise<void> {
    const line = once(child.stdout!, 'data').then(() => true);
    const gone = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => false);
    line.catch(() => undefined); // The other promise reports the failure.
    gone.catch(() => undefined);
    const isReady = await Deadline.in(START_MS).race(Promise.race([line, gone]), 'The release guard');
    if (isReady) return;
    throw guardUnavailable();
  }

  private exited(): void {
    if (this.ended) return;
    debug('input', () => 'the release guard exited');
    // A guard that ran for a while and was then killed does not count as one that cannot run.
    if (performance.now() - this.startedAt > STABLE_MS) this.restarts = 0;
    this.ready = this.restarts++ < MAX_RESTARTS ? this.start() : Promise.reject(guardUnavailable());
    // `update` reports it.
    this.ready.catch((error: unknown) => debug('input', () => `no release guard: ${String(error)}`));
  }
}

function guardUnavailable(): DesktopError {
  return new DesktopError('driver_unavailable', 'The process that releases keys after a crash does not stay alive.', {
    hint: 'Run: deskproof doctor',
  });
}

/** Plain node runs the guard, so this must be the compiled file, even if a test runs this module from source. */
function guardFile(): string {
  const beside = fileURLToPath(new URL('./release-guard-process.js', import.meta.url));
  if (existsSync(beside)) return beside;
  const built = beside.replace(`${sep}src${sep}drivers${sep}`, `${sep}dist${sep}drivers${sep}`);
  if (existsSync(built)) return built;
  throw new DesktopError('driver_unavailable', 'Deskproof is not built.', { hint: 'Run: npm run build' });
}
