import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { DesktopError } from '../../shared/index.js';
import { askTool, callTool, printJson, printText } from './call-tool.js';
import type { Context, Flags } from './context.js';
import type { Arguments } from './tools/tool-command.js';

/**
 * A file that only its owner can read. One that is there stays, unless `force`: then it is replaced as a whole, so that
 * neither its rights nor where it points to live on.
 */
export function writeNew(file: string, text: string, force: boolean): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory())
    throw new DesktopError('bad_arguments', `${file} is a directory.`, { hint: 'Name a file in it.' });
  try {
    if (!force) writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    else replace(file, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new DesktopError('bad_arguments', `${file} is there already.`, {
        hint: 'Choose another name, or replace it: --force',
      });
    }
    throw new DesktopError('command_failed', `${file} cannot be written (${code ?? 'unknown'}).`, {
      hint: 'Choose another place: --out FILE',
      cause: error,
    });
  }
}

function replace(file: string, text: string): void {
  const beside = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(beside, text, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}

const TOOL = 'ui_capture';

/** A picture into the file that the person names, else into one that Deskproof chooses and tells. */
export async function captureToFile(context: Context, args: Arguments, flags: Flags & Arguments): Promise<void> {
  const { file } = flags;
  if (typeof file !== 'string') return callTool(context, TOOL, { output: 'file', ...args }, flags);
  if (args.output !== undefined) {
    throw new DesktopError('bad_arguments', 'The picture goes to the file that -o names: --output does not fit.', {
      hint: 'Leave --output out.',
    });
  }
  if (file === '' || file === '-') {
    throw new DesktopError('bad_arguments', '-o takes the name of a file.', { hint: 'For example: -o calc.png' });
  }
  const asked = { ...args, ...(args.format === undefined && /^\.jpe?g$/i.test(extname(file)) && { format: 'jpeg' }) };
  const { answer, choice } = await askTool(context, TOOL, asked, flags, 'both');
  const { data, ...facts } = answer.json as { data: string };
  write(file, Buffer.from(data, 'base64'));
  if (flags.json) printJson(context, { ...facts, file: resolve(file) });
  // The file stands where the picture's own ref would.
  else
    printText(
      context,
      (answer.text ?? '').replace(/^c\d+/, () => file),
      choice,
    );
}

/** Readable by its owner alone: it may show anything. */
function write(file: string, data: Buffer): void {
  try {
    writeFileSync(file, data, { mode: 0o600 });
  } catch (error) {
    throw new DesktopError('command_failed', `The picture cannot be written to ${file}.`, {
      hint: 'Choose another place: -o FILE',
      cause: error,
    });
  }
}
