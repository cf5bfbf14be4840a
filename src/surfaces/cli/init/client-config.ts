import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { DesktopError } from '../../../shared/index.js';
import type { McpClient } from './clients.js';
import type { ServerCommand } from './init.js';

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

/** A text, and what was taken out of it and put in, to the letter and with nothing of what is around it. */
export interface Rewritten {
  text: string;
  out: string;
  into: string;
}

/**
 * The text with a value at a path of its objects. Nothing else is touched: what formats whole lines would reflow a file
 * that is written in one.
 */
export function setProperty(text: string, path: readonly string[], value: unknown): Rewritten {
  const tree = parseTree(text, [], { allowTrailingComma: true })!;
  const there = findNodeAtLocation(tree, [...path]);
  if (there) return replaced(text, there, value);
  const [name, ...above] = [...path].reverse() as [string, ...string[]];
  const parent = findNodeAtLocation(tree, above.reverse());
  return parent ? putIn(text, parent, name, value) : setProperty(text, path.slice(0, -1), { [name]: value });
}

function replaced(text: string, there: Node, value: unknown): Rewritten {
  const property = there.parent!;
  const old = text.slice(there.offset, there.offset + there.length);
  const lined =
    old.includes('\n') || (typeof value === 'object' && there.type !== 'array' && inLines(text, property.parent!));
  const written = lined ? linesOf(value, text, indentAt(text, there.offset)) : JSON.stringify(value);
  const label = text.slice(property.offset, there.offset);
  return {
    text: `${text.slice(0, there.offset)}${written}${text.slice(there.offset + there.length)}`,
    out: `${label}${old}`,
    into: `${label}${written}`,
  };
}

/** As the first: behind another it would need a comma among what is not ours. */
function putIn(text: string, parent: Node, name: string, value: unknown): Rewritten {
  const at = parent.offset + 1;
  const [first] = parent.children!;
  const comma = first ? ',' : '';
  const label = JSON.stringify(name);
  const insert = (before: string, into: string, after: string): Rewritten => ({
    ...{ text: `${text.slice(0, at)}${before}${into}${after}${text.slice(at)}`, out: '', into },
  });
  if (!inLines(text, parent)) {
    const [space] = /^ */.exec(text.slice(at))!;
    return insert(space, `${label}:${space}${JSON.stringify(value)}${comma}`, '');
  }
  const outer = indentAt(text, parent.offset);
  const inner = /\n([ \t]*)$/.exec(text.slice(0, first?.offset ?? 0))?.[1] ?? `${outer}${unitOf(text)}`;
  const eol = eolOf(text);
  const closed = text.slice(at, parent.offset + parent.length).includes('\n');
  const into = `${inner}${label}: ${linesOf(value, text, inner)}${comma}`;
  return insert(eol, into, closed ? '' : `${eol}${outer}`);
}

/** Whether what is in an object stands on lines of its own. An empty one is like the rest of the file. */
function inLines(text: string, { offset, length, children }: Node): boolean {
  const [first] = children!;
  if (first) return text.slice(offset, first.offset).includes('\n');
  const isAll = text.trim().length === length;
  return isAll || text.trim().includes('\n');
}

function linesOf(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** Of the line that a place is in. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];
}
