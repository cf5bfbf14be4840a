import { rmSync } from 'node:fs';
import { VERSION } from '../../config.js';
import { openDesktop, type OpenDesktop, sweepDeadSeats } from '../../compose.js';
import { desktopPaths, type DesktopPaths, type FileLock, makePrivateDirectory } from '../../platform/index.js';
import { debug, DesktopError } from '../../shared/index.js';
import { type LoadedGovernance, openGovernance } from '../governance/load-governance.js';
import { approvalRequests } from '../requests/approvals.js';
import { appRequests } from '../requests/apps.js';
import { type DesktopDetails, hostRequests } from '../requests/tool-calls.js';
import { removeDirectory, waitUntilSwept } from './sweep-leftovers.js';
import { takeDesktopLock } from './desktop-lock.js';
import type { HostOptions } from './main.js';
import type { ParentLink } from './parent-link.js';
import { PROTOCOL } from './protocol.js';
import { SavedRefCounters } from './ref-counters.js';
import { HostServer } from './server.js';
import { StopFile } from './stop-file.js';

const CANCELLED = new DesktopError('cancelled', 'Starting the desktop was cancelled.');

/** The life of a host: lock, open, serve, wait for a reason to end, and clean up. */
export async function runHost(options: HostOptions, parentLink: ParentLink, stopSignal: AbortSignal): Promise<void> {
  makePrivateDirectory(options.base);
  await waitUntilSwept(options.base, options.key, sweepDeadSeats);
  const paths = desktopPaths(options.base, options.key);
  const lock = lockDesktop(paths, options);
  const life = new AbortController();
  stopSignal.addEventListener('abort', () => life.abort(stopSignal.reason), { once: true });
  if (stopSignal.aborted) life.abort(stopSignal.reason);
  void parentLink.parentEnded.then(() => life.abort(CANCELLED));
  // The apps of the user desktop outlive this host, and so do the refs that callers have of them.
  const refs = options.desktop.kind === 'virtual' ? undefined : new SavedRefCounters(`${paths.directory}.refs`);
  let open: OpenDesktop | undefined;
  let governance: LoadedGovernance | undefined;
  let server: HostServer | undefined;
  try {
    const since = performance.now();
    governance = await openGovernance(options, paths.directory);
    const { policy, ledger, actLedger, policyChanged, inProject, places, secrecy } = governance;
    const stops = StopFile.of(places);
    await logSavedStop(stops, ledger);
    const governed = {
      policy,
      ledger: actLedger,
      policyChanged,
      inProject,
      secrecy,
      stops,
      ...(refs && { after: refs.load() }),
    };
    open = await openDesktop(desktopToOpen(options, paths), life.signal, governed);
    if (life.signal.aborted) throw life.signal.reason;
    const details = detailsOf(options, open, performance.now() - since);
    server = await serve({ open, governance, refs }, options, paths, details, life);
    parentLink.ready();
    if (!options.endWithParent) parentLink.detach();
    await untilAborted(life.signal);
  } finally {
    const reason = life.signal.reason instanceof DesktopError ? life.signal.reason : CANCELLED;
    debug('host', () => `${options.key} ends: ${reason.message}`);
    await server?.close(reason);
    if (open && server) refs?.saveFinal(open.desktop.given);
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

/** The desktop ends even if its log cannot be closed. The next host finds out what is missing. */
async function closeLog(governance: LoadedGovernance | undefined): Promise<void> {
  try {
    await governance?.close();
  } catch (error) {
    debug('host', () => `log: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A client that stops a host which does not answer cannot write the log. */
async function logSavedStop(stops: StopFile, ledger: LoadedGovernance['ledger']): Promise<void> {
  const kept = stops.load();
  if (!kept?.unwritten) return;
  const { reason, at } = kept;
  await ledger.note({ kind: 'stop', by: 'user', reason });
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
  // A user who was asked must still find the question.
  const isAsking = (): boolean => open.desktop.authorizer.questions.all.length > 0;
  const idle = new IdleTimer(options.idleMs, isAsking, end);
  void open.died.then((why) => {
    const hint = details.kind === 'user' ? 'Try again from within the current session.' : START_AGAIN;
    life.abort(new DesktopError('driver_unavailable', `The desktop "${details.name}" ended: ${why}`, { hint }));
  });
  const shutdown = () => {
    life.abort(
      new DesktopError('driver_unavailable', `The desktop "${details.name}" was stopped.`, { hint: START_AGAIN }),
    );
  };
  const begin = (directory: string | undefined): Promise<void> => governance.begin(directory);
  const requests = {
    ...hostRequests(
      open,
      () => ({ ...details, ...(governance.unconfirmed() !== undefined && { policyUnconfirmed: true as const }) }),
      shutdown,
      begin,
    ),
    ...appRequests(open, begin),
    ...approvalRequests(open.desktop, governance),
  };
  return HostServer.listen({
    socket: paths.socket,
    hello: { protocol: PROTOCOL, version: VERSION, desktop: details.name, pid: process.pid },
    requests: refs ? refs.wrap(requests, () => open.desktop.given) : requests,
    onClients: (count) => idle.clients(count),
  });
}

const START_AGAIN = 'Start one: deskproof desktop start';

function lockDesktop(paths: DesktopPaths, options: HostOptions): FileLock {
  for (;;) {
    makePrivateDirectory(paths.directory);
    try {
      const lock = takeDesktopLock(paths.lock);
      if (lock) return lock;
    } catch (error) {
      // The previous host removed the directory between our two steps.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw error;
    }
    const name =
      options.desktop.kind === 'virtual' ? `desktop named "${options.desktop.name}"` : 'host of this desktop';
    throw new DesktopError('command_failed', `A ${name} is already running.`, {
      hint: 'Use it, or choose another name. deskproof desktop list shows what is running.',
      details: { passing: true },
    });
  }
}

function desktopToOpen(options: HostOptions, paths: DesktopPaths): Parameters<typeof openDesktop>[0] {
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

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * Measures the time without clients. It starts together with the host, since the process that started the host may
 * never connect.
 */
export class IdleTimer {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** If absent, the host never ends for being idle. */
    private readonly ms: number | undefined,
    /** Whether work is pending, also without clients. */
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
