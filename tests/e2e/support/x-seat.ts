import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import type { Launched, PrivateDesktop } from '../../../src/drivers/contract/index.js';
import { bootPrivateDesktop } from '../../../src/drivers/linux/private-desktop/boot.js';
import { openDisplay, type XDisplay } from '../../../src/drivers/linux/x11/display.js';
import type { XWindow } from '../../../src/drivers/linux/x11/windows/window.js';
import { Deadline } from '../../../src/shared/index.js';

export type Env = Readonly<Record<string, string>>;

export const soon = (): Deadline => Deadline.in(10_000);

/** Until it stops throwing; the last error is the test's. */
export const eventually = <T>(check: () => Promise<T> | T): Promise<T> =>
  vi.waitFor(check, { timeout: 20_000, interval: 30 });

export interface XSeat {
  seat: PrivateDesktop;
  env: Env;
  display: XDisplay;
  launch(command: string, ...args: string[]): Promise<Launched>;
  /** The one window that `match` fits, once it is there and drawn. */
  window(match: (window: XWindow) => boolean): Promise<XWindow>;
  windows(): Promise<XWindow[]>;
  stop(): Promise<void>;
}

export async function openXSeat(options: { monitors?: 1 | 2 } = {}): Promise<XSeat> {
  const directory = await mkdtemp(join(tmpdir(), 'dp-x-'));
  const seat = await bootPrivateDesktop({
    name: `x-${randomBytes(3).toString('hex')}`,
    size: { width: 1280, height: 800 },
    monitors: options.monitors ?? 1,
    visible: false,
    runtimeDir: join(directory, 'run'),
    homeDir: join(directory, 'home'),
  });
  const display = await openDisplay(seat.env, soon());
  const windows = (): Promise<XWindow[]> => display.windows(soon());
  return {
    seat,
    env: seat.env,
    display,
    windows,
    launch: (command, ...args) => seat.launch(command, args),
    window: (match) =>
      eventually(async () => {
        const found = (await windows()).filter(match);
        if (found.length !== 1) throw new Error(`${found.length} windows fit`);
        return found[0]!;
      }),
    stop: async () => {
      display.close();
      await seat.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A display with nothing on it but the server: no window manager, no bus. */
export interface BareX {
  env: Env;
  server: ChildProcess;
  stop(): Promise<void>;
}

export async function startBareX(options: { cookie?: boolean; depth?: number } = {}): Promise<BareX> {
  const directory = await mkdtemp(join(tmpdir(), 'dp-bare-'));
  const auth = join(directory, 'auth');
  const withCookie = options.cookie ?? true;
  await writeFile(auth, withCookie ? cookieFile() : '', { mode: 0o600 });
  const server = spawn(
    'Xvfb',
    [
      ...['-displayfd', '3', '-screen', '0', `640x480x${options.depth ?? 24}`, '-nolisten', 'tcp', '-noreset'],
      ...(withCookie ? ['-auth', auth] : []),
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const lines = createInterface({ input: server.stdio[3] as NodeJS.ReadableStream });
  const number = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    server.once('exit', () => reject(new Error('Xvfb did not start')));
  });
  return {
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', DISPLAY: `:${number}`, XAUTHORITY: auth, HOME: directory },
    server,
    stop: async () => {
      await end(server);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Any host, any number: what a display of ours gets. */
export function cookieFile(): Buffer {
  const name = 'MIT-MAGIC-COOKIE-1';
  const head = Buffer.from([0xff, 0xff, 0, 0, 0, 0, 0, name.length]);
  return Buffer.concat([head, Buffer.from(name), Buffer.from([0, 16]), randomBytes(16)]);
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

const exec = promisify(execFile);

/** Another program's word for it. */
export async function tool(env: Env, command: string, ...args: string[]): Promise<string> {
  return (await exec(command, args, { env: { ...env }, maxBuffer: 64 << 20 })).stdout;
}

/** What xwininfo says: place and size without border, in screen coordinates. */
export async function xwininfo(env: Env, ...args: string[]) {
  const text = await tool(env, 'xwininfo', ...args);
  const number = (label: string): number => Number(new RegExp(`${label}:\\s+(-?\\d+)`).exec(text)?.[1]);
  return {
    x: number('Absolute upper-left X'),
    y: number('Absolute upper-left Y'),
    width: number('Width'),
    height: number('Height'),
  };
}

/** What xwininfo says about the window manager's window around it, or about itself when there is none. */
export async function xframe(env: Env, xid: number) {
  const text = await tool(env, 'xwininfo', '-tree', '-id', String(xid));
  const [, id, root] = /Parent window id: (0x[0-9a-f]+)( \(the root window\))?/.exec(text)!;
  return xwininfo(env, '-id', root ? String(xid) : id!);
}

/** The fixture app: each command is answered when it is done. */
export class XFixture {
  private readonly answers: ((line: string) => void)[] = [];
  private readonly gone: Promise<never>;

  private constructor(readonly child: ChildProcess) {
    this.gone = new Promise((_, reject) => child.once('exit', () => reject(new Error('the fixture app ended'))));
    this.gone.catch(() => undefined); // an end between two commands is no failure
    createInterface({ input: child.stdout! }).on('line', (line) => this.answers.shift()?.(line));
  }

  static start(env: Env): Promise<XFixture> {
    return XFixture.of(env, '/usr/bin/python3', join(import.meta.dirname, 'x-fixture.py'));
  }

  /** A window without a toolkit, with commands of its own. */
  static bareWindow(env: Env): Promise<XFixture> {
    return XFixture.of(env, process.execPath, join(import.meta.dirname, '../../fixture-apps/bare-window.mjs'));
  }

  private static async of(env: Env, ...[command, script]: [string, string]): Promise<XFixture> {
    const child = spawn(command, [script], { env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    const fixture = new XFixture(child);
    await fixture.answer();
    return fixture;
  }

  /** The answer behind `ok`: a window's number for commands that make one. */
  async do(...words: (string | number)[]): Promise<string> {
    this.child.stdin!.write(`${words.join('|')}\n`);
    const line = await this.answer();
    if (!line.startsWith('ok')) throw new Error(line);
    return line.slice(3);
  }

  end(): Promise<void> {
    return end(this.child);
  }

  private answer(): Promise<string> {
    return Promise.race([new Promise<string>((resolve) => this.answers.push(resolve)), this.gone]);
  }
}
