import { randomBytes } from 'node:crypto';
import { VERSION } from '../../config.js';
import { Desktops } from '../../host/index.js';
import { chooseTools, makeServer } from './server.js';
import { DesktopLink } from './desktop-link.js';
import { LineTransport } from './stdio-transport.js';

export interface McpFlags {
  desktop?: string;
  structured?: boolean;
  /** Names of those to list, with commas between. */
  tools?: string;
}

/** Serves the client that started us, until it closes our input or we are told to end. */
export async function serveStdio(flags: McpFlags, signal: AbortSignal): Promise<void> {
  const tools = chooseTools(flags.tools);
  const { env, stdin, stdout, stderr } = process;
  const say = (line: string): void => void stderr.write(`deskproof: ${line}\n`);
  const link = new DesktopLink({
    ...(flags.desktop !== undefined && { desktop: flags.desktop }),
    desktops: new Desktops(`deskproof ${VERSION} mcp`, env),
    env,
    say,
  });
  const session = randomBytes(4).toString('hex');
  const server = makeServer({ link, tools, session, structured: flags.structured === true, say });
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
