import { setTimeout as pause } from 'node:timers/promises';
import { debug, DesktopError } from '../../shared/index.js';
import { HostClient } from './host-client.js';
import { untilSwept, type SweepSeats } from '../server/cleanup.js';
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

/** For each of its answers: the greeting, and the stop itself. */
const ANSWER_WITHIN_MS = 1_000;
const END_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 20;
/** Whoever starts hosts without end while they are stopped gets the last word of ours: the stop on the disk. */
const MOST_KILLED = 3;

export interface Where {
  base: string;
  key: string;
  env: Readonly<Record<string, string | undefined>>;
  /** How this client introduces itself. */
  client: string;
  sweepSeats: SweepSeats;
}

export interface HowToStop {
  reason: string;
  /** The usual way to a host, which may start one. */
  connect: () => Promise<HostClient>;
}

/**
 * Ends all that agents do on a desktop and lets nothing begin there. A host that does not answer is killed: then its
 * hands' watcher lets go of what it held, and the stop is kept on the disk for the next host.
 */
export async function stopAgents(where: Where, how: HowToStop): Promise<StopAnswer> {
  const { lock, directory } = desktopPaths(where.base, where.key);
  // Whoever can write there could name any process of ours in the lock.
  for (const path of [where.base, directory]) if (isThere(path)) checkPrivateDirectory(path);
  let killed: Killed | undefined;
  for (let left = MOST_KILLED; ; left -= 1) {
    const holder = hostOf(lock);
    if (!holder) return killed ?? tellStop(await how.connect(), undefined);
    const answer = await askHost(where, holder);
    if (answer) return { ...answer, ...killed };
    if (left === 0) throw comesBack(holder);
    // Another one by now, or it has ended by itself.
    if (!isRunning(holder)) continue;
    killed = { ...(await kill(where, holder, how.reason)), ...(killed && { changed: killed.changed }) };
  }
}

type Killed = Required<StopAnswer>;

/** What means that it was not told: silence, its end, or another version that knows no such words. */
const NOT_TOLD: ReadonlySet<string> = new Set(['timeout', 'driver_unavailable', 'bad_arguments']);

/** Undefined: it does not know that it is to stop. */
async function askHost(where: Where, holder: ProcessIdentity): Promise<StopAnswer | undefined> {
  const { socket } = desktopPaths(where.base, where.key);
  const peer = { what: `desktop "${where.key}"`, cure: `kill -9 ${holder.pid}` };
  const end = performance.now() + ANSWER_WITHIN_MS;
  try {
    while (isRunning(holder)) {
      const left = end - performance.now();
      if (left <= 0) return undefined;
      const host = await HostClient.connect(socket, peer, where.client, left);
      if (host) return await tellStop(host, ANSWER_WITHIN_MS);
      // Nobody listens yet, or any more.
      await pause(LOOK_AGAIN_MS);
    }
  } catch (error) {
    if (!(error instanceof DesktopError) || !NOT_TOLD.has(error.code)) throw error;
    debug('host', () => `stop: ${error.message}`);
  }
  return undefined;
}

async function tellStop(host: HostClient, withinMs: number | undefined): Promise<StopAnswer> {
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

/** First the stop on the disk: no host may begin in between without it. Killed is killed, even if that fails. */
async function kill(where: Where, holder: ProcessIdentity, reason: string): Promise<Killed> {
  const stops = StopFile.of(logPlacesOf(where.base, where.key, where.env));
  let changed: boolean;
  let left: ProcessIdentity[];
  try {
    changed = stops.load() === undefined;
    if (changed) stops.save({ reason: `${reason}, and the host did not answer`, at: Date.now(), unwritten: true });
  } finally {
    left = childrenOf(holder.pid);
    endNow(holder);
  }
  if (!(await waitForExit(holder, END_WITHIN_MS))) throw cannotEnd(holder);
  await untilSwept(where.base, where.key, where.sweepSeats);
  const ended = await Promise.all(left.map((child) => waitForExit(child, END_WITHIN_MS)));
  return { stopped: true, changed, killed: { pid: holder.pid, clean: ended.every(Boolean) } };
}

/** It is asked right before whether the number still is that very process. */
function endNow(holder: ProcessIdentity): void {
  if (!isRunning(holder)) return;
  try {
    process.kill(holder.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function cannotEnd({ pid }: ProcessIdentity): DesktopError {
  return new DesktopError('command_failed', `The host (process ${pid}) does not answer and cannot be killed.`, {
    hint: 'The system holds it, as it does with programs that wait for a broken disk. The stop is kept for the next one.',
  });
}

function comesBack({ pid }: ProcessIdentity): DesktopError {
  return new DesktopError(
    'command_failed',
    `Hosts that do not answer are started again and again, the last as ${pid}.`,
    {
      hint: 'The stop is kept on the disk: each of them finds it. Find out who starts them.',
    },
  );
}
