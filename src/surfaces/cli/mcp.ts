import { InvalidArgumentError, type Command } from 'commander';
import { DesktopError } from '../../shared/index.js';
import type { Context, Flags } from './context.js';
import { withGuide } from './command-guide.js';

interface McpFlags extends Flags {
  structured?: boolean;
  tools?: string;
  http?: boolean;
  port?: number;
  address?: string;
  tokenFile?: string;
  allowedHost?: string[];
}

const HTTP_ONLY_FLAGS = {
  port: '--port',
  address: '--address',
  tokenFile: '--token-file',
  allowedHost: '--allowed-host',
};

const DESKTOP = 'With --desktop virtual, the server starts a new private desktop, which ends with the server.';

/** `deskproof mcp` starts the MCP server. */
export function mcpCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('mcp').description('Start an MCP server: over stdio for one client, or over HTTP for many.');
  command
    .option('--structured', 'add structured content to answers, for programs')
    .option('--tools <names>', 'list only these tools: ui_snapshot,ui_click')
    .option('--http', 'serve HTTP on this machine; the token is printed to stderr')
    .option('--port <number>', 'with --http: port; default is a free one', parsePort)
    .option('--address <address>', 'with --http: listen address; default 127.0.0.1, others need --token-file')
    .option('--token-file <file>', 'with --http: your own token, in a file that only you can read')
    .option('--allowed-host <host:port...>', 'with --http: another host name of this server')
    .addHelpText('after', `\n${DESKTOP}\nTo connect clients, run: deskproof init`);
  command.action(async () => {
    const flags = command.optsWithGlobals<McpFlags>();
    if (flags.http) return (await import('../mcp/index.js')).serveHttp(flags, context.signal);
    const [wrong] = Object.entries(HTTP_ONLY_FLAGS).filter(([name]) => flags[name as keyof McpFlags] !== undefined);
    if (wrong) throw new DesktopError('bad_arguments', `${wrong[1]} requires --http.`, { hint: 'Add --http.' });
    return (await import('../mcp/index.js')).serveStdio(flags, context.signal);
  });
  return withGuide(command, {
    overview: { group: 'Serve', usage: 'mcp [--http] [--structured]' },
    examples: [
      ['mcp --desktop virtual', 'use a new private desktop that ends with the client'],
      ['mcp --http --port 4100', 'serve several clients, with a token'],
    ],
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.');
}
