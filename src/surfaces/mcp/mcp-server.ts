import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { VERSION } from '../../config.js';
import { DesktopError } from '../../shared/index.js';
import { AtOnce } from './at-once.js';
import { ClientLog } from './client-log.js';
import type { DesktopLink } from './desktop-link.js';
import { INSTRUCTIONS } from './instructions.js';
import { onCall } from './on-call.js';
import { Resources } from './resources.js';
import { rpcError } from './rpc-error.js';
import { answerOf, failureOf } from './tool-answer.js';
import { callTool } from './tool-call.js';
import type { ToolFace } from './tool-faces.js';

export interface ServerOptions {
  link: DesktopLink;
  tools: readonly ToolFace[];
  /** Whose grants and questions its calls are. */
  session: string;
  structured: boolean;
  /** One line for people, where no client reads it as an answer. */
  say: (line: string) => void;
}

/** One client's server. It knows the tools, and has a desktop when the first call needs one. */
export function makeServer({ link, tools, session, structured, say }: ServerOptions): Server {
  const server = new Server(
    { name: 'deskproof', version: VERSION },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, logging: {} },
      instructions: INSTRUCTIONS,
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  const caller = `mcp:${session}`;
  const log = new ClientLog(server);
  const calls = new AtOnce();
  const resources = new Resources(server, link, caller, calls);
  // What its person allowed ends with it, also where other clients go on with the same desktop.
  const offered = (): readonly ToolFace[] => {
    const names = link.offers();
    return names ? tools.filter(({ name }) => names.includes(name)) : tools;
  };
  let told: readonly ToolFace[] | undefined;
  const stop = link.onOffers(() => {
    if (!told || sameTools(told, offered())) return;
    told = undefined;
    log.write('notice', { event: 'other tools are offered' });
    // Whoever has gone need not know.
    server.sendToolListChanged().catch(() => undefined);
  });
  server.onclose = () => {
    stop();
    void link.leave(caller);
  };
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    await link.learnOffers();
    told = offered();
    const listing = told.map((tool) => tool.listing);
    if (!structured) return { tools: listing };
    const { withOutputs } = await import('./output-listing.js');
    return { tools: withOutputs(listing) };
  });
  onCall(server, async (params, extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) throw rpcError(ErrorCode.InvalidParams, `There is no tool ${JSON.stringify(params.name)}.`);
    const want = structured || tool.class === 'capture' ? 'both' : 'text';
    const call = { tool: tool.name, args: params.arguments ?? {}, want, caller } as const;
    const began = performance.now();
    const written = (outcome: string): void =>
      log.write('debug', { tool: tool.name, outcome, ms: Math.round(performance.now() - began) });
    try {
      const onAsked = (): void => log.write('notice', { tool: tool.name, event: 'a person is asked' });
      const client = { capabilities: server.getClientCapabilities(), say, onAsked };
      const answer = await calls.run(async () => callTool(await link.host(), call, client, extra));
      resources.keep(answer);
      written('ok');
      return answerOf(answer, structured);
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      written(error.code);
      return failureOf(error, structured);
    }
  });
  return server;
}

const sameTools = (some: readonly ToolFace[], others: readonly ToolFace[]): boolean =>
  some.length === others.length && some.every((tool, at) => tool === others[at]);

/** The SDK would make one, which takes long and is for elicitInput(); answers to our form are read in elicit.ts. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'Nothing is validated here.' }),
};
