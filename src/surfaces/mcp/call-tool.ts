import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol, type RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  type ClientCapabilities,
  ErrorCode,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { AskedQuestion, CallAnswer, HostClient } from '../../host/index.js';
import { localiseHint, DesktopError } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';
import { canAsk, elicitAnswer } from './elicit.js';

const TELL_MS = 5_000;

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

export interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  want: 'text' | 'both';
  caller: string;
}

export interface Client {
  capabilities: ClientCapabilities | undefined;
  /** One line for people, where no client reads it as an answer. */
  say: (line: string) => void;
  onAsked: () => void;
}

/** One call: the client hears how it goes, and its person is asked what a person has to be asked. */
export async function callTool(host: HostClient, call: ToolCall, client: Client, extra: Extra): Promise<CallAnswer> {
  const over = new AbortController();
  /** Of each question: until it is closed, wherever it was answered. */
  const closed = new Map<string, AbortController>();
  const onItem = (item: unknown): void => {
    const { question, closed: id } = item as { question?: AskedQuestion; closed?: string };
    if (id !== undefined) closed.get(id)?.abort();
    if (!question) return;
    client.onAsked();
    client.say(`a person is asked: ${question.shown.what}; to answer: ${whereToAnswer(host)}`);
    const gone = new AbortController();
    closed.set(question.id, gone);
    // Of the same request: by HTTP it goes where the client waits for the answer to its call.
    void elicitAnswer(extra.sendRequest, host, question, AbortSignal.any([over.signal, gone.signal]));
  };
  const asks = canAsk(client.capabilities) ? 'mcp' : 'nobody';
  const { signal } = extra;
  const onProgress = tellProgress(extra);
  // Clients give up a call that they hear nothing of, also where there is nothing to count.
  const going = setInterval(() => onProgress(0), TELL_MS);
  try {
    return await host.request<CallAnswer>('call', { ...call, asks }, { signal, onProgress, onItem });
  } finally {
    clearInterval(going);
    over.abort();
  }
}

const whereToAnswer = ({ hello: { desktop } }: HostClient): string => localiseHint(desktop, 'deskproof approvals');

/** Tells a client that asked for it how far a call is. */
export function tellProgress({ _meta, sendNotification }: Extra): (done: number) => void {
  const progressToken = _meta?.progressToken;
  let told = 0;
  return (done) => {
    if (progressToken === undefined) return;
    // It must grow, also while nothing is read and a person thinks.
    told = Math.max(told + 1, done);
    const progress = { method: 'notifications/progress' as const, params: { progressToken, progress: told } };
    // A client that has gone needs no progress; its call ends by the signal.
    sendNotification(progress).catch(() => undefined);
  };
}

type Handle = (
  this: Server,
  schema: z.ZodType,
  handler: (request: unknown, extra: Extra) => Promise<CallToolResult>,
) => void;

const AnyCall = z.looseObject({ method: z.literal('tools/call') });

/**
 * Calls of tools. The SDK's own way answers a call that is none with all that its validator says, as a fault of ours;
 * so the request is read here, and what is wrong with it is told in a sentence.
 */
export function onCall(
  server: Server,
  answer: (params: CallToolRequest['params'], extra: Extra) => Promise<CallToolResult>,
): void {
  (Protocol.prototype.setRequestHandler as unknown as Handle).call(server, AnyCall, (request, extra) => {
    const read = CallToolRequestSchema.safeParse(request);
    if (read.success) return answer(read.data.params, extra);
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    const what = message.replace(/^Invalid input: /, '');
    throw rpcError(ErrorCode.InvalidParams, `That is no call of a tool: ${path.join('.')}: ${what}.`);
  });
}

/** A picture in an answer for programs. */
interface Pictured {
  data?: string;
  mimeType?: string;
}

/**
 * Text alone, unless a program asked for more: clients hand a model the structured content instead of the text when
 * both are there, which costs many times as much and has no marks around what apps say.
 */
export function answerOf({ text = '', json }: CallAnswer, structured: boolean): CallToolResult {
  const { data, mimeType, ...rest } = (json ?? {}) as Pictured & Record<string, unknown>;
  const image = data !== undefined && mimeType !== undefined ? [{ type: 'image' as const, data, mimeType }] : [];
  return {
    content: [{ type: 'text', text }, ...image],
    ...(structured && json && { structuredContent: { ...rest, ...(mimeType !== undefined && { mimeType }) } }),
  };
}

export function failureOf(error: DesktopError, structured: boolean): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: failureText(error) }],
    ...(structured && { structuredContent: { schema: 1, error: error.toJSON() } }),
  };
}

/** An error of the protocol, in our words alone: the SDK's own class puts the code into the text, and clients do again. */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

export const MOST_AT_ONCE = 16;

/** What one client has under way. It is bounded, since others share the desktop with it and have to find room there. */
export class AtOnce {
  private running = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MOST_AT_ONCE) {
      throw new DesktopError('rate_limited', `${MOST_AT_ONCE} calls of this client are under way already.`, {
        retry: 'after',
        retryAfter: 'one of them has ended',
      });
    }
    this.running++;
    try {
      return await work();
    } finally {
      this.running--;
    }
  }
}
