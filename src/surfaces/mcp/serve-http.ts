import { VERSION } from '../../config.js';
import { Desktops } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { chooseTools, makeServer } from './server.js';
import { DesktopLink } from './desktop-link.js';
import { inUrl, tokenFor } from './http/request-guard.js';
import { HttpServer } from './http/server.js';
import { Sessions } from './http/sessions.js';
import type { McpFlags } from './serve-stdio.js';

export interface HttpFlags extends McpFlags {
  port?: number;
  address?: string;
  tokenFile?: string;
  allowedHost?: string[];
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Serves MCP clients by HTTP until we are told to end. All of them work on one desktop. */
export async function serveHttp(flags: HttpFlags, signal: AbortSignal): Promise<void> {
  const tools = chooseTools(flags.tools);
  const { address = '127.0.0.1', port = 0, tokenFile, allowedHost = [], structured = false } = flags;
  if (!LOOPBACK.test(address) && tokenFile === undefined) {
    throw new DesktopError('bad_arguments', `${address} can be reached from elsewhere: that needs a token of yours.`, {
      hint: 'give --token-file FILE, or leave --address out.',
    });
  }
  const token = tokenFor(tokenFile);
  const say = (line: string): void => void process.stderr.write(`deskproof: ${line}\n`);
  const link = new DesktopLink({
    ...(flags.desktop !== undefined && { desktop: flags.desktop }),
    ...{ desktops: new Desktops(`deskproof ${VERSION} mcp`), env: process.env, say },
  });
  const sessions = new Sessions((id) => makeServer({ link, tools, session: id, structured, say }));
  const http = await HttpServer.listen({ address, port, token, allowedHosts: allowedHost, sessions });
  say(`MCP at http://${inUrl(address)}:${http.port}/mcp`);
  say(tokenFile === undefined ? `Authorization: Bearer ${token}` : `the token is in ${tokenFile}`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await http.close();
  await link.close();
}
