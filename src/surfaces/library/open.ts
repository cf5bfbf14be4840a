import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { VERSION } from '../../config.js';
import { Desktops, writeInlinePolicy, checkProject, type HostClient } from '../../host/index.js';
import { debug, DesktopError } from '../../shared/index.js';
import type { Snapshot } from '../../tree/index.js';
import { auditLog } from './audit-log.js';
import { ConnectedDesktop } from './desktop.js';
import { FailureReporter, TRACE_DIRECTORY } from './failures.js';
import { Link } from './link.js';
import { checkOpenOptions } from './check-options.js';
import type { OpenOptions } from './options.js';
import type { Desktop } from './surface.js';

const DEFAULT_TIMEOUT_MS = 5_000;
const SNAPSHOT_TIMEOUT_MS = 2_000;

/**
 * Opens a desktop. By default it starts a new private one, which ends with `close()`, at the end of an `await using`
 * block, and with this process. The user's own desktop (`user`) and a running private desktop are only connected to.
 */
export async function openDesktop(options: OpenOptions = {}): Promise<Desktop> {
  checkOpenOptions(options);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, trace = 'off', approve, signal } = options;
  const desktops = new Desktops(`deskproof ${VERSION} library`);
  const { name, host, end } = await connect(desktops, options);
  const key = name === 'user' ? desktops.userKey : name;
  const audit = auditLog(() => desktops.logPlaces(key));
  const page = (file: string): Promise<void> => audit.exportHtml(file);
  const failures = new FailureReporter({
    name,
    trace,
    writePage: page,
    takeSnapshot: (window) => snapshotAfterFailure(link, window),
  });
  const link: Link = new Link(host, {
    ...{ session: randomBytes(6).toString('hex'), timeoutMs, approve },
    explain: (error, call) => failures.explain(error, call),
  });
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', aborted);
    if (trace === 'on') await writeFinalTrace(name, page);
    link.close();
    await end();
  };
  const desktop = new ConnectedDesktop({ name, link, audit, end: close });
  const aborted = (): void => {
    link.close();
    // Nothing awaits an abort; close() reports the error.
    desktop.close().catch((error: unknown) => debug('library', () => String(error)));
  };
  signal?.addEventListener('abort', aborted, { once: true });
  if (signal?.aborted) aborted();
  return desktop;
}

interface Connected {
  name: string;
  host: HostClient;
  end: () => Promise<void>;
}

async function connect(desktops: Desktops, options: OpenOptions): Promise<Connected> {
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
        await stopDesktop(desktops, name);
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

async function stopDesktop(desktops: Desktops, name: string): Promise<void> {
  try {
    await desktops.stop(name);
  } catch (error) {
    // The desktop may have ended by itself, which is the goal here.
    if (!(error instanceof DesktopError && error.code === 'driver_unavailable')) throw error;
  }
}

/** A snapshot of the screen after a failure. If the window is gone, all windows are shown. */
async function snapshotAfterFailure(link: Link, window: string | undefined): Promise<Snapshot> {
  const options = { timeoutMs: SNAPSHOT_TIMEOUT_MS };
  try {
    return (await link.call('ui_snapshot', { window: window ?? '*' }, options)).json as unknown as Snapshot;
  } catch (error) {
    if (window === undefined || !(error instanceof DesktopError)) throw error;
    return (await link.call('ui_snapshot', { window: '*' }, options)).json as unknown as Snapshot;
  }
}

async function writeFinalTrace(name: string, page: (file: string) => Promise<void>): Promise<void> {
  try {
    mkdirSync(TRACE_DIRECTORY, { recursive: true, mode: 0o700 });
    await page(resolve(TRACE_DIRECTORY, `${name}.html`));
  } catch (error) {
    // A failed trace must not keep the desktop from closing.
    debug('library', () => `cannot write the trace: ${String(error)}`);
  }
}
