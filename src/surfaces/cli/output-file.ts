import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { requestTool, callTool, printJson, printText } from './call-tool.js';
import type { Context, Flags } from './context.js';
import type { Arguments } from './tools/tool-command.js';

/**
 * Writes a file that only its owner can read. An existing file is kept unless `force` is set. Then it is replaced as a
 * whole, so that neither its permissions nor a link target survive. `force` is absent for commands without that option.
 */
export function writeNewFile(file: string, text: string, force?: boolean): void {
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
  const request = { ...args, ...(args.format === undefined && /^\.jpe?g$/i.test(extname(file)) && { format: 'jpeg' }) };
  const { answer, choice } = await requestTool(context, tool, request, flags, 'both');
  const { data, ...facts } = answer.json as { data: string };
  write(file, Buffer.from(data, 'base64'));
  if (flags.json) printJson(context, { ...facts, file: resolve(file) });
  // The file name replaces the screenshot's id.
  else
    printText(
      context,
      (answer.text ?? '').replace(/^c\d+/, () => file),
      choice,
    );
}

/** Only the owner can read the file, because it may show anything. */
function write(file: string, data: Buffer): void {
  try {
    writeFileSync(file, data, { mode: 0o600 });
  } catch (error) {
    throw new DesktopError('command_failed', `The screenshot cannot be written to ${file}.`, {
      hint: 'Choose another file: -o FILE',
      cause: error,
    });
  }
}
