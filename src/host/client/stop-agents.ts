import { setTimeout as pause } from 'node:timers/promises';
import { debug, DesktopError } from '../../shared/index.js';
import { HostClient } from './host-client.js';
import { waitUntilSwept, type SweepPrivateDesktops } from '../server/sweep-leftovers.js';
import {
  checkPrivateDirectory,
  childrenOf,
  desktopPaths,
  isRunning,
  isThere,
  type ProcessIdentity,
  waitForExit,
} from '../../platform/index.js';
import { logPlacesOf } from '../governance/log-location.js';
import type { StopAnswer } from '../requests/tool-calls.js';
import { hostOf } from '../server/desktop-lock.js';
import { StopFile } from '../server/stop-file.js';

/** Limit for each of its two answers: the greeting and the stop. */
const ANSWER_WITHIN_MS = 1_000;
const END_WITHIN_MS = 5_000;
const POLL_MS = 20;
/**
 * A program may start new hosts without end while they are stopped. After this many kills only the saved stop remains.
 */
const MAX_KILLS = 3;

interface StopTarget {
  base: string;
  key: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The name that this client gives to hosts. */
  client: string;
  sweepPrivateDesktops: SweepPrivateDesktops;
}

interface StopOptions {
  reason: string;
  /** The usual way to a host, which may start one. */
  connect: () => Promise<HostClient>;
}

/**
 * Ends everything that agents do on a desktop and lets nothing start there. A host that does not answer is killed: its
 * release guard then releases the keys and buttons that it held, and the stop is saved for the next host.
 */
export async function stopAgents(where: StopTarget, how: StopOptions): Promise<StopAnswer> {
  const { lock, directory } = desktopPaths(where.base, where.key);
  // A program that can write there could name any process of this user in the lock.
  for (const path of [where.base, directory]) if (isThere(path)) checkPrivateDirectory(path);
  let killed: Killed | undefined;
  for (let left = MAX_KILLS; ; left -= 1) {
    const holder = hostOf(lock);
    if (!holder) return killed ?? sendStop(await how.connect(), undefined);
    const answer = await requestStop(where, holder);
    if (answer) return { ...answer, ...killed };
    if (left === 0) throw startedAgain(holder);
    // Another host took over, or it ended by itself.
    if (!isRunning(holder)) continue;
    killed = { ...(await kill(where, holder, how.reason)), ...(killed && { changed: killed.changed }) };
  }
}

type Killed = Required<StopAnswer>;

/**
 * These errors mean that the host does not know of the stop: it is silent, it ended, or it has another version that
 * does not know the request. Not a trait of the codes: `bad_arguments` means this for the stop request only.
 */
const UNAWARE_CODES: ReadonlySet<string> = new Set(['timeout', 'driver_unavailable', 'bad_arguments']);

/** Undefined: the host does not know that it must stop. */
async function requestStop(where: StopTarget, holder: ProcessIdentity): Promise<StopAnswer | undefined> {
  const { socket } = desktopPaths(where.base, where.key);
  const peer = { what: `desktop "${where.key}"`, cure: `kill -9 ${holder.pid}` };
  const end = performance.now() + ANSWER_WITHIN_MS;
  try {
    while (isRunning(holder)) {
      const left = end - performance.now();
      if (left <= 0) return undefined;
      const host = await HostClient.connect(socket, peer, where.client, left);
      if (host) return await sendStop(host, ANSWER_WITHIN_MS);
      // It does not listen yet, or no longer.
      await pause(POLL_MS);
    }
  } catch (error) {
    if (!(error instanceof DesktopError) || !UNAWARE_CODES.has(error.code)) throw error;
    debug('host', () => `stop: ${error.message}`);
  }
  return undefined;
}

async function sendStop(host: HostClient, withinMs: number | undefined): Promise<StopAnswer> {
  const late = new DesktopError('timeout', 'The host does not answer.');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      host.request<StopAnswer>('stop'),
      new Promise<never>((_, reject) => {
        if (withinMs !== undefined) timer = setTimeout(() => reject(late), withinMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    host.close();
  }
}

/**
 * The stop is saved first, so that no host can start in between without it. The host is killed even if saving fails.
 */
async function kill(where: StopTarget, holder: ProcessIdentity, reason: string): Promise<Killed> {
  const stops = StopFile.of(logPlacesOf(where.base, where.key, where.env));
  let changed: boolean;
  let left: ProcessIdentity[];
  try {
    changed = stops.load() === undefined;
    if (changed) stops.save({ reason: `${reason}, and the host did not answer`, at: Date.now(), unwritten: true });
  } finally {
    left = childrenOf(holder.pid);
    killNow(holder);
  }
  if (!(await waitForExit(holder, END_WITHIN_MS))) throw cannotKill(holder);
  await waitUntilSwept(where.base, where.key, where.sweepPrivateDesktops);
  const ended = await Promise.all(left.map((child) => waitForExit(child, END_WITHIN_MS)));
  return { stopped: true, changed, killed: { pid: holder.pid, clean: ended.every(Boolean) } };
}

/** Checks right before the kill that the pid still belongs to this very process. */
function killNow(holder: ProcessIdentity): void {
  if (!isRunning(holder)) return;
  try {
    process.kill(holder.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function cannotKill({ pid }: ProcessIdentity): DesktopError {
  return new DesktopError('command_failed', `The host (process ${pid}) does not answer and cannot be killed.`, {
    hint: 'The system blocks it, for example because a disk does not respond. The stop is saved for the next host.',
  });
}

function startedAgain({ pid }: ProcessIdentity): DesktopError {
  return new DesktopError(
    'command_failed',
    `New hosts that do not answer are started again and again, the last one as process ${pid}.`,
    {
      hint: 'The stop is saved on disk, and each new host obeys it. Find the program that starts them.',
    },
  );
}
