import { realpathSync } from 'node:fs';
import { VERSION } from '../../../config.js';
import { checkDesktopName } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { personIsHere, saysYes } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { entryOf, withServer, type WithServer } from './client-config.js';
import { isInstalled, knownClients, type McpClient } from './clients.js';
import { readOwn, writeOwn } from './own-file.js';

export interface InitFlags extends Flags {
  print?: boolean;
}

/** Tells the clients that are installed here of Deskproof, after a person has seen the change. */
export async function init(context: Context, flags: InitFlags): Promise<void> {
  const { desktop } = flags;
  // What is wrong with it is told here, and not by each client at its every start.
  if (desktop !== undefined && desktop !== 'user' && desktop !== 'virtual') checkDesktopName(desktop);
  const server = serverCommand(desktop);
  if (flags.print || flags.json) return print(context, flags, server);
  const found = knownClients(context.env).filter(isInstalled);
  if (found.length === 0) {
    throw new DesktopError('command_failed', 'No client was found: not Claude, VS Code or Cursor.', {
      hint: 'For any other: deskproof init --print',
    });
  }
  for (const client of found) await connect(context, client, server);
}

/** One that cannot be connected does not keep the others from it. */
async function connect(context: Context, client: McpClient, server: ServerCommand): Promise<void> {
  const { terminal } = context;
  terminal.out(`${terminal.paint('bold', client.name)}  ${client.file}\n`);
  try {
    const lines = changedLines(withServer(readOwn(client.file), client, server));
    if (lines.length === 0) return terminal.out('  connected already\n');
    for (const line of lines) {
      terminal.out(`  ${terminal.paint(line.startsWith('+') ? 'green' : 'red', safeForTerminal(line))}\n`);
    }
    if (!personIsHere()) return terminal.out('  not written: only a person at a terminal can say yes\n');
    if (!(await saysYes('  Write it?', context.signal))) return terminal.out('  not written\n');
    // The client itself may have written meanwhile: what it wrote stays.
    writeOwn(client.file, withServer(readOwn(client.file), client, server).text);
    terminal.out(`  written; in ${client.name}: ${client.then}\n`);
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
    entry: { [client.key]: { deskproof: entryOf(client, server) } },
  }));
  if (flags.json) return printJson(context, { schema: 1, clients });
  for (const { client, file, entry } of clients) {
    context.terminal.out(`${client}, in ${file}:\n${JSON.stringify(entry, undefined, 2)}\n\n`);
  }
  const words = [server.command, ...server.args].join(' ');
  context.terminal.out(`Any other client, by standard input and output:\n${words}\n`);
}

/** What a change takes out and puts in, line by line. What is around it is not shown: it may hold keys. */
export function changedLines({ changes }: WithServer): string[] {
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
 * How a client starts the server. A program that is started from a menu may not know this shell's PATH, so it is told
 * the very files that run now; what npx fetched for one run may be gone tomorrow, so that is asked of npx again, in
 * this version. In a clone npx fetches nothing: it only makes a link to it.
 */
export function serverCommand(
  desktop: string | undefined,
  { node = process.execPath, script = process.argv[1] ?? '' } = {},
): ServerCommand {
  const words = ['mcp', ...(desktop === undefined ? [] : ['--desktop', desktop])];
  if (!isOfNpx(script)) return { command: node, args: [script, ...words] };
  const linked = realOf(script);
  if (!isOfNpx(linked)) return { command: node, args: [linked, ...words] };
  return { command: 'npx', args: ['-y', `deskproof@${VERSION}`, ...words] };
}

const isOfNpx = (path: string): boolean => /[\\/]_npx[\\/]/.test(path);

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Gone already: then npx is asked again.
  }
}
