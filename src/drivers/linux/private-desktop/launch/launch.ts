import type { StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { Deadline, DesktopError } from '../../../../shared/index.js';
import type { Launched, LaunchOptions, PrivateDesktop, ResolvedCommand } from '../../../contract/index.js';
import { bridgeVariables } from '../../toolkit-bridges.js';
import { DEFAULT_PATH, ACCESSIBILITY_VARIABLES } from '../home.js';
import { installCommand, packageOf } from '../requirements.js';
import type { Isolation } from '../services/isolation.js';
import { startProgram } from '../services/process.js';
import { withAppArguments } from './app-arguments.js';
import { findProgram } from './find-program.js';
import { InstalledApps } from './installed-apps.js';
import { resolveCommand } from './resolve-command.js';

/** Starts a program in its own session, without a shell, with the environment of the desktop. */
export async function launchProgram(
  env: Readonly<Record<string, string>>,
  command: string,
  args: readonly string[],
  options: LaunchOptions & { inUserSession?: boolean; isolation?: Isolation | undefined } = {},
): Promise<Launched> {
  const cwd = options.cwd ?? env.HOME ?? '/';
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new DesktopError('bad_arguments', `The working directory ${cwd} does not exist.`);
  }
  if ([command, ...args].some((word) => word.includes('\0')) || command === '') {
    throw new DesktopError('bad_arguments', 'The command is empty or contains a NUL character.');
  }
  const fullEnv = { ...env, ...options.env };
  const { authorized } = options;
  const program = findProgram(authorized?.path ?? command, fullEnv.PATH ?? '', cwd);
  if (!program) throw notFoundError(command);
  if (authorized && program.realPath !== authorized.program) throw programChangedError(authorized);
  if (!isDirectlyExecutable(program.realPath)) throw noInterpreterError(program.path);
  const isRoot = process.getuid?.() === 0;
  const allArgs = withAppArguments(program, args, {
    isRoot,
    home: fullEnv.HOME ?? cwd,
    inUserSession: options.inUserSession,
  });
  const { stdio, fd } = outputOf(options.output);
  try {
    const child = startProgram(program.path, allArgs, { cwd, env: fullEnv, stdio, isolation: options.isolation });
    const exited = new Promise<Awaited<Launched['exited']>>((resolve) =>
      child.once('exit', (code, signal) => resolve({ code, signal })),
    );
    const [stdout, stderr] = [bufferOutput(child.stdout), bufferOutput(child.stderr)];
    await once(child, 'spawn');
    const refusal = (): Promise<DesktopError | undefined> => refusalOf(fullEnv);
    return { pid: child.pid!, program: program.realPath, exited, refusal, ...(stdout && stderr && { stdout, stderr }) };
  } catch (error) {
    throw new DesktopError('command_failed', `${program.path} could not be started.`, {
      hint: 'If it is a script, check that the interpreter in its first line exists.',
      cause: error,
    });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const PROBE_MS = 1_000;

/** A display that has reached its maximum number of clients refuses a program, which then only ends. */
async function refusalOf(env: Readonly<Record<string, string>>): Promise<DesktopError | undefined> {
  if (!env.DISPLAY) return undefined;
  const [{ X11Client }, { parseDisplayName }, { readAuthFile }] = await Promise.all([
    import('../../x11/client.js'),
    import('../../x11/display.js'),
    import('../../x11/authority.js'),
  ]);
  try {
    const name = parseDisplayName(env.DISPLAY);
    (await X11Client.connect(name, await readAuthFile(env), Deadline.in(PROBE_MS))).close();
    return undefined;
  } catch (error) {
    return error instanceof DesktopError ? error : undefined;
  }
}

/** Node discards unread output of a program that has ended, and the caller may read it later. */
function bufferOutput(output: Readable | null): Readable | undefined {
  return output?.pipe(new PassThrough());
}

const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** The system would pass any other file to a shell, which runs arbitrary text. An unreadable file is tried. */
function isDirectlyExecutable(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return true; // An executable that cannot be read must be a binary: a shell could not read it either.
  }
  try {
    const head = Buffer.alloc(4);
    readSync(file, head);
    return head.equals(ELF_MAGIC) || head.toString('latin1', 0, 2) === '#!';
  } finally {
    closeSync(file);
  }
}

function noInterpreterError(path: string): DesktopError {
  return new DesktopError('command_failed', `${path} is not a program: it does not name an interpreter.`, {
    hint: 'If it is a script, its first line must name its interpreter: #!/bin/sh',
  });
}

function outputOf(output: LaunchOptions['output'] = 'ignore'): { stdio: StdioOptions; fd?: number } {
  if (typeof output === 'string') return { stdio: ['ignore', output, output] };
  try {
    const fd = openSync(output.file, 'a', 0o600);
    return { stdio: ['ignore', fd, fd], fd };
  } catch (error) {
    throw new DesktopError('bad_arguments', `Cannot write the output to ${output.file}.`, { cause: error });
  }
}

function programChangedError({ path }: ResolvedCommand): DesktopError {
  return new DesktopError('target_changed', `${path} is no longer the program that was authorized.`, {
    retry: 'safe',
    hint: 'Try again. Policy then evaluates the current program.',
    delivered: 'no',
  });
}

function notFoundError(command: string): DesktopError {
  const name = basename(command);
  const owner = packageOf(name);
  const isPath = command.includes('/');
  return new DesktopError('command_failed', isPath ? `${command} is not a program.` : `${name} not found in PATH.`, {
    hint:
      owner === undefined
        ? 'Check the name, or give the full path of the program.'
        : `It is in the Debian package ${owner}: ${installCommand([owner])}`,
  });
}

const INSTALLED_APPS = new InstalledApps();

/**
 * Starts programs in the user's own session. They belong to the user: no record of them is kept, their output is
 * discarded, and they keep running after we end.
 */
export function userSessionLauncher(
  env: Readonly<Record<string, string | undefined>>,
): Pick<PrivateDesktop, 'launch' | 'resolveCommand'> {
  /**
   * Evaluated at each launch, not when the session was opened: secrets have been removed from our environment since.
   */
  const currentEnvironment = (): Record<string, string> => {
    const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith('DESKPROOF_'));
    const own = Object.fromEntries(kept) as Record<string, string>;
    return { PATH: DEFAULT_PATH, ...own, ...ACCESSIBILITY_VARIABLES, ...bridgeVariables(own) };
  };
  return {
    launch: (command, args, { cwd, authorized } = {}) =>
      launchProgram(currentEnvironment(), command, args, {
        ...(cwd !== undefined && { cwd }),
        ...(authorized && { authorized }),
        ...{ output: 'ignore', inUserSession: true },
      }),
    resolveCommand: (command, args, { cwd } = {}) => {
      const { PATH = '', HOME = '/' } = currentEnvironment();
      return resolveCommand(command, args, { path: PATH, cwd: cwd ?? HOME, apps: INSTALLED_APPS });
    },
  };
}
