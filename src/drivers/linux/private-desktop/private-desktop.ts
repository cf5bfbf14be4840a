import { debug, DesktopError } from '../../../shared/index.js';
import type { Size } from '../../../tree/index.js';
import type {
  LaunchOptions,
  Launched,
  PrivateDesktop,
  PrivateDesktopOptions,
  Start,
  Surroundings,
} from '../../contract/index.js';
import type { CoreProcess } from './services/process.js';
import { releaseDisplay } from './services/display.js';
import { endSeat } from './cleanup.js';
import { InstalledApps } from './launch/installed-apps.js';
import { Keeper } from './watchdog.js';
import { launchProgram } from './launch/launch.js';
import { identify, processSpace, type ProcessId } from '../processes.js';
import { writeRecord, type SeatRecord } from './cleanup-record.js';
import { startOf } from './launch/resolve-command.js';

const APPS = new InstalledApps();

/** A seat from its first directory to its last process. Whatever it starts is written down before anyone needs it. */
export class PrivateSeat implements PrivateDesktop {
  readonly name: string;
  readonly size: Size;
  readonly died: Promise<string>;
  env: Readonly<Record<string, string>> = {};
  display = '';
  madeRuntimeDir = false;
  private record: SeatRecord;
  private readonly keeper: Keeper;
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
    this.keeper = new Keeper(options.runtimeDir, (keeper) => this.write({ keeper }));
  }

  /** From here on nothing is left behind, whatever happens to this process. */
  async beginRecord(): Promise<void> {
    this.write({});
    await this.keeper.start();
  }

  claim(display: number): void {
    this.write({ display });
  }

  unclaim(display: number): void {
    releaseDisplay(display, [process.pid, ...this.record.core.map((id) => id.pid)]);
    this.write({ display: undefined });
  }

  open(display: number, env: Record<string, string>): void {
    this.display = `:${display}`;
    this.env = Object.freeze(env);
  }

  addCore(core: CoreProcess): void {
    this.write({ core: [...this.record.core, core.id] });
  }

  addDirectory(directory: string): void {
    this.write({ directories: [...this.record.directories, directory] });
  }

  /** Without this process there is no seat. */
  watch(core: CoreProcess): void {
    void core.ended.then(() => {
      if (!this.stopping) this.reportDeath(`${core.program} ended. ${core.lastWords()}`.trim());
    });
  }

  /** A window manager that crashed is started once more: the windows are still there. */
  watchManager(manager: CoreProcess, restart?: () => Promise<CoreProcess>): void {
    if (!restart) return this.watch(manager);
    void manager.ended.then(async () => {
      if (this.stopping) return;
      debug('seat', () => `the window manager ended, starting it again: ${manager.lastWords()}`);
      try {
        const next = await restart();
        this.addCore(next);
        this.watchManager(next);
      } catch (error) {
        this.reportDeath(`The window manager ended and could not be started again: ${String(error)}`);
      }
    });
  }

  async launch(command: string, args: readonly string[], options?: LaunchOptions): Promise<Launched> {
    if (this.stopping) throw new DesktopError('process_gone', `Desktop ${this.name} has stopped.`);
    const launched = await launchProgram(this.env, command, args, options);
    const id = identify(launched.pid);
    if (id) this.write({ launched: [...this.record.launched, id] });
    void launched.exited.then(() => this.forget(id));
    return launched;
  }

  startOf(command: string, args: readonly string[], { cwd, env = {} }: Surroundings = {}): Start | undefined {
    const { PATH = '' } = { ...this.env, ...env };
    const changed = Object.keys(env).filter((name) => env[name] !== this.env[name]);
    return startOf(command, args, { path: PATH, cwd: cwd ?? this.env.HOME ?? '/', apps: APPS, changed });
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    try {
      await endSeat(this.options.runtimeDir, this.record, this.madeRuntimeDir);
      await this.keeper.release();
    } catch (error) {
      debug('seat', () => `stop failed, the keeper tries again: ${String(error)}`);
      await this.keeper.cleanUp();
      throw error;
    }
  }

  private forget(id: ProcessId | undefined): void {
    if (!id || this.stopping) return;
    this.write({ launched: this.record.launched.filter((other) => other.pid !== id.pid) });
  }

  private write(change: Partial<SeatRecord>): void {
    this.record = { ...this.record, ...change };
    if (this.stopping) return;
    this.keeper.tell(JSON.stringify(this.record));
    try {
      writeRecord(this.options.runtimeDir, this.record);
    } catch (error) {
      // Somebody removed the directory, or the disk is full: the keeper still knows.
      debug('seat', () => `the record could not be written: ${String(error)}`);
    }
  }
}
