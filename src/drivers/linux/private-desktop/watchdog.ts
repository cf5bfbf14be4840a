import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { debug, DesktopError } from '../../../shared/index.js';
import { identify, type ProcessId } from '../processes.js';

const MAX_RESTARTS = 5;
/** The line that tells the keeper to go without doing anything. */
export const RELEASED = 'released';

/** Holds the pipe whose end tells the keeper that this process is gone. A keeper that dies is replaced. */
export class Keeper {
  private child?: ChildProcess;
  private released = false;
  private restarts = 0;

  constructor(
    private readonly runtimeDir: string,
    private readonly changed: (keeper: ProcessId) => void,
  ) {}

  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--max-old-space-size=64', keeperFile(), this.runtimeDir], {
      // No marker of this or an outer seat: it must not be found among the processes it ends.
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.child = child;
    child.stdin?.on('error', () => undefined); // The keeper died; 'exit' tells.
    child.on('exit', () => this.ended());
    await once(child, 'spawn').catch((error: unknown) => {
      throw new DesktopError('driver_unavailable', "The seat's keeper could not be started.", { cause: error });
    });
    child.unref();
    (child.stdin as { unref?: () => void } | null)?.unref?.();
    const id = identify(child.pid ?? 0);
    if (id) this.changed(id);
  }

  /** What to clean up, should this process die. */
  tell(record: string): void {
    if (this.child?.stdin?.writable) this.child.stdin.write(`${record}\n`);
  }

  /** Everything is cleaned up already: the keeper may go without doing anything. */
  async release(): Promise<void> {
    await this.close(`${RELEASED}\n`);
  }

  /** Lets the keeper clean up, as if this process had died, and waits for it. */
  async cleanUp(): Promise<void> {
    await this.close('');
  }

  private async close(words: string): Promise<void> {
    this.released = true;
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.stdin?.end(words);
    await once(child, 'exit');
  }

  private ended(): void {
    if (this.released || this.restarts++ >= MAX_RESTARTS) return;
    this.start().catch((error: unknown) => debug('seat', () => `no keeper: ${String(error)}`));
  }
}

/** Plain node runs it, so it must be the compiled file, also when this one is run from its source by a test. */
function keeperFile(): string {
  const beside = fileURLToPath(new URL('./watchdog-process.js', import.meta.url));
  if (existsSync(beside)) return beside;
  const built = beside.replace(`${sep}src${sep}drivers${sep}`, `${sep}dist${sep}drivers${sep}`);
  if (existsSync(built)) return built;
  throw new DesktopError('driver_unavailable', 'Deskproof is not built.', { hint: 'Run: npm run build' });
}
