import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PrivateDesktopOptions } from '../../../src/drivers/contract/index.js';
import { DesktopError } from '../../../src/shared/index.js';

const run = promisify(execFile);

/** A place for one seat: its directories do not exist yet, and what is left in it can be seen. */
export class SeatRoom {
  readonly base = mkdtempSync(join(tmpdir(), 'dp-'));

  options(changes: Partial<PrivateDesktopOptions> = {}): PrivateDesktopOptions {
    const size = { width: 1024, height: 768 };
    const places = { runtimeDir: join(this.base, 'r'), homeDir: join(this.base, 'h') };
    return { name: 'test', size, monitors: 1, visible: false, ...places, ...changes };
  }

  /** Names of files and directories that are still there. */
  left(): string[] {
    return readdirSync(this.base);
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Every living process with the seat's marker, seen by this test's own eyes: "pid command". */
export function processesOf(id: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => readText(`/proc/${pid}/environ`).split('\0').includes(`DESKPROOF_SEAT=${id}`))
    .filter((pid) => !/^State:\s+[ZX]/m.test(readText(`/proc/${pid}/status`)))
    .map((pid) => `${pid} ${readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`);
}

/** Lock and socket of a display that is no longer used. A new display may already have the number. */
export function displayFilesOf(display: string): string[] {
  const number = display.slice(1);
  const lock = `/tmp/.X${number}-lock`;
  const holder = readText(lock).trim();
  if (holder !== '' && existsSync(`/proc/${holder}`)) return [];
  return [lock, `/tmp/.X11-unix/X${number}`].filter((file) => existsSync(file));
}

/**
 * The longer it takes the less often it looks: a look takes from those that are waited for. That a tool refuses (its
 * window does not show yet, its app does not answer yet) is one more thing that is waited out.
 */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + 60_000;
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 150)) {
    let cause: unknown;
    try {
      const seen = await look();
      if (seen) return seen;
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      cause = error;
    }
    if (Date.now() > end) throw new Error(`${what} did not happen in time`, { cause });
    await new Promise((wake) => setTimeout(wake, pause));
  }
}

/** What another program says when it runs with exactly this environment. */
export async function ask(
  command: string,
  args: string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  try {
    const { stdout, stderr } = await run(command, args, { env });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const failed = error as { code?: number; stdout?: string; stderr?: string };
    return { code: Number(failed.code ?? 1), output: `${failed.stdout}${failed.stderr}` };
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // Another user's process, or one that just ended.
  }
}
