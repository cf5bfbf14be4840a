import { setTimeout as pause } from 'node:timers/promises';
import type { LedgerPlaces } from '../../audit/index.js';
import { readConfig, refuseEarlierVariables, VERSION } from '../../config.js';
import { DesktopError } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';
import {
  checkDesktopName,
  type Choice,
  isDesktopName,
  newDesktopName,
  notRunning,
  userDesktopKey,
} from './choose-desktop.js';
import { HostClient } from './host-client.js';
import type { HostOptions } from '../server/main.js';
import { desktopKeys, runningKeys, sweepLeftovers, waitUntilSwept } from '../server/sweep-leftovers.js';
import { hostOf, lockFault } from '../server/desktop-lock.js';
import {
  checkPrivateDirectory,
  desktopPaths,
  isRunning,
  isThere,
  makePrivateDirectory,
  type ProcessIdentity,
  runtimeBase,
  waitForExit,
} from '../../platform/index.js';
import type { DesktopDetails, StopAnswer } from '../requests/tool-calls.js';
import { startHost, type StartedHost } from './start-host.js';

type Env = Readonly<Record<string, string | undefined>>;

const STOP_WITHIN_MS = 15_000;
const SIGNAL_WITHIN_MS = 5_000;
const INFO_WITHIN_MS = 3_000;

interface PrivateDesktopOptions {
  name?: string;
  /** For a generated name. */
  prefix?: string;
  size?: Size;
  monitors?: 1 | 2;
  visible?: boolean;
  /** End it when this process ends. */
  leash?: boolean;
  /** The user policy, if it is not in the default location. */
  policyFile?: string;
  signal?: AbortSignal;
}

export interface DesktopRow {
  name: string;
  /** Absent when its host does not answer. */
  details?: DesktopDetails;
  /** The file in place of its lock is not ours. */
  fault?: DesktopError;
}

/** Loaded only if a host died: no command should wait for a driver that it does not use. */
const sweepPrivateDesktops = async (base: string): Promise<unknown> =>
  (await import('../../compose.js')).sweepDeadSeats(base);

/** The desktops of this user, as every surface sees them. */
export class Desktops {
  private knownBase: string | undefined;

  constructor(
    /** How this client introduces itself to hosts. */
    private readonly client: string,
    private readonly env: Env = process.env,
  ) {}

  /** Not in the constructor: the command that needs it reports a faulty environment. */
  get base(): string {
    if (this.knownBase === undefined) {
      refuseEarlierVariables(this.env);
      this.knownBase = runtimeBase(this.env);
    }
    return this.knownBase;
  }

  /** Key of the user desktop of this session. */
  get userKey(): string {
    return userDesktopKey(this.env);
  }

  async startPrivate(
    options: PrivateDesktopOptions = {},
  ): Promise<{ name: string; host: HostClient; started: StartedHost }> {
    const name = options.name === undefined ? newDesktopName(options.prefix) : checkDesktopName(options.name);
    makePrivateDirectory(this.base);
    const { size = { width: 1280, height: 800 }, monitors = 1, visible = false, leash = false } = options;
    const started = await startHost(
      {
        ...{
          base: this.base,
          key: name,
          desktop: { kind: 'virtual', name, size, monitors, visible },
          endWithParent: leash,
        },
        ...{ policyFile: options.policyFile, startDirectory: process.cwd() },
      },
      { signal: options.signal },
    );
    return { name, host: await this.connectPrivate(name), started };
  }

  async connect(choice: Choice): Promise<HostClient> {
    return choice.kind === 'user' ? this.connectUser() : this.connectPrivate(choice.name);
  }

  async connectPrivate(name: string): Promise<HostClient> {
    if (isThere(this.base)) checkPrivateDirectory(this.base);
    const isKnown = desktopKeys(this.base).includes(name);
    const fault = isKnown && lockFault(desktopPaths(this.base, name).lock);
    if (fault) throw fault;
    const host = isKnown ? await this.reach(name, `desktop "${name}"`, `deskproof desktop stop ${name}`) : undefined;
    if (!host) throw notRunning(name);
    return host;
  }

  /** Names of the private desktops that are running. Removes what killed hosts left behind. */
  async running(): Promise<string[]> {
    await this.sweep();
    return runningKeys(this.base).filter(isDesktopName).sort();
  }

  async list(): Promise<DesktopRow[]> {
    const running = await Promise.all((await this.running()).map((name) => this.row(name)));
    const spoilt = desktopKeys(this.base)
      .filter(isDesktopName)
      .flatMap((name) => {
        const fault = lockFault(desktopPaths(this.base, name).lock);
        return fault ? [{ name, fault }] : [];
      });
    return [...running, ...spoilt].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private async row(name: string): Promise<DesktopRow> {
    try {
      const host = await this.connectPrivate(name);
      try {
        const details = await host.request<DesktopDetails>('info', {}, { signal: AbortSignal.timeout(INFO_WITHIN_MS) });
        return { name, details };
      } finally {
        host.close();
      }
    } catch {
      // It runs but does not answer, or it has just ended: the row has no details then.
      return { name };
    }
  }

  /**
   * Stops the desktop and waits until it is gone. A host that does not react is killed, and its private desktop ends
   * with it.
   */
  async stop(name: string): Promise<void> {
    checkDesktopName(name);
    await this.sweep();
    const holder = hostOf(desktopPaths(this.base, name).lock);
    if (!holder) throw notRunning(name);
    const understood = await this.askToStop(name, holder);
    if (!(await waitForExit(holder, understood ? STOP_WITHIN_MS : SIGNAL_WITHIN_MS))) {
      process.kill(holder.pid, 'SIGKILL');
      await waitForExit(holder, STOP_WITHIN_MS);
      await waitUntilSwept(this.base, name, sweepPrivateDesktops);
    }
  }

  /**
   * Emergency stop: ends everything that agents do there and lets nothing start. A host that does not answer is killed;
   * the stop is saved for the next one.
   */
  async stopAgents(choice: Choice, reason: string): Promise<StopAnswer> {
    const { stopAgents } = await import('./stop-agents.js');
    const key = choice.kind === 'user' ? userDesktopKey(this.env) : choice.name;
    return stopAgents(
      { base: this.base, key, env: this.env, client: this.client, sweepPrivateDesktops },
      { reason, connect: () => this.connect(choice) },
    );
  }

  /** Where the log of a desktop and its keys are, also after the desktop has ended. */
  async logPlaces(key: string): Promise<LedgerPlaces> {
    return (await import('../governance/log-location.js')).logPlacesOf(this.base, key, this.env);
  }

  async sweep(): Promise<void> {
    if (!isThere(this.base)) return;
    checkPrivateDirectory(this.base);
    await sweepLeftovers(this.base, sweepPrivateDesktops);
  }

  private async askToStop(name: string, holder: ProcessIdentity): Promise<boolean> {
    try {
      const host = await this.connectPrivate(name);
      await host.request('shutdown', {}, { signal: AbortSignal.timeout(INFO_WITHIN_MS) });
      host.close();
      return true;
    } catch {
      // It has another version, hangs, or is already ending: the signal asks for the same.
      if (isRunning(holder)) process.kill(holder.pid, 'SIGTERM');
      return false;
    }
  }

  /** `cure`: the command that ends a host which does not answer. */
  private reach(key: string, what: string, cure: string): Promise<HostClient | undefined> {
    checkPrivateDirectory(this.base);
    return HostClient.connect(desktopPaths(this.base, key).socket, { what, cure }, this.client);
  }

  /**
   * Finds the host of the user desktop or starts it. If two clients start one at the same time, both connect to the
   * winner.
   */
  private async connectUser(): Promise<HostClient> {
    const options = this.userOptions();
    const until = performance.now() + 30_000;
    makePrivateDirectory(this.base);
    for (;;) {
      try {
        const { directory, lock } = desktopPaths(this.base, options.key);
        makePrivateDirectory(directory);
        const host = await this.reach(options.key, 'host of your desktop', `kill -9 ${hostOf(lock)?.pid ?? 'PID'}`);
        if (host?.hello.version === VERSION) return host;
        // An older host may still run after an update. It holds no state that would be worth keeping it.
        if (host) await host.request('shutdown');
        else await startHost(options);
      } catch (error) {
        const passing = error instanceof DesktopError && error.details?.passing === true;
        if (!passing || performance.now() > until) throw error;
      }
      await pause(20);
    }
  }

  private userOptions(): HostOptions {
    const { idleMs } = readConfig(this.env);
    const fake = this.env.DESKPROOF_FAKE;
    const desktop: HostOptions['desktop'] = fake ? { kind: 'fake', file: fake } : { kind: 'user' };
    const startDirectory = process.cwd();
    return { base: this.base, key: userDesktopKey(this.env), desktop, idleMs, endWithParent: false, startDirectory };
  }
}
