import { randomBytes } from 'node:crypto';
import { readlinkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { platform, runtimeBase } from '../../platform/index.js';
import { DesktopError } from '../../shared/index.js';
import { requestTool, callTool, printJson, printText } from './call-tool.js';
import type { Context, Flags } from './context.js';
import type { Arguments } from './tools/tool-command.js';

/**
 * An output file is never one of Deskproof's own: its policy, keys, logs, sockets or the policy of a project. Links
 * count as the file that they lead to.
 */
export function refuseOwnFile(file: string, env: NodeJS.ProcessEnv = process.env): void {
  const system = platform();
  const own = [system.configDirectory(env), system.dataDirectory(env), system.stateDirectory(env)];
  own.push(system.managedConfigDirectory, runtimeBase(env));
  const places = [resolve(file), endOfLinks(resolve(file))];
  const isOwn = (place: string): boolean =>
    /(^|\/)\.deskproof(\/|$)/.test(place) ||
    own.some((one) => isInside(place, resolve(one)) || isInside(place, endOfLinks(resolve(one))));
  if (!places.some(isOwn)) return;
  throw new DesktopError('bad_arguments', `${file} is one of Deskproof's own files or leads to one.`, {
    hint: 'Choose a file in another directory.',
    retry: 'no',
  });
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === '' || (way !== '..' && !way.startsWith('../'));
}

const MAX_LINKS = 40;

/** The path without links, also if its end does not exist yet. */
function endOfLinks(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist: a dangling link leads to the file that a write would create.
  }
  const parent = dirname(path);
  if (parent === path || links > MAX_LINKS) return path;
  try {
    return endOfLinks(resolve(parent, readlinkSync(path)), links + 1);
  } catch {
    return join(endOfLinks(parent, links + 1), basename(path)); // Not a link.
  }
}

/**
 * Writes a file that only its owner can read. An existing file is kept unless `force` is set. Then it is replaced as a
 * whole, so that neither its permissions nor a link target survive. `force` is absent for commands without that option.
 */
export function writeNewFile(file: string, text: string, force?: boolean): void {
  refuseOwnFile(file);
  const existing = statSync(file, { throwIfNoEntry: false });
  if (existing?.isDirectory())
    throw new DesktopError('bad_arguments', `${file} is a directory.`, { hint: 'Choose a file in it.' });
  try {
    if (!force) writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    else replace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new DesktopError('bad_arguments', `${file} already exists.`, {
        hint: force === undefined ? 'Choose another name.' : 'Choose another name, or replace it with --force.',
      });
    }
    throw new DesktopError('command_failed', `${file} cannot be written (${code ?? 'unknown'}).`, {
      hint: 'Choose another file: --out FILE',
      cause: error,
    });
  }
}

function replace(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Saves a screenshot to the file that the user named, or to one that Deskproof chooses and prints. */
export async function captureToFile(
  context: Context,
  tool: string,
  args: Arguments,
  flags: Flags & Arguments,
): Promise<void> {
  const { file } = flags;
  if (typeof file !== 'string') return callTool(context, tool, { output: 'file', ...args }, flags);
  if (args.output !== undefined) {
    throw new DesktopError('bad_arguments', '-o already names the output file, so --output cannot be used.', {
      hint: 'Omit --output.',
    });
  }
  if (file === '' || file === '-') {
    throw new DesktopError('bad_arguments', '-o requires a file name.', { hint: 'For example: -o calc.png' });
  }
  refuseOwnFile(file);
  const request = { ...args, ...(args.format === undefined && /^\.jpe?g$/i.test(extname(file)) && { format: 'jpeg' }) };
  const { answer, choice } = await requestTool(context, tool, request, flags, 'both');
  const { data, ...facts } = answer.json as { data: string };
  write(file, Buffer.from(data, 'base64'));
  if (flags.json) printJson(context, { ...facts, file: resolve(file) });
  // The file name comes first; the screenshot's id, for clicks in it, comes last.
  else
    printText(
      context,
      (answer.text ?? '').replace(/^(c\d+)(.*)$/m, (_, id: string, facts: string) => `${file}${facts}, ${id}`),
      choice,
    );
}

/** Only the owner can read the file, because it may show anything. */
function write(file: string, data: Buffer): void {
  // A link may have been made while the screenshot was taken.
  refuseOwnFile(file);
  try {
    writeFileSync(file, data, { mode: 0o600 });
  } catch (error) {
    throw new DesktopError('command_failed', `The screenshot cannot be written to ${file}.`, {
      hint: 'Choose another file: -o FILE',
      cause: error,
    });
  }
}
