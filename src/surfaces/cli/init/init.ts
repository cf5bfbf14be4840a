import {
  realpathSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { VERSION } from '../../../config.js';
import { checkDesktopName } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { userIsHere, confirm } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { serverEntry, addServer, type ConfigChange } from './client-config.js';
import { isInstalled, knownClients, type McpClient } from './clients.js';
import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';

export interface InitFlags extends Flags {
  print?: boolean;
}

/** Adds Deskproof to the configuration of each installed client, after the user has confirmed the change. */
export async function init(context: Context, flags: InitFlags): Promise<void> {
  const { desktop } = flags;
  // Checked here, so that not every client start fails with it.
  if (desktop !== undefined && desktop !== 'user' && desktop !== 'virtual') checkDesktopName(desktop);
  const server = serverCommand(desktop);
  if (flags.print || flags.json) return print(context, flags, server);
  const found = knownClients(context.env).filter(isInstalled);
  if (found.length === 0) {
    throw new DesktopError('command_failed', 'No supported client was found (Claude, VS Code, Cursor).', {
      hint: 'For other clients, run: deskproof init --print',
    });
  }
  for (const client of found) await connect(context, client, server);
}

/** A client that cannot be connected does not stop the others. */
async function connect(context: Context, client: McpClient, server: ServerCommand): Promise<void> {
  const { terminal } = context;
  terminal.out(`${terminal.paint('bold', client.name)}  ${client.file}\n`);
  try {
    const lines = changedLines(addServer(readUserFile(client.file), client, server));
    if (lines.length === 0) return terminal.out('  already connected\n');
    for (const line of lines) {
      terminal.out(`  ${terminal.paint(line.startsWith('+') ? 'green' : 'red', safeForTerminal(line))}\n`);
    }
    if (!userIsHere()) return terminal.out('  not written: run this command in a terminal to confirm\n');
    if (!(await confirm('  Write this change?', context.signal))) return terminal.out('  not written\n');
    // Read again, because the client may have changed the file in the meantime.
    writeUserFile(client.file, addServer(readUserFile(client.file), client, server).text);
    terminal.out(`  written; in ${client.name}: ${client.reloadHint}\n`);
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    context.exitCode = 1;
    terminal.out(`  ${terminal.paint('red', safeForTerminal(error.message))}\n  ${error.hint ?? ''}\n`);
  }
}

function print(context: Context, flags: InitFlags, server: ServerCommand): void {
  const clients = knownClients(context.env).map((client) => ({
    client: client.name,
    file: client.file,
    installed: isInstalled(client),
    entry: { [client.key]: { deskproof: serverEntry(client, server) } },
  }));
  if (flags.json) return printJson(context, { schema: 1, clients });
  for (const { client, file, entry } of clients) {
    context.terminal.out(`${client}, in ${file}:\n${JSON.stringify(entry, undefined, 2)}\n\n`);
  }
  const words = [server.command, ...server.args].join(' ');
  context.terminal.out(`Any other client, over stdio:\n${words}\n`);
}

/** The lines that a change removes and adds. The surrounding text is not shown, because it may contain keys. */
export function changedLines({ changes }: ConfigChange): string[] {
  return changes.flatMap(({ out, into }) => [
    ...linesOf(out).map((line) => `- ${line}`),
    ...linesOf(into).map((line) => `+ ${line}`),
  ]);
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/\r?\n/);
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command with which a client starts the server. A client started from a menu may not have this shell's PATH, so
 * the command contains the paths of the files that run now. Files that npx fetched for one run may be gone tomorrow, so
 * the command calls npx again, with this version. In a clone, npx fetches nothing and only creates a link.
 */
export function serverCommand(
  desktop: string | undefined,
  { node = process.execPath, script = process.argv[1] ?? '' } = {},
): ServerCommand {
  const words = ['mcp', ...(desktop === undefined ? [] : ['--desktop', desktop])];
  if (!isNpxCache(script)) return { command: node, args: [script, ...words] };
  const linked = realPath(script);
  if (!isNpxCache(linked)) return { command: node, args: [linked, ...words] };
  return { command: 'npx', args: ['-y', `deskproof@${VERSION}`, ...words] };
}

const isNpxCache = (path: string): boolean => /[\\/]_npx[\\/]/.test(path);

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Already deleted: npx will fetch it again.
  }
}

const ADD_MANUALLY = 'The file was not changed. Add the lines yourself: deskproof init --print';

/** Reads a file. A missing file is empty. */
export function readUserFile(file: string): string {
  const bytes = readBytes(file);
  // Decoding it as UTF-8 and writing it again would lose these bytes.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new DesktopError('command_failed', `${file} is not encoded in UTF-8.`, { hint: ADD_MANUALLY });
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw failed(file, 'read', error);
  }
}

/**
 * Replaces the file atomically, with its permissions, and at the end of a link: many users keep such files elsewhere.
 */
export function writeUserFile(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const existing = statSync(file, { throwIfNoEntry: false });
    const target = existing ? realpathSync(file) : linkTarget(file);
    const temporary = `${target}.${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(temporary, text, { mode: existing ? existing.mode & 0o777 : 0o600, flag: 'wx' });
      renameSync(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (error) {
    throw failed(file, 'written', error);
  }
}

/** The target of a dangling link. Writing to the link's own path would destroy the link. */
function linkTarget(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? resolve(dirname(file), readlinkSync(file)) : file;
}

function failed(file: string, what: string, cause: unknown): DesktopError {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException;
  return new DesktopError('command_failed', `${file} cannot be ${what} (${code}).`, {
    hint: ADD_MANUALLY,
    cause,
  });
}
