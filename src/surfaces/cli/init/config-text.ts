import { findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { DesktopError } from '../../../shared/index.js';
import type { McpClient } from './clients.js';
import type { ServerCommand } from './server-command.js';
import { setProperty, type Rewritten } from './set-property.js';

const NAME = 'deskproof';
/** Some editors begin a file with it; it is no part of the JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What becomes of a client's file. */
export interface WithServer {
  text: string;
  changes: readonly Omit<Rewritten, 'text'>[];
}

type Wanted = [path: string[], value: unknown];

/**
 * The text of a client's file with Deskproof in it. All else in it stays to the letter, comments too, since the file
 * is a person's own; so does what they added to our entry.
 */
export function withServer(text: string, client: McpClient, server: ServerCommand): WithServer {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const { text: rest, changes } = withServer(text.slice(1), client, server);
    return { text: `${BYTE_ORDER_MARK}${rest}`, changes };
  }
  const whole = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const tree = parseTree(whole, errors, { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [client.key]);
  if (!tree || errors.length > 0 || tree.type !== 'object' || (servers && servers.type !== 'object')) {
    throw refused(`${client.file} is not what ${client.name} reads${lineOf(whole, errors)}.`);
  }
  const there = servers && findNodeAtLocation(servers, [NAME]);
  // Readers take the last of them, and people may have meant the first.
  const twice = [
    ...repeated(tree, [client.key]),
    ...repeated(servers, [NAME]),
    ...repeated(there, ['type', 'command', 'args']),
  ];
  if (twice.length > 0) throw refused(`${client.file} has "${twice[0]}" twice in the same place.`);
  const at = [client.key, NAME];
  if (there?.type !== 'object') return rewritten(whole, [[at, entryOf(client, server)]]);
  const { type, command, args } = getNodeValue(there) as Record<string, unknown>;
  const wanted: Wanted[] = [];
  // It was one by HTTP.
  if (type !== undefined && type !== 'stdio') wanted.push([[...at, 'type'], 'stdio']);
  if (command !== server.command) wanted.push([[...at, 'command'], server.command]);
  if (JSON.stringify(args) !== JSON.stringify(server.args)) wanted.push([[...at, 'args'], server.args]);
  return rewritten(whole, wanted);
}

export function entryOf({ typed }: Pick<McpClient, 'typed'>, { command, args }: ServerCommand): object {
  return { ...(typed && { type: 'stdio' }), command, args };
}

function rewritten(whole: string, wanted: readonly Wanted[]): WithServer {
  const changes: Rewritten[] = [];
  for (const [path, value] of wanted) changes.push(setProperty(changes.at(-1)?.text ?? whole, path, value));
  return { text: changes.at(-1)?.text ?? whole, changes };
}

/** Those of the names that an object has more than once. */
function repeated(node: Node | undefined, names: readonly string[]): string[] {
  const keys = node?.type === 'object' ? node.children!.map(({ children }) => String(children![0]!.value)) : [];
  return names.filter((name) => keys.filter((key) => key === name).length > 1);
}

function refused(message: string): DesktopError {
  return new DesktopError('bad_arguments', message, {
    hint: 'Nothing was changed in it. Mend it, or put the lines in yourself: deskproof init --print',
  });
}

function lineOf(text: string, [first]: readonly ParseError[]): string {
  return first ? ` (line ${text.slice(0, first.offset).split('\n').length} is no JSON)` : '';
}
