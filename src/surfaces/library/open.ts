import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../../config.js';
import { Desktops, givenPolicy, checkProject, type HostClient } from '../../host/index.js';
import { debug, DesktopError } from '../../shared/index.js';
import type { Size, Snapshot } from '../../tree/index.js';
import { auditLog } from './audit-log.js';
import { LinkedDesktop } from './desktop.js';
import { Failures, TRACES } from './failures.js';
import { Link } from './link.js';
import type { OpenOptions } from './options.js';
import { wrong } from './selector-text.js';
import type { Desktop } from './surface.js';

const TIMEOUT_MS = 5_000;
const LOOK_MS = 2_000;

/**
 * Opens a desktop: a new private one by default, which ends with `close()`, with `await using`, and with this process.
 * The person's own (`user`) and one that runs already are only connected to.
 */
export async function openDesktop(options: OpenOptions = {}): Promise<Desktop> {
  check(options);
  const { timeoutMs = TIMEOUT_MS, trace = 'off', approve, signal } = options;
  const desktops = new Desktops(`deskwright ${VERSION} library`);
  const { name, host, end } = await reach(desktops, options);
  const key = name === 'user' ? desktops.userKey : name;
  const audit = auditLog(() => desktops.logPlaces(key));
  const page = (file: string): Promise<void> => audit.exportHtml(file);
  const failures = new Failures({ name, trace, page, look: (window) => look(link, window) });
  const link: Link = new Link(host, {
    ...{ session: randomBytes(6).toString('hex'), timeoutMs, approve },
    explain: (error, call) => failures.explain(error, call),
  });
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', aborted);
    if (trace === 'on') await lastPage(name, page);
    link.close();
    await end();
  };
  const desktop = new LinkedDesktop({ name, link, audit, end: close });
  const aborted = (): void => {
    link.close();
    // Whoever aborts waits for nothing; close() tells what went wrong.
    desktop.close().catch((error: unknown) => debug('library', () => String(error)));
  };
  signal?.addEventListener('abort', aborted, { once: true });
  if (signal?.aborted) aborted();
  return desktop;
}

interface Reached {
  name: string;
  host: HostClient;
  end: () => Promise<void>;
}

async function reach(desktops: Desktops, options: OpenOptions): Promise<Reached> {
  const { desktop = 'virtual', size, policy, signal } = options;
  const nothing = async (): Promise<void> => undefined;
  if (desktop !== 'virtual') {
    const host = await (desktop === 'user' ? desktops.connect({ kind: 'user' }) : desktops.connectPrivate(desktop));
    await checkProject(host);
    return { name: desktop, host, end: nothing };
  }
  const given = policy === undefined ? undefined : givenPolicy(policy);
  try {
    const { name, host } = await desktops.startPrivate({
      ...{ prefix: 'lib', leash: true, size, signal },
      ...(options.monitors !== undefined && { monitors: options.monitors as 1 | 2 }),
      ...(given && { policyFile: given.file }),
    });
    const end = async (): Promise<void> => {
      try {
        await stopped(desktops, name);
      } finally {
        given?.remove();
      }
    };
    return { name, host, end };
  } catch (error) {
    given?.remove();
    throw error;
  }
}

async function stopped(desktops: Desktops, name: string): Promise<void> {
  try {
    await desktops.stop(name);
  } catch (error) {
    // It may have ended by itself: that is what was wanted.
    if (!(error instanceof DesktopError && error.code === 'driver_unavailable')) throw error;
  }
}

function check({ desktop = 'virtual', size, monitors, policy, approve, timeoutMs }: OpenOptions): void {
  if (monitors !== undefined && monitors !== 1 && monitors !== 2)
    throw wrong('There are 1 or 2 monitors.', 'Say which.');
  if (size !== undefined && !fits(size))
    throw wrong('A size is from 320x200 to 7680x4320, in whole pixels.', 'Leave it out for 1280x800.');
  if (timeoutMs !== undefined && !(Number.isInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= 600_000))
    throw wrong('timeoutMs is a whole number of milliseconds, at most 600000.', 'Leave it out for 5000.');
  if (desktop === 'virtual') return;
  const [given] = Object.entries({ size, monitors, policy, approve }).filter(([, value]) => value !== undefined);
  if (!given) return;
  const why = given[0] === 'approve' ? 'questions about it are answered by: deskwright approvals' : 'it has its own';
  throw wrong(
    `${given[0]} is for new private desktops; ${JSON.stringify(desktop)} is there already.`,
    `Leave it out: ${why}.`,
  );
}

const fits = ({ width, height }: Size): boolean =>
  [width, height].every(Number.isInteger) && width >= 320 && width <= 7680 && height >= 200 && height <= 4320;

/** What was on the screen when something failed; a window that is gone is no reason to see nothing. */
async function look(link: Link, window: string | undefined): Promise<Snapshot> {
  const options = { timeoutMs: LOOK_MS };
  try {
    return (await link.call('ui_snapshot', { window: window ?? '*' }, options)).json as unknown as Snapshot;
  } catch (error) {
    if (window === undefined || !(error instanceof DesktopError)) throw error;
    return (await link.call('ui_snapshot', { window: '*' }, options)).json as unknown as Snapshot;
  }
}

async function lastPage(name: string, page: (file: string) => Promise<void>): Promise<void> {
  try {
    mkdirSync(TRACES, { recursive: true, mode: 0o700 });
    await page(resolve(TRACES, `${name}.html`));
  } catch (error) {
    // Closing has to go on.
    debug('library', () => `no trace: ${String(error)}`);
  }
}
