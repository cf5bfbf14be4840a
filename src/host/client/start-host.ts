import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../config.js';
import { DesktopError, errorFor, type ErrorJson, LineSplitter } from '../../shared/index.js';
import type { HostOptions } from '../server/main.js';

/** What is new and soon forgotten may take 48 MB else; with less of it a host is as fast and stays small. */
const LITTLE_NEW = '--max-semi-space-size=2';

export interface StartedHost {
  pid: number;
  /** Lets go of a leashed host, which then ends. */
  release(): void;
}

export interface StartOptions {
  signal?: AbortSignal;
  /** The host's program; another one in tests. */
  program?: string;
  /** Its environment, when it is not ours. */
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** What the host says once on its leash. */
export type Readiness = { ready: true } | { failed: ErrorJson };

const STDERR_KEPT = 4_000;

/**
 * Starts the host process and waits until it serves. The leash is a socket pair on its file 3: the host reports
 * there, and while it starts (or for its whole life, with `leash`) it ends when our side closes, which the kernel
 * does for us even after kill -9.
 */
export async function startHost(options: HostOptions, start: StartOptions = {}): Promise<StartedHost> {
  const program = start.program ?? fileURLToPath(new URL('../server/main.js', import.meta.url));
  // It stays when the host has ended, however it ended: that is when one wants to read it.
  const logFile = join(options.base, `${options.key}.log`);
  const log = readConfig().debug ? openSync(logFile, 'a', 0o600) : undefined;
  const child = spawn(process.execPath, [LITTLE_NEW, program, JSON.stringify(options)], {
    detached: true,
    cwd: '/',
    ...(start.env && { env: start.env }),
    stdio: ['ignore', 'ignore', log ?? 'pipe', 'pipe'],
  });
  if (log !== undefined) closeSync(log);
  const leash = child.stdio[3] as Duplex;
  try {
    const { desktop } = options;
    await untilReady(child, leash, start, { logFile, ...(desktop.kind === 'virtual' && { name: desktop.name }) });
  } catch (error) {
    leash.destroy();
    throw error;
  } finally {
    child.stderr?.destroy();
    child.unref();
  }
  if (options.leash) (leash as Duplex & { unref?: () => void }).unref?.();
  else leash.destroy();
  return { pid: child.pid ?? 0, release: () => leash.destroy() };
}

interface Starting {
  logFile: string;
  /** Of a private desktop. */
  name?: string;
}

function untilReady(child: ChildProcess, leash: Duplex, start: StartOptions, about: Starting): Promise<void> {
  const { logFile, name } = about;
  const hint = `Run it again with DESKPROOF_DEBUG=host and look at ${logFile}`;
  return new Promise<void>((resolve, reject) => {
    const lines = new LineSplitter(1024 * 1024);
    let said = '';
    const timeoutMs = start.timeoutMs ?? 30_000;
    const late = setTimeout(() => {
      fail(new DesktopError('timeout', `The desktop did not start within ${timeoutMs / 1000} s.`, { hint }));
    }, timeoutMs);
    const abort = () => fail(new DesktopError('cancelled', 'Starting the desktop was cancelled.'));
    const done = () => {
      clearTimeout(late);
      start.signal?.removeEventListener('abort', abort);
    };
    const fail = (error: DesktopError) => {
      done();
      reject(error);
    };
    start.signal?.addEventListener('abort', abort, { once: true });
    if (start.signal?.aborted) abort();

    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-STDERR_KEPT)));
    child.once('error', (error) => {
      fail(new DesktopError('command_failed', 'The host process could not be started.', { cause: error }));
    });
    child.once('close', (code, signal) => {
      const details = { stderr: said };
      fail(
        new DesktopError('command_failed', `The host ended while starting (${signal ?? `exit code ${code}`}).`, {
          hint,
          details,
        }),
      );
    });
    leash.on('error', () => undefined); // Its closing is told by the child's own end.
    leash.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        const message = JSON.parse(line) as Readiness;
        if ('failed' in message) return fail(DesktopError.fromJSON(errorFor(name, message.failed)));
        done();
        resolve();
      }
    });
  });
}
