import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { DesktopError } from '../../../../shared/index.js';
import type { Launched, LaunchOptions, PrivateDesktop, Start } from '../../../contract/index.js';
import { DEFAULT_PATH, DESCRIBING } from '../home.js';
import { installLine, packageOf } from '../requirements.js';
import { withAppArguments } from './app-arguments.js';
import { findProgram } from './find-program.js';
import { InstalledApps } from './installed-apps.js';
import { startOf } from './resolve-command.js';

/** Starts a program in a session of its own, without a shell, with the seat's environment. */
export async function launchProgram(
  env: Readonly<Record<string, string>>,
  command: string,
  args: readonly string[],
  options: LaunchOptions & { persons?: boolean } = {},
): Promise<Launched> {
  const cwd = options.cwd ?? env.HOME ?? '/';
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DesktopError('bad_arguments', `The working directory ${cwd} is not there.`);
  }
  if ([command, ...args].some((word) => word.includes('\0')) || command === '') {
    throw new DesktopError('bad_arguments', 'The command is empty or holds a NUL character.');
  }
  const whole = { ...env, ...options.env };
  const { judged } = options;
  const program = findProgram(judged?.path ?? command, whole.PATH ?? '', cwd);
  if (!program) throw notFound(command);
  if (judged && program.realPath !== judged.program) throw isAnother(judged);
  if (!runsByItself(program.realPath)) throw needsShell(program.path);
  const isRoot = process.getuid?.() === 0;
  const words = withAppArguments(program, args, { isRoot, home: whole.HOME ?? cwd, persons: options.persons });
  const { stdio, opened } = outputOf(options.output);
  try {
    const child = spawn(program.path, words, { cwd, env: whole, detached: true, stdio });
    const exited = new Promise<Awaited<Launched['exited']>>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const [stdout, stderr] = [kept(child.stdout), kept(child.stderr)];
    await once(child, 'spawn');
    return { pid: child.pid!, program: program.realPath, exited, ...(stdout && stderr && { stdout, stderr }) };
  } catch (error) {
    throw new DesktopError('command_failed', `${program.path} could not be started.`, {
      hint: 'If it is a script, see whether the interpreter in its first line is there.',
      cause: error,
    });
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Of a program that has ended Node throws away what nobody reads by then; whoever started it may come later. */
function kept(output: Readable | null): Readable | undefined {
  return output?.pipe(new PassThrough());
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** Anything else the system would hand to a shell, which does whatever the text says. What cannot be read is tried. */
function runsByItself(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return true; // Programs that may be run and not read are binaries: a shell could not read them either.
  }
  try {
    const head = Buffer.alloc(4);
    readSync(file, head);
    return head.equals(ELF) || head.toString('latin1', 0, 2) === '#!';
  } finally {
    closeSync(file);
  }
}

function needsShell(path: string): DesktopError {
  return new DesktopError('command_failed', `${path} is not a program: it does not say what it is run by.`, {
    hint: 'If it is a script, its first line must name its interpreter: #!/bin/sh',
  });
}

function outputOf(output: LaunchOptions['output'] = 'ignore'): { stdio: StdioOptions; opened?: number } {
  if (typeof output === 'string') return { stdio: ['ignore', output, output] };
  try {
    const opened = openSync(output.file, 'a', 0o600);
    return { stdio: ['ignore', opened, opened], opened };
  } catch (error) {
    throw new DesktopError('bad_arguments', `Cannot write the output to ${output.file}.`, { cause: error });
  }
}

function isAnother({ path }: Start): DesktopError {
  return new DesktopError('target_changed', `${path} is another program by now than the one that was allowed.`, {
    retry: 'safe',
    hint: 'try again: it is judged as it is now.',
    delivered: 'no',
  });
}

function notFound(command: string): DesktopError {
  const name = basename(command);
  const owner = packageOf(name);
  const isPath = command.includes('/');
  return new DesktopError('command_failed', isPath ? `${command} is not a program.` : `${name} not found in PATH.`, {
    hint:
      owner === undefined
        ? 'Check the name, or give the full path of the program.'
        : `It is in the Debian package ${owner}: ${installLine([owner])}`,
  });
}

const APPS = new InstalledApps();

/**
 * How programs are started in the person's own session. They are the person's: nobody keeps a record of them, their
 * output goes nowhere, and they stay when we end.
 */
export function ownSeat(env: Readonly<Record<string, string | undefined>>): Pick<PrivateDesktop, 'launch' | 'startOf'> {
  /** Now, and not when it was opened: what is secret in ours has been taken out since. */
  const here = (): Record<string, string> => {
    const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith('DESKPROOF_'));
    return { PATH: DEFAULT_PATH, ...(Object.fromEntries(kept) as Record<string, string>), ...DESCRIBING };
  };
  return {
    launch: (command, args, { cwd, judged } = {}) =>
      launchProgram(here(), command, args, {
        ...(cwd !== undefined && { cwd }),
        ...(judged && { judged }),
        ...{ output: 'ignore', persons: true },
      }),
    startOf: (command, args, { cwd } = {}) => {
      const { PATH = '', HOME = '/' } = here();
      return startOf(command, args, { path: PATH, cwd: cwd ?? HOME, apps: APPS });
    },
  };
}
