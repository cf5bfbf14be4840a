import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../config.js';
import { DesktopError, localiseError, type ErrorJson, LineSplitter } from '../../shared/index.js';
import type { HostOptions } from '../server/main.js';

/** Node's young generation may otherwise grow to 48 MB. With a smaller one a host is as fast and stays small. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=2';

export interface StartedHost {
  pid: number;
  /** Closes the parent link. A host that depends on it then ends. */
  release(): void;
}

interface StartOptions {
  signal?: AbortSignal;
  /** The program of the host; tests use another one. */
  program?: string;
  /** The environment of the host, if it is not that of this process. */
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** What the host reports once over its parent link. */
export type StartReport = { ready: true } | { failed: ErrorJson };

const STDERR_KEPT = 4_000;

/**
 * Starts the host process and waits until it serves. The parent link is a socket pair on its file descriptor 3: the
 * host reports there. While it starts (or, with `endWithParent`, for its whole life) the host ends when our side
 * closes. The kernel closes it even after kill -9.
 */
export async function startHost(options: HostOptions, start: StartOptions = {}): Promise<StartedHost> {
  const program = start.program ?? fileURLToPath(new URL('../server/main.js', import.meta.url));
  // The file is kept after the host has ended, because that is when it is needed.
  const logFile = join(options.base, `${options.key}.log`);
  const log = readConfig().debug ? openSync(logFile, 'a', 0o600) : undefined;
  const child = spawn(process.execPath, [SMALL_YOUNG_GENERATION, program, JSON.stringify(options)], {
    detached: true,
    cwd: '/',
    ...(start.env && { env: start.env }),
    stdio: ['ignore', 'ignore', log ?? 'pipe', 'pipe'],
  });
  if (log !== undefined) closeSync(log);
  const parentLink = child.stdio[3] as Duplex;
  try {
    const { desktop } = options;
    await waitUntilReady(child, parentLink, start, {
      logFile,
      ...(desktop.kind === 'virtual' && { name: desktop.name }),
    });
  } catch (error) {
    parentLink.destroy();
    throw error;
  } finally {
    child.stderr?.destroy();
    child.unref();
  }
  if (options.endWithParent) (parentLink as Duplex & { unref?: () => void }).unref?.();
  else parentLink.destroy();
  return { pid: child.pid ?? 0, release: () => parentLink.destroy() };
}

interface Starting {
  logFile: string;
  /** Name of the private desktop. */
  name?: string;
}

function waitUntilReady(child: ChildProcess, parentLink: Duplex, start: StartOptions, about: Starting): Promise<void> {
  const { logFile, name } = about;
  const hint = `Run it again with DESKPROOF_DEBUG=host and read ${logFile}`;
  return new Promise<void>((resolve, reject) => {
    const lines = new LineSplitter(1024 * 1024);
    let stderr = '';
    const timeoutMs = start.timeoutMs ?? 30_000;
    const timer = setTimeout(() => {
      fail(new DesktopError('timeout', `The desktop did not start within ${timeoutMs / 1000} s.`, { hint }));
    }, timeoutMs);
    const abort = () => fail(new DesktopError('cancelled', 'Starting the desktop was cancelled.'));
    const done = () => {
      clearTimeout(timer);
      start.signal?.removeEventListener('abort', abort);
    };
    const fail = (error: DesktopError) => {
      done();
      reject(error);
    };
    start.signal?.addEventListener('abort', abort, { once: true });
    if (start.signal?.aborted) abort();

    child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)));
    child.once('error', (error) => {
      fail(new DesktopError('command_failed', 'The host process could not be started.', { cause: error }));
    });
    child.once('close', (code, signal) => {
      const details = { stderr };
      fail(
        new DesktopError('command_failed', `The host ended while starting (${signal ?? `exit code ${code}`}).`, {
          hint,
          details,
        }),
      );
    });
    parentLink.on('error', () => undefined); // The end of the child process reports the same.
    parentLink.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) {
        const message = JSON.parse(line) as StartReport;
        if ('failed' in message) return fail(DesktopError.fromJSON(localiseError(name, message.failed)));
        done();
        resolve();
      }
    });
  });
}
