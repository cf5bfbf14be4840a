import { open } from 'node:fs/promises';
import { DesktopError } from '../../../shared/index.js';
import type { Arguments } from './tool-command.js';

/** More than any list of steps needs. A larger file is the wrong file. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Replaces a file name by the file's content: the field itself, or an object with the field and others. */
export async function readFieldFromFile(args: Arguments, field: string): Promise<void> {
  const name = args[field];
  if (typeof name !== 'string') return;
  const value = parse(await readText(name), name, field);
  delete args[field];
  Object.assign(args, Array.isArray(value) ? { [field]: value } : value);
}

async function readText(name: string): Promise<string> {
  const from = name === '-' ? undefined : await openFile(name);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of from?.createReadStream() ?? process.stdin) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > MAX_BYTES) throw new DesktopError('bad_arguments', `${describeSource(name)} is larger than 4 MB.`);
    }
    return Buffer.concat(parts).toString('utf8');
  } catch (error) {
    throw error instanceof DesktopError ? error : unreadable(name, error);
  } finally {
    await from?.close();
  }
}

async function openFile(name: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(name, 'r');
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, cause: unknown): DesktopError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const why = { ENOENT: 'it does not exist', EISDIR: 'it is a directory', EACCES: 'permission denied' }[code];
  return new DesktopError('bad_arguments', `${describeSource(name)} cannot be read: ${why ?? code}.`, {
    hint: 'Give a file with JSON, or - for standard input.',
    cause,
  });
}

function parse(text: string, name: string, field: string): object {
  const hint = `Expected a list such as [{"tool":"ui_click","target":"button:Save"}], or {"${field}":[…]}.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DesktopError('bad_arguments', `${describeSource(name)} is not valid JSON.`, { hint, cause });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new DesktopError('bad_arguments', `${describeSource(name)} does not contain a list of ${field}.`, { hint });
}

function describeSource(name: string): string {
  return name === '-' ? 'Standard input' : `The file ${JSON.stringify(name.slice(0, 200))}`;
}
