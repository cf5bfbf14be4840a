import { applyEdits, modify, parseTree, type ParseError, findNodeAtLocation, getNodeValue } from 'jsonc-parser';
import { DesktopError } from '../../../shared/index.js';
import type { McpClient } from './clients.js';
import type { ServerCommand } from './server-command.js';

const NAME = 'deskwright';
/** Some editors begin a file with it; it is no part of the JSON. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The text of a client's file with Deskwright in it. All else in it stays to the letter, comments too, since the file
 * is a person's own; so does what they added to our entry.
 */
export function withServer(text: string, client: McpClient, server: ServerCommand): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return `${BYTE_ORDER_MARK}${withServer(text.slice(1), client, server)}`;
  const whole = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const tree = parseTree(whole, errors, { allowTrailingComma: true });
  const servers = tree && findNodeAtLocation(tree, [client.key]);
  if (!tree || errors.length > 0 || tree.type !== 'object' || (servers && servers.type !== 'object')) {
    throw new DesktopError(
      'bad_arguments',
      `${client.file} is not what ${client.name} reads${lineOf(whole, errors)}.`,
      {
        hint: 'Nothing was changed in it. Mend it, or put the lines in yourself: deskwright init --print',
      },
    );
  }
  const there = findNodeAtLocation(tree, [client.key, NAME]);
  if (there?.type !== 'object') return changed(whole, [client.key, NAME], entryOf(client, server));
  const { type, command, args } = getNodeValue(there) as Record<string, unknown>;
  let result = whole;
  // It was one by HTTP.
  if (type !== undefined && type !== 'stdio') result = changed(result, [client.key, NAME, 'type'], 'stdio');
  if (command !== server.command) result = changed(result, [client.key, NAME, 'command'], server.command);
  if (JSON.stringify(args) !== JSON.stringify(server.args)) {
    result = changed(result, [client.key, NAME, 'args'], server.args);
  }
  return result;
}

export function entryOf({ typed }: Pick<McpClient, 'typed'>, { command, args }: ServerCommand): object {
  return { ...(typed && { type: 'stdio' }), command, args };
}

/** Put in first: behind another it would take that one's lines apart to put a comma there. */
function changed(text: string, path: string[], value: unknown): string {
  const options = { formattingOptions: indentOf(text), getInsertionIndex: () => 0 };
  return applyEdits(text, modify(text, path, value, options));
}

/** As the file is written already. */
function indentOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function lineOf(text: string, [first]: readonly ParseError[]): string {
  return first ? ` (line ${text.slice(0, first.offset).split('\n').length} is no JSON)` : '';
}
