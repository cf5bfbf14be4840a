import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import type { DesktopDetails, LaunchAnswer } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { closing, type Context, type Flags, resolvePrivateName } from '../context.js';
import { parseMonitors, parseSize, parseTimeout } from '../option-values.js';
import { colourText } from '../terminal.js';
import { privateEnvironment } from './environment.js';
import { stopIfRunning } from './manage.js';

export interface LaunchFlags extends Flags {
  name?: string;
  timeoutMs?: string;
}

export async function desktopLaunch(context: Context, words: readonly string[], flags: LaunchFlags): Promise<void> {
  const { terminal } = context;
  const timeoutMs = flags.timeoutMs === undefined ? undefined : parseTimeout(flags.timeoutMs);
  const request = { ...splitCommand(words), cwd: workingDirectory(), timeoutMs };
  const name = await resolvePrivateName(context, flags.name ?? flags.desktop);
  const answer = await closing(await context.desktops.connectPrivate(name), (host) => {
    return host.request<LaunchAnswer>('launch', request, { signal: context.signal });
  });
  if (flags.json) terminal.out(`${JSON.stringify({ schema: 1, untrusted: true, ...answer })}\n`);
  else terminal.out(`${colourText(launchLine(answer), terminal.paint)}\n`);
}

/** `w2 window "Calculator" (gnome-calculator), pid 4711, 0.3 s`. The title comes from the app, so it is quoted. */
function launchLine({ window, pid, ms }: LaunchAnswer): string {
  return `${window.ref} ${window.role} ${JSON.stringify(window.title)} (${window.app}), pid ${pid}, ${(ms / 1000).toFixed(1)} s`;
}

/** The current directory. If it was deleted, undefined, which stands for the desktop's home directory. */
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
 * Runs a command in a private desktop with our stdin, stdout and stderr: in the named desktop if it is running, or in a
 * new one that ends with the command. The new one watches this process and also ends if we are killed.
 */
export async function desktopRun(context: Context, words: readonly string[], flags: RunFlags): Promise<void> {
  const { desktops } = context;
  splitCommand(words); // Check before a desktop is started for it.
  const named = flags.name ?? flags.desktop;
  const hasDisplayOptions = flags.size !== undefined || flags.monitors !== undefined || flags.visible !== undefined;
  if (named !== undefined && (await desktops.running()).includes(named)) {
    if (hasDisplayOptions) {
      throw new DesktopError(
        'bad_arguments',
        `The desktop "${named}" is already running, so its size cannot be changed.`,
        {
          hint: 'Omit --size, --monitors and --visible, or choose another name.',
        },
      );
    }
    const { env } = await closing(await desktops.connectPrivate(named), (host) => host.request<DesktopDetails>('info'));
    context.exitCode = await runOnDesktop(context, words, env);
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
    context.exitCode = await runOnDesktop(context, words, env);
  } finally {
    await stopIfRunning(context, name);
  }
}

function runOnDesktop(context: Context, words: readonly string[], desktopEnv: Record<string, string>): Promise<number> {
  const { command, args } = splitCommand(words);
  context.terminalIsLent = true;
  return new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env: privateEnvironment(context.env, desktopEnv) });
    // The terminal sends Ctrl-C to the command directly. Signals that only we get are passed on, and we wait until the
    // command ends.
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

/** Splits the words after `--` into program and arguments. */
function splitCommand(words: readonly string[]): { command: string; args: string[] } {
  const [command = '', ...args] = words;
  if (command.trim() !== '') return { command, args };
  throw new DesktopError('bad_arguments', 'The command is empty.', {
    hint: 'Add a program after the dashes, for example: -- mousepad notes.txt',
  });
}
