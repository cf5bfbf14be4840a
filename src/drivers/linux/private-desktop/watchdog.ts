import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debug, DesktopError } from '../../../shared/index.js';
import { identify, type ProcessId } from '../processes.js';

const MAX_RESTARTS = 5;
/** This line makes the watchdog exit without a cleanup. */
export const RELEASED = 'released';

/**
 * Starts the watchdog process and holds the pipe whose end shows it that this process is gone. Restarts a watchdog that
 * dies.
 */
export class Watchdog {
  private child?: ChildProcess;
  private released = false;
  private restarts = 0;

  constructor(
    private readonly runtimeDir: string,
    private readonly onStarted: (watchdog: ProcessId) => void,
  ) {}

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--max-old-space-size=64', watchdogFile(), this.runtimeDir], {
      // It carries no marker of this or an outer desktop, so that it does not end itself in the cleanup.
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.child = child;
    child.stdin?.on('error', () => undefined); // The watchdog died; 'exit' reports that.
    child.on('exit', () => this.restartIfNeeded());
    await once(child, 'spawn').catch((error: unknown) => {
      throw new DesktopError('driver_unavailable', 'The watchdog of the private desktop could not be started.', {
        cause: error,
      });
    });
    child.unref();
    (child.stdin as { unref?: () => void } | null)?.unref?.();
    const id = identify(child.pid ?? 0);
    if (id) this.onStarted(id);
  }

  /** Sends the record that the watchdog cleans up by if this process dies. */
  sendRecord(record: string): void {
    if (this.child?.stdin?.writable) this.child.stdin.write(`${record}\n`);
  }

  /** Ends the watchdog without a cleanup, because everything is already cleaned up. */
  async release(): Promise<void> {
    await this.close(`${RELEASED}\n`);
  }

  /** Lets the watchdog clean up as if this process had died, and waits for it. */
  async cleanUp(): Promise<void> {
    await this.close('');
  }

  private async close(lastLine: string): Promise<void> {
    this.released = true;
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.stdin?.end(lastLine);
    await once(child, 'exit');
  }

  private restartIfNeeded(): void {
    if (this.released || this.restarts++ >= MAX_RESTARTS) return;
    this.start().catch((error: unknown) => debug('private-desktop', () => `no watchdog: ${String(error)}`));
  }
}

/** Plain node runs this file, so it must be the compiled one, even if a test runs this module from source. */
function watchdogFile(): string {
  const sibling = fileURLToPath(new URL('./watchdog-process.js', import.meta.url));
  if (existsSync(sibling)) return sibling;
  const built = sibling.replace(`${sep}src${sep}drivers${sep}`, `${sep}dist${sep}drivers${sep}`);
  if (existsSync(built)) return built;
  throw new DesktopError('driver_unavailable', 'Deskproof is not built.', { hint: 'Run: npm run build' });
}
