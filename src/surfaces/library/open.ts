import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../../config.js';
import { Desktops, writeInlinePolicy, checkProject, type HostClient } from '../../host/index.js';
import { debug, DesktopError } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import { auditLog } from './audit-log.js';
import { LinkedDesktop } from './desktop.js';
import { Failures, TRACES } from './failures.js';
import { Link } from './link.js';
import { checkOpen } from './check-options.js';
import type { OpenOptions } from './options.js';
import type { Desktop } from './surface.js';

const TIMEOUT_MS = 5_000;
const LOOK_MS = 2_000;

/**
 * Opens a desktop: a new private one by default, which ends with `close()`, with `await using`, and with this process.
 * The person's own (`user`) and one that runs already are only connected to.
 */
export async function openDesktop(options: OpenOptions = {}): Promise<Desktop> {
  checkOpen(options);
  const { timeoutMs = TIMEOUT_MS, trace = 'off', approve, signal } = options;
  const desktops = new Desktops(`deskproof ${VERSION} library`);
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
  const given = policy === undefined ? undefined : writeInlinePolicy(policy);
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
