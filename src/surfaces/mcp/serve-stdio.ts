import { randomBytes } from 'node:crypto';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { VERSION } from '../../config.js';
import { Desktops } from '../../host/index.js';
import { TOOLS } from '../../tools/index.js';
import { DesktopLink } from './desktop-link.js';
import { makeServer } from './mcp-server.js';

export interface McpFlags {
  desktop?: string;
  structured?: boolean;
}

/** Serves the client that started us, until it closes our input or we are told to end. */
export async function serveStdio(flags: McpFlags, signal: AbortSignal): Promise<void> {
  const { env, stdin, stdout, stderr } = process;
  const link = new DesktopLink({
    ...(flags.desktop !== undefined && { desktop: flags.desktop }),
    desktops: new Desktops(`deskwright ${VERSION} mcp`, env),
    env,
    say: (line) => stderr.write(`deskwright: ${line}\n`),
  });
  const session = randomBytes(4).toString('hex');
  const server = makeServer({ link, tools: TOOLS, session, structured: flags.structured === true });
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    server.onclose = resolve;
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await server.close();
  await link.close();
}
