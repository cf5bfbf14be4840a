import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { DesktopDetails, LaunchAnswer } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { closing, type Context, type Flags, privateName } from '../context.js';
import { parseMonitors, parseSize, parseTimeout } from '../option-values.js';
import { colourText } from '../terminal.js';
import { insideSeat } from './environment.js';
import { stopIfRunning } from './manage.js';

export interface LaunchFlags extends Flags {
  name?: string;
  timeoutMs?: string;
}

export async function desktopLaunch(context: Context, words: readonly string[], flags: LaunchFlags): Promise<void> {
  const { terminal } = context;
  const timeoutMs = flags.timeoutMs === undefined ? undefined : parseTimeout(flags.timeoutMs);
  const request = { ...commandWords(words), cwd: workingDirectory(), timeoutMs };
  const name = await privateName(context, flags.name ?? flags.desktop);
  const answer = await closing(await context.desktops.connectPrivate(name), (host) => {
    return host.request<LaunchAnswer>('launch', request, { signal: context.signal });
  });
  if (flags.json) terminal.out(`${JSON.stringify({ schema: 1, untrusted: true, ...answer })}\n`);
  else terminal.out(`${colourText(launchLine(answer), terminal.paint)}\n`);
}

/** `w2 window "Calculator" (gnome-calculator), pid 4711, 0.3 s`. The title is the app's own word, so it is quoted. */
export function launchLine({ window, pid, ms }: LaunchAnswer): string {
  return `${window.ref} ${window.role} ${JSON.stringify(window.title)} (${window.app}), pid ${pid}, ${(ms / 1000).toFixed(1)} s`;
}

/** Where the command was typed; undefined, which means the desktop's home, when that place is no more. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export interface RunFlags extends Flags {
  name?: string;
  size?: string;
  monitors?: string;
  visible?: boolean;
  policy?: string;
}

/**
 * A command in a private desktop, with our own stdin, stdout and stderr: in the named one when it runs, else in one
 * made for the command and gone with it. The temporary one is on a leash: it ends even when we are killed.
 */
export async function desktopRun(context: Context, words: readonly string[], flags: RunFlags): Promise<void> {
  const { desktops } = context;
  commandWords(words); // Before a desktop is started for it.
  const named = flags.name ?? flags.desktop;
  const shaped = flags.size !== undefined || flags.monitors !== undefined || flags.visible !== undefined;
  if (named !== undefined && (await desktops.running()).includes(named)) {
    if (shaped) {
      throw new DesktopError('bad_arguments', `The desktop "${named}" runs already; its size cannot be changed.`, {
        hint: 'Leave out --size, --monitors and --visible, or choose another name.',
      });
    }
    const { env } = await closing(await desktops.connectPrivate(named), (host) => host.request<DesktopDetails>('info'));
    context.exitCode = await runInside(context, words, env);
    return;
  }
  const { name, host } = await desktops.startPrivate({
    name: named,
    prefix: 'run',
    size: flags.size === undefined ? undefined : parseSize(flags.size),
    monitors: flags.monitors === undefined ? undefined : parseMonitors(flags.monitors),
    visible: flags.visible,
    ...(flags.policy !== undefined && { policyFile: resolve(flags.policy) }),
    leash: true,
    signal: context.signal,
  });
  try {
    const { env } = await closing(host, () => host.request<DesktopDetails>('info'));
    context.exitCode = await runInside(context, words, env);
  } finally {
    await stopIfRunning(context, name);
  }
}

function runInside(context: Context, words: readonly string[], seat: Record<string, string>): Promise<number> {
  const { command, args } = commandWords(words);
  context.terminalIsLent = true;
  return new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: insideSeat(context.env, seat) });
    // Ctrl-C reaches the command by the terminal itself; we pass on what was sent to us alone and wait for it to end.
    const pass = (signal: NodeJS.Signals) => () => child.kill(signal);
    const listeners = (['SIGTERM', 'SIGHUP'] as const).map((signal) => [signal, pass(signal)] as const);
    for (const [signal, listener] of listeners) process.on(signal, listener);
    const done = () => listeners.forEach(([signal, listener]) => process.off(signal, listener));
    child.once('error', (error: NodeJS.ErrnoException) => {
      done();
      const what = error.code === 'ENOENT' ? 'is not installed or not in PATH' : 'cannot be started';
      reject(new DesktopError('command_failed', `The program ${JSON.stringify(command)} ${what}.`, { cause: error }));
    });
    child.once('exit', (code, signal) => {
      done();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/** The program and its arguments behind `--`. */
export function commandWords(words: readonly string[]): { command: string; args: string[] } {
  const [command = '', ...args] = words;
  if (command.trim() !== '') return { command, args };
  throw new DesktopError('bad_arguments', 'The command is empty.', {
    hint: 'Name a program after the dashes: -- mousepad notes.txt',
  });
}
