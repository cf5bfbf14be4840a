import { open } from 'node:fs/promises';
import { DesktopError } from '../../../shared/index.js';
import type { Arguments } from './tool-command.js';

/** More than any list of steps needs; what is larger is a wrong file. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Puts what the file says in place of its name: the field itself, or an object that has it and others. */
export async function fillFromFile(args: Arguments, field: string): Promise<void> {
  const name = args[field];
  if (typeof name !== 'string') return;
  const value = parse(await textOf(name), name, field);
  delete args[field];
  Object.assign(args, Array.isArray(value) ? { [field]: value } : value);
}

async function textOf(name: string): Promise<string> {
  const from = name === '-' ? undefined : await openFile(name);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of from?.createReadStream() ?? process.stdin) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > MOST_BYTES) throw new DesktopError('bad_arguments', `${called(name)} is larger than 4 MB.`);
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
  const why = { ENOENT: 'there is none', EISDIR: 'it is a directory', EACCES: 'it is not yours to read' }[code];
  return new DesktopError('bad_arguments', `${called(name)} cannot be read: ${why ?? code}.`, {
    hint: 'Name a file with JSON in it, or - for standard input.',
    cause,
  });
}

function parse(text: string, name: string, field: string): object {
  const hint = `a list: [{"tool":"ui_click","target":"button:Save"}], or {"${field}":[…]}.`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new DesktopError('bad_arguments', `${called(name)} is not JSON.`, { hint, cause });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new DesktopError('bad_arguments', `${called(name)} holds no list of ${field}.`, { hint });
}

function called(name: string): string {
  return name === '-' ? 'What came on standard input' : `The file ${JSON.stringify(name.slice(0, 200))}`;
}
