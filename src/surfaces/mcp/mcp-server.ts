import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { VERSION } from '../../config.js';
import type { CallAnswer } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Tool } from '../../tools/index.js';
import type { DesktopLink } from './desktop-link.js';
import { INSTRUCTIONS } from './instructions.js';
import { listed } from './listing.js';
import { answerOf, failureOf } from './tool-answer.js';

export interface ServerOptions {
  link: DesktopLink;
  tools: readonly Tool[];
  /** Whose grants and questions its calls are. */
  session: string;
  structured: boolean;
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** One client's server. It knows the tools, and has a desktop when the first call needs one. */
export function makeServer(options: ServerOptions): Server {
  const { tools } = options;
  const server = new Server(
    { name: 'deskwright', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    try {
      return answerOf(await call(options, tool, params.arguments ?? {}, extra), options.structured);
    } catch (error) {
      if (error instanceof DesktopError) return failureOf(error, options.structured);
      throw error;
    }
  });
  return server;
}

async function call(
  { link, session, structured }: ServerOptions,
  tool: Tool,
  args: Record<string, unknown>,
  { signal, _meta, sendNotification }: Extra,
): Promise<CallAnswer> {
  const host = await link.host();
  const progressToken = _meta?.progressToken;
  let told = 0;
  const onProgress = (done: number): void => {
    if (progressToken === undefined) return;
    // It must grow, also while nothing is read and a person thinks.
    told = Math.max(told + 1, done);
    void sendNotification({ method: 'notifications/progress', params: { progressToken, progress: told } });
  };
  const want = structured || tool.class === 'capture' ? 'both' : 'text';
  return host.request<CallAnswer>(
    'call',
    { tool: tool.name, args, want, caller: `mcp:${session}` },
    { signal, onProgress },
  );
}
