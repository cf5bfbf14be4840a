import { InvalidArgumentError, type Command } from 'commander';
import { DesktopError } from '../../shared/index.js';
import type { Context, Flags } from './context.js';

interface McpFlags extends Flags {
  structured?: boolean;
  tools?: string;
  http?: boolean;
  port?: number;
  address?: string;
  tokenFile?: string;
  allowedHost?: string[];
}

const ONLY_HTTP = { port: '--port', address: '--address', tokenFile: '--token-file', allowedHost: '--allowed-host' };

const DESKTOP = 'With --desktop virtual it brings a new private desktop, which ends with it.';

/** `deskproof mcp`: the other face, started from here. */
export function mcpCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('mcp').description('Serve MCP clients: the one that starts it, or many by HTTP.');
  command
    .option('--structured', 'add the answers as data, for programs')
    .option('--tools <names>', 'list fewer: ui_snapshot,ui_click')
    .option('--http', 'by HTTP on this machine; the token is told on standard error')
    .option('--port <number>', 'with --http: instead of a free one', portOf)
    .option('--address <address>', 'with --http: instead of 127.0.0.1; needs --token-file')
    .option('--token-file <file>', 'with --http: a token of yours, in a file that only you can read')
    .option('--allowed-host <host:port...>', 'with --http: another name of this server')
    .addHelpText('after', `\n${DESKTOP}\nHow clients are told of it: deskproof init`);
  command.action(async () => {
    const flags = command.optsWithGlobals<McpFlags>();
    if (flags.http) return (await import('../mcp/index.js')).serveHttp(flags, context.signal);
    const [wrong] = Object.entries(ONLY_HTTP).filter(([name]) => flags[name as keyof McpFlags] !== undefined);
    if (wrong) throw new DesktopError('bad_arguments', `${wrong[1]} goes with --http.`, { hint: 'Add --http.' });
    return (await import('../mcp/index.js')).serveStdio(flags, context.signal);
  });
  return command;
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('It is a number from 0 to 65535.');
}
