import { debug, DesktopError } from '../../../shared/index.js';
import type { Size } from '../../../tree/index.js';
import type {
  LaunchOptions,
  Launched,
  PrivateDesktop,
  PrivateDesktopOptions,
  ResolvedCommand,
  LaunchEnvironment,
} from '../../contract/index.js';
import type { Isolation } from './services/isolation.js';
import type { ServiceProcess } from './services/process.js';
import { releaseDisplay } from './services/display.js';
import { tearDownDesktop } from './tear-down.js';
import { InstalledApps } from './launch/installed-apps.js';
import { Watchdog } from './watchdog.js';
import { launchProgram } from './launch/launch.js';
import { identify, processSpace, type ProcessId } from '../processes.js';
import { writeRecord, type CleanupRecord } from './cleanup-record.js';
import { resolveCommand } from './launch/resolve-command.js';

const INSTALLED_APPS = new InstalledApps();

/**
 * A private desktop from its first directory to its last process. Everything that it starts is recorded at once, so
 * that a cleanup can find it.
 */
export class PrivateDesktopSession implements PrivateDesktop {
  readonly name: string;
  readonly size: Size;
  readonly died: Promise<string>;
  env: Readonly<Record<string, string>> = {};
  display = '';
  createdRuntimeDir = false;
  /** Undefined before it was tried, and where the system does not permit it; then `exposed` says why. */
  isolation: Isolation | undefined;
  exposed: string | undefined;
  private record: CleanupRecord;
  private readonly watchdog: Watchdog;
  private stopping?: Promise<void>;
  private reportDeath: (reason: string) => void = () => undefined;

  constructor(
    readonly options: PrivateDesktopOptions,
    readonly id: string,
  ) {
    this.name = options.name;
    this.size = options.size;
    this.died = new Promise((resolve) => (this.reportDeath = resolve));
    const owner = identify(process.pid)!;
    const space = processSpace();
    this.record = { version: 1, id, name: options.name, space, owner, core: [], launched: [], directories: [] };
    this.watchdog = new Watchdog(options.runtimeDir, (watchdog) => this.updateRecord({ keeper: watchdog }));
  }

  /** From here on everything is cleaned up, even if this process is killed. */
  async startWatchdog(): Promise<void> {
    this.updateRecord({});
    await this.watchdog.start();
  }

  claim(display: number): void {
    this.updateRecord({ display });
  }

  releaseClaim(display: number): void {
    releaseDisplay(display, [process.pid, ...this.record.core.map((id) => id.pid)]);
    this.updateRecord({ display: undefined });
  }

  setDisplay(display: number, env: Record<string, string>): void {
    this.display = `:${display}`;
    this.env = Object.freeze(env);
  }

  addService(service: ServiceProcess): void {
    this.updateRecord({ core: [...this.record.core, service.id] });
  }

  addDirectory(directory: string): void {
    this.updateRecord({ directories: [...this.record.directories, directory] });
  }

  /** The desktop has failed when this process ends. */
  watchService(service: ServiceProcess): void {
    void service.ended.then(() => {
      if (!this.stopping) this.reportDeath(`${service.program} ended. ${service.stderrTail()}`.trim());
    });
  }

  /** Restarts a crashed window manager once: the windows are still there. */
  watchWindowManager(windowManager: ServiceProcess, restart?: () => Promise<ServiceProcess>): void {
    if (!restart) return this.watchService(windowManager);
    void windowManager.ended.then(async () => {
      if (this.stopping) return;
      debug('private-desktop', () => `the window manager ended, starting it again: ${windowManager.stderrTail()}`);
      try {
        const restarted = await restart();
        this.addService(restarted);
        this.watchWindowManager(restarted);
      } catch (error) {
        this.reportDeath(`The window manager ended and could not be started again: ${String(error)}`);
      }
    });
  }

  async launch(command: string, args: readonly string[], options?: LaunchOptions): Promise<Launched> {
    if (this.stopping) throw new DesktopError('process_gone', `Desktop ${this.name} has stopped.`);
    const launched = await launchProgram(this.env, command, args, { ...options, isolation: this.isolation });
    const id = identify(launched.pid);
    if (id) this.updateRecord({ launched: [...this.record.launched, id] });
    void launched.exited.then(() => this.removeLaunched(id));
    return launched;
  }

  resolveCommand(
    command: string,
    args: readonly string[],
    { cwd, env = {} }: LaunchEnvironment = {},
  ): ResolvedCommand | undefined {
    const { PATH = '' } = { ...this.env, ...env };
    const changed = Object.keys(env).filter((name) => env[name] !== this.env[name]);
    return resolveCommand(command, args, {
      path: PATH,
      cwd: cwd ?? this.env.HOME ?? '/',
      apps: INSTALLED_APPS,
      changed,
    });
  }

  stop(): Promise<void> {
    this.stopping ??= this.tearDown();
    return this.stopping;
  }

  private async tearDown(): Promise<void> {
    try {
      this.isolation?.close();
      await tearDownDesktop(this.options.runtimeDir, this.record, this.createdRuntimeDir);
      await this.watchdog.release();
    } catch (error) {
      debug('private-desktop', () => `stop failed, the watchdog tries again: ${String(error)}`);
      await this.watchdog.cleanUp();
      throw error;
    }
  }

  private removeLaunched(id: ProcessId | undefined): void {
    if (!id || this.stopping) return;
    this.updateRecord({ launched: this.record.launched.filter((other) => other.pid !== id.pid) });
  }

  private updateRecord(change: Partial<CleanupRecord>): void {
    this.record = { ...this.record, ...change };
    if (this.stopping) return;
    this.watchdog.sendRecord(JSON.stringify(this.record));
    try {
      writeRecord(this.options.runtimeDir, this.record);
    } catch (error) {
      // The directory was removed or the disk is full. The watchdog still has the record.
      debug('private-desktop', () => `the record could not be written: ${String(error)}`);
    }
  }
}
