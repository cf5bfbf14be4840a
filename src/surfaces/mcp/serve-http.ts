import { VERSION } from '../../config.js';
import { Desktops } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { chooseTools, createMcpServer } from './server.js';
import { DesktopLink } from './desktop-link.js';
import { hostInUrl, loadToken } from './http/request-guard.js';
import { HttpServer } from './http/server.js';
import { Sessions } from './http/sessions.js';
import type { HttpFlags } from './serve.js';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Serves MCP clients over HTTP until the signal aborts. All of them share one desktop. */
export async function listenHttp(flags: HttpFlags, signal: AbortSignal): Promise<void> {
  const tools = chooseTools(flags.tools);
  const { address = '127.0.0.1', port = 0, tokenFile, allowedHost = [], structured = false } = flags;
  if (!LOOPBACK.test(address) && tokenFile === undefined) {
    throw new DesktopError(
      'bad_arguments',
      `${address} can be reached from other machines, so a token file is required.`,
      {
        hint: 'Add --token-file FILE, or omit --address.',
      },
    );
  }
  const token = loadToken(tokenFile);
  const printLine = (line: string): void => void process.stderr.write(`deskproof: ${line}\n`);
  const link = new DesktopLink({
    ...(flags.desktop !== undefined && { desktop: flags.desktop }),
    ...{ desktops: new Desktops(`deskproof ${VERSION} mcp`), env: process.env, printLine },
  });
  const sessions = new Sessions((id) => createMcpServer({ link, tools, session: id, structured, printLine }));
  const http = await HttpServer.listen({ address, port, token, allowedHosts: allowedHost, sessions });
  printLine(`MCP at http://${hostInUrl(address)}:${http.port}/mcp`);
  printLine(tokenFile === undefined ? `Authorization: Bearer ${token}` : `the token is in ${tokenFile}`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await http.close();
  await link.close();
}
