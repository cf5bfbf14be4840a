import { randomBytes } from 'node:crypto';
import { VERSION } from '../../config.js';
import { Desktops } from '../../host/index.js';
import { chooseTools, createMcpServer } from './server.js';
import { DesktopLink } from './desktop-link.js';
import { LineTransport } from './stdio-transport.js';

interface McpFlags {
  desktop?: string;
  structured?: boolean;
  /** Comma-separated names of the tools to list. */
  tools?: string;
}

/** Serves the client that started this process, until it closes stdin or the signal aborts. */
export async function serveStdio(flags: McpFlags, signal: AbortSignal): Promise<void> {
  const tools = chooseTools(flags.tools);
  const { env, stdin, stdout, stderr } = process;
  const printLine = (line: string): void => void stderr.write(`deskproof: ${line}\n`);
  const link = new DesktopLink({
    ...(flags.desktop !== undefined && { desktop: flags.desktop }),
    desktops: new Desktops(`deskproof ${VERSION} mcp`, env),
    env,
    printLine,
  });
  const session = randomBytes(4).toString('hex');
  const server = createMcpServer({ link, tools, session, structured: flags.structured === true, printLine });
  const transport = new LineTransport(stdin, stdout);
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(transport);
  await ended;
  await server.close();
  await link.close();
}

export interface HttpFlags extends McpFlags {
  port?: number;
  address?: string;
  tokenFile?: string;
  allowedHost?: string[];
}

/** Serves many clients over HTTP. Loaded on demand, so that the usual start over stdio does not read it. */
export async function serveHttp(flags: HttpFlags, signal: AbortSignal): Promise<void> {
  const { listenHttp } = await import('./serve-http.js');
  await listenHttp(flags, signal);
}
