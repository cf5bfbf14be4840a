import { rmSync } from 'node:fs';
import { VERSION } from '../../config.js';
import { openDesktop, type OpenDesktop, sweepDeadSeats } from '../../open-desktop.js';
import { desktopPaths, type DesktopPaths, type FileLock, makePrivateDirectory } from '../../platform/index.js';
import { debug, DesktopError } from '../../shared/index.js';
import { type LoadedGovernance, openGovernance } from '../governance/load-governance.js';
import { governedRequests } from '../requests/approvals.js';
import { appRequests } from '../requests/apps.js';
import { type DesktopDetails, hostRequests } from '../requests/tool-calls.js';
import { removeDirectory, untilSwept } from './cleanup.js';
import { takeDesktopLock } from './desktop-lock.js';
import type { HostOptions } from './main.js';
import type { ParentLink } from './parent-link.js';
import { PROTOCOL } from './protocol.js';
import { SavedRefCounters } from './ref-counters.js';
import { HostServer } from './server.js';
import { StopFile } from './stop-file.js';

const CANCELLED = new DesktopError('cancelled', 'Starting the desktop was cancelled.');

/** The life of a host: lock, open, serve, wait for a reason to end, and leave nothing. */
export async function runHost(options: HostOptions, leash: ParentLink, told: AbortSignal): Promise<void> {
  makePrivateDirectory(options.base);
  await untilSwept(options.base, options.key, sweepDeadSeats);
  const paths = desktopPaths(options.base, options.key);
  const lock = lockDesktop(paths, options);
  const life = new AbortController();
  told.addEventListener('abort', () => life.abort(told.reason), { once: true });
  if (told.aborted) life.abort(told.reason);
  void leash.gone.then(() => life.abort(CANCELLED));
  // The apps of a person's own desktop outlive us, and so does what callers were told of them.
  const refs = options.desktop.kind === 'virtual' ? undefined : new SavedRefCounters(`${paths.directory}.refs`);
  let open: OpenDesktop | undefined;
  let governance: LoadedGovernance | undefined;
  let server: HostServer | undefined;
  try {
    const since = performance.now();
    governance = await openGovernance(options, paths.directory);
    const { policy, ledger, policyChanged, inProject, places, secrecy } = governance;
    const stops = StopFile.of(places);
    await writeStop(stops, ledger);
    const governed = {
      policy,
      ledger,
      policyChanged,
      inProject,
      secrecy,
      stops,
      ...(refs && { after: refs.before() }),
    };
    open = await openDesktop(toOpen(options, paths), life.signal, governed);
    if (life.signal.aborted) throw life.signal.reason;
    const details = detailsOf(options, open, performance.now() - since);
    server = await serve({ open, governance, refs }, options, paths, details, life);
    leash.ready();
    if (!options.leash) leash.drop();
    await aborted(life.signal);
  } finally {
    const reason = life.signal.reason instanceof DesktopError ? life.signal.reason : CANCELLED;
    debug('host', () => `${options.key} ends: ${reason.message}`);
    await server?.close(reason);
    if (open && server) refs?.end(open.desktop.given);
    try {
      await open?.close();
    } finally {
      await closeLog(governance);
      rmSync(paths.socket, { force: true });
      lock.release();
      removeDirectory(paths);
    }
  }
}

/** The desktop ends whether its log can be closed or not; the next one finds out what is missing. */
async function closeLog(governance: LoadedGovernance | undefined): Promise<void> {
  try {
    await governance?.close();
  } catch (error) {
    debug('host', () => `log: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Whoever stopped a host that did not answer could not write the log. */
async function writeStop(stops: StopFile, ledger: LoadedGovernance['ledger']): Promise<void> {
  const kept = stops.load();
  if (!kept?.unwritten) return;
  const { reason, at } = kept;
  await ledger.note({ kind: 'stop', by: 'person', reason });
  stops.save({ reason, at });
}

async function serve(
  { open, governance, refs }: { open: OpenDesktop; governance: LoadedGovernance; refs: SavedRefCounters | undefined },
  options: HostOptions,
  paths: DesktopPaths,
  details: DesktopDetails,
  life: AbortController,
): Promise<HostServer> {
  const end = (): void =>
    life.abort(new DesktopError('driver_unavailable', 'The host was idle and has ended.', { hint: 'Try again.' }));
  // Whoever was asked must find the question when they come to answer.
  const isAsking = (): boolean => open.desktop.authorizer.questions.all.length > 0;
  const idle = new IdleClock(options.idleMs, isAsking, end);
  void open.died.then((why) => {
    const hint = details.kind === 'user' ? 'Try again, from within the session that there is now.' : AGAIN;
    life.abort(new DesktopError('driver_unavailable', `The desktop "${details.name}" ended: ${why}`, { hint }));
  });
  const shutdown = () => {
    life.abort(new DesktopError('driver_unavailable', `The desktop "${details.name}" was stopped.`, { hint: AGAIN }));
  };
  const begin = (directory: string | undefined): Promise<void> => governance.begin(directory);
  const requests = {
    ...hostRequests(open, () => details, shutdown, begin),
    ...appRequests(open, begin),
    ...governedRequests(open.desktop, governance),
  };
  return HostServer.listen({
    socket: paths.socket,
    hello: { protocol: PROTOCOL, version: VERSION, desktop: details.name, pid: process.pid },
    requests: refs ? refs.during(requests, () => open.desktop.given) : requests,
    onClients: (count) => idle.clients(count),
  });
}

const AGAIN = 'Start one: deskproof desktop start';

function lockDesktop(paths: DesktopPaths, options: HostOptions): FileLock {
  for (;;) {
    makePrivateDirectory(paths.directory);
    try {
      const lock = takeDesktopLock(paths.lock);
      if (lock) return lock;
    } catch (error) {
      // The one before us removed the directory between our two steps.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    const name =
      options.desktop.kind === 'virtual' ? `desktop named "${options.desktop.name}"` : 'host of this desktop';
    throw new DesktopError('command_failed', `A ${name} runs already.`, {
      hint: 'Use it, or choose another name; deskproof desktop list shows what runs.',
      details: { passing: true },
    });
  }
}

function toOpen(options: HostOptions, paths: DesktopPaths): Parameters<typeof openDesktop>[0] {
  if (options.desktop.kind === 'user') return { ...options.desktop, runtimeDir: paths.directory };
  if (options.desktop.kind === 'fake') return options.desktop;
  return { ...options.desktop, runtimeDir: paths.directory, homeDir: paths.home, baseDir: options.base };
}

function detailsOf(options: HostOptions, open: OpenDesktop, bootMs: number): DesktopDetails {
  const { desktop } = options;
  const common = {
    name: desktop.kind === 'virtual' ? desktop.name : 'user',
    kind: desktop.kind,
    pid: process.pid,
    version: VERSION,
    startedAt: Date.now(),
    bootMs: Math.round(bootMs),
    env: { ...open.seat?.env },
  };
  if (desktop.kind !== 'virtual') return common;
  const { size, monitors, visible } = desktop;
  return { ...common, display: open.seat?.display, size, monitors, visible };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Counts the time without clients; starts when the host does, since its starter may never connect. */
export class IdleClock {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** Absent: it never ends. */
    private readonly ms: number | undefined,
    /** There is something left to do, whoever is here. */
    private readonly isBusy: () => boolean,
    private readonly onIdle: () => void,
  ) {
    this.clients(0);
  }

  clients(count: number): void {
    clearTimeout(this.timer);
    if (this.ms === undefined || count > 0) return;
    this.timer = setTimeout(() => (this.isBusy() ? this.clients(0) : this.onIdle()), this.ms);
  }
}
