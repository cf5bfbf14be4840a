import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { DesktopError } from '../../../shared/index.js';
import type { McpClient } from './clients.js';
import type { ServerCommand } from './init.js';

const NAME = 'deskproof';
/** Some editors start a file with it. It is not part of the JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The new text of a client's file. */
export interface ConfigChange {
  text: string;
  changes: readonly Omit<TextChange, 'text'>[];
}

type PropertyChange = [path: string[], value: unknown];

/**
 * Adds Deskproof to the text of a client's file. The file belongs to the user, so everything else stays exactly as it
 * is, including comments and what the user added to our entry.
 */
export function addServer(text: string, client: McpClient, server: ServerCommand): ConfigChange {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const { text: rest, changes } = addServer(text.slice(1), client, server);
    return { text: `${BYTE_ORDER_MARK}${rest}`, changes };
  }
  const whole = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const tree = parseTree(whole, errors, { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [client.key]);
  if (!tree || errors.length > 0 || tree.type !== 'object' || (servers && servers.type !== 'object')) {
    throw unusableFile(`${client.file} is not a valid configuration of ${client.name}${errorLine(whole, errors)}.`);
  }
  const existing = servers && findNodeAtLocation(servers, [NAME]);
  // Parsers use the last of them, but the user may have meant the first.
  const duplicates = [
    ...duplicateKeys(tree, [client.key]),
    ...duplicateKeys(servers, [NAME]),
    ...duplicateKeys(existing, ['type', 'command', 'args']),
  ];
  if (duplicates.length > 0) throw unusableFile(`${client.file} contains "${duplicates[0]}" twice in the same object.`);
  const at = [client.key, NAME];
  if (existing?.type !== 'object') return applyChanges(whole, [[at, serverEntry(client, server)]]);
  const { type, command, args } = getNodeValue(existing) as Record<string, unknown>;
  const wanted: PropertyChange[] = [];
  // The entry used HTTP.
  if (type !== undefined && type !== 'stdio') wanted.push([[...at, 'type'], 'stdio']);
  if (command !== server.command) wanted.push([[...at, 'command'], server.command]);
  if (JSON.stringify(args) !== JSON.stringify(server.args)) wanted.push([[...at, 'args'], server.args]);
  return applyChanges(whole, wanted);
}

export function serverEntry(
  { namesTransport }: Pick<McpClient, 'namesTransport'>,
  { command, args }: ServerCommand,
): object {
  return { ...(namesTransport && { type: 'stdio' }), command, args };
}

function applyChanges(whole: string, wanted: readonly PropertyChange[]): ConfigChange {
  const changes: TextChange[] = [];
  for (const [path, value] of wanted) changes.push(setProperty(changes.at(-1)?.text ?? whole, path, value));
  return { text: changes.at(-1)?.text ?? whole, changes };
}

/** Returns the names that occur more than once in an object. */
function duplicateKeys(node: Node | undefined, names: readonly string[]): string[] {
  const keys = node?.type === 'object' ? node.children!.map(({ children }) => String(children![0]!.value)) : [];
  return names.filter((name) => keys.filter((key) => key === name).length > 1);
}

function unusableFile(message: string): DesktopError {
  return new DesktopError('bad_arguments', message, {
    hint: 'The file was not changed. Fix it, or add the lines yourself: deskproof init --print',
  });
}

function errorLine(text: string, [first]: readonly ParseError[]): string {
  return first ? ` (line ${text.slice(0, first.offset).split('\n').length} is not valid JSON)` : '';
}

/** A new text with exactly what was removed and inserted, without its surroundings. */
interface TextChange {
  text: string;
  out: string;
  into: string;
}

/** Sets a value at a path. Nothing else changes: a formatter that works on whole lines would reflow a one-line file. */
function setProperty(text: string, path: readonly string[], value: unknown): TextChange {
  const tree = parseTree(text, [], { allowTrailingComma: true })!;
  const existing = findNodeAtLocation(tree, [...path]);
  if (existing) return replaceValue(text, existing, value);
  const [name, ...above] = [...path].reverse() as [string, ...string[]];
  const parent = findNodeAtLocation(tree, above.reverse());
  return parent ? insertProperty(text, parent, name, value) : setProperty(text, path.slice(0, -1), { [name]: value });
}

function replaceValue(text: string, existing: Node, value: unknown): TextChange {
  const property = existing.parent!;
  const old = text.slice(existing.offset, existing.offset + existing.length);
  const lined =
    old.includes('\n') ||
    (typeof value === 'object' && existing.type !== 'array' && isMultiLine(text, property.parent!));
  const written = lined ? formatValue(value, text, indentAt(text, existing.offset)) : JSON.stringify(value);
  const label = text.slice(property.offset, existing.offset);
  return {
    text: `${text.slice(0, existing.offset)}${written}${text.slice(existing.offset + existing.length)}`,
    out: `${label}${old}`,
    into: `${label}${written}`,
  };
}

/** Inserts the property first: after another one it would need a comma in text that is not ours. */
function insertProperty(text: string, parent: Node, name: string, value: unknown): TextChange {
  const at = parent.offset + 1;
  const [first] = parent.children!;
  const comma = first ? ',' : '';
  const label = JSON.stringify(name);
  const insert = (before: string, into: string, after: string): TextChange => ({
    ...{ text: `${text.slice(0, at)}${before}${into}${after}${text.slice(at)}`, out: '', into },
  });
  if (!isMultiLine(text, parent)) {
    const [space] = /^ */.exec(text.slice(at))!;
    return insert(space, `${label}:${space}${JSON.stringify(value)}${comma}`, '');
  }
  const outer = indentAt(text, parent.offset);
  const inner = /\n([ \t]*)$/.exec(text.slice(0, first?.offset ?? 0))?.[1] ?? `${outer}${indentUnit(text)}`;
  const eol = eolOf(text);
  const closed = text.slice(at, parent.offset + parent.length).includes('\n');
  const into = `${inner}${label}: ${formatValue(value, text, inner)}${comma}`;
  return insert(eol, into, closed ? '' : `${eol}${outer}`);
}

/** Whether the object's properties are on their own lines. An empty object follows the rest of the file. */
function isMultiLine(text: string, { offset, length, children }: Node): boolean {
  const [first] = children!;
  if (first) return text.slice(offset, first.offset).includes('\n');
  const isAll = text.trim().length === length;
  return isAll || text.trim().includes('\n');
}

function formatValue(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, indentUnit(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const indentUnit = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];
}
