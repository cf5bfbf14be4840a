import { resolve } from 'node:path';
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { DesktopDetails } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { closing, type Context, type Flags } from '../context.js';
import { commandWords } from './command-words.js';
import { stopIfRunning } from './stop.js';
import { insideSeat } from '../seat-environment.js';
import { parseMonitors, parseSize } from '../size.js';

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
