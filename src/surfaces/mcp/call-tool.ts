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
import type { PendingQuestion, CallAnswer, HostClient } from '../../host/index.js';
import { localiseHint, DesktopError } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';
import { supportsForms, elicitAnswer } from './elicit.js';

const PROGRESS_INTERVAL_MS = 5_000;

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

interface ToolCall {
  tool: string;
  args: Record<string, unknown>;
  want: 'text' | 'both';
  caller: string;
}

interface CallClient {
  capabilities: ClientCapabilities | undefined;
  /** Writes one line for the user to stderr, where no client parses it. */
  printLine: (line: string) => void;
  onApprovalRequested: () => void;
}

/** Runs one call: forwards progress to the client and approval requests to its user. */
export async function callTool(
  host: HostClient,
  call: ToolCall,
  client: CallClient,
  extra: Extra,
): Promise<CallAnswer> {
  const callEnded = new AbortController();
  /** Per approval request: aborted when it is closed, wherever it was answered. */
  const openRequests = new Map<string, AbortController>();
  const onItem = (item: unknown): void => {
    const { question, closed: id } = item as { question?: PendingQuestion; closed?: string };
    if (id !== undefined) openRequests.get(id)?.abort();
    if (!question) return;
    client.onApprovalRequested();
    client.printLine(`approval needed: ${question.shown.what}; to answer: ${whereToAnswer(host)}`);
    const requestClosed = new AbortController();
    openRequests.set(question.id, requestClosed);
    // Sent as part of the same request, because over HTTP it must reach the stream on which the client waits for its
    // result.
    void elicitAnswer(extra.sendRequest, host, question, AbortSignal.any([callEnded.signal, requestClosed.signal]));
  };
  const asks = supportsForms(client.capabilities) ? 'mcp' : 'none';
  const { signal } = extra;
  const onProgress = progressReporter(extra);
  // Clients cancel calls without progress, so progress is also sent when there is nothing to count.
  const progressTimer = setInterval(() => onProgress(0), PROGRESS_INTERVAL_MS);
  try {
    return await host.request<CallAnswer>('call', { ...call, asks }, { signal, onProgress, onItem });
  } finally {
    clearInterval(progressTimer);
    callEnded.abort();
  }
}

const whereToAnswer = ({ hello: { desktop } }: HostClient): string => localiseHint(desktop, 'deskproof approvals');

/** Reports progress to a client that asked for it. */
export function progressReporter({ _meta, sendNotification }: Extra): (done: number) => void {
  const progressToken = _meta?.progressToken;
  let reported = 0;
  return (done) => {
    if (progressToken === undefined) return;
    // The number must grow, even while the call waits for an approval.
    reported = Math.max(reported + 1, done);
    const progress = { method: 'notifications/progress' as const, params: { progressToken, progress: reported } };
    // A client that disconnected needs no progress; the signal ends its call.
    sendNotification(progress).catch(() => undefined);
  };
}

type SetRequestHandler = (
  this: Server,
  schema: z.ZodType,
  handler: (request: unknown, extra: Extra) => Promise<CallToolResult>,
) => void;

const AnyCall = z.looseObject({ method: z.literal('tools/call') });

/**
 * Handles tool calls. For a malformed request, the SDK would answer with the full output of its validator as an
 * internal error, so the request is parsed here and the problem is reported in one sentence.
 */
export function setCallToolHandler(
  server: Server,
  answer: (params: CallToolRequest['params'], extra: Extra) => Promise<CallToolResult>,
): void {
  (Protocol.prototype.setRequestHandler as unknown as SetRequestHandler).call(server, AnyCall, (request, extra) => {
    const read = CallToolRequestSchema.safeParse(request);
    if (read.success) return answer(read.data.params, extra);
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    const what = message.replace(/^Invalid input: /, '');
    throw rpcError(ErrorCode.InvalidParams, `This is not a valid tool call: ${path.join('.')}: ${what}.`);
  });
}

/** A screenshot in a structured answer. */
interface ImageData {
  data?: string;
  mimeType?: string;
}

/**
 * Returns only text, unless structured output was requested. If both are present, clients give the model the structured
 * content instead of the text, which costs many times the tokens and lacks the markers around text from apps.
 */
export function toCallResult({ text = '', json }: CallAnswer, structured: boolean): CallToolResult {
  const { data, mimeType, ...rest } = (json ?? {}) as ImageData & Record<string, unknown>;
  const image = data !== undefined && mimeType !== undefined ? [{ type: 'image' as const, data, mimeType }] : [];
  return {
    content: [{ type: 'text', text }, ...image],
    ...(structured && json && { structuredContent: { ...rest, ...(mimeType !== undefined && { mimeType }) } }),
  };
}

export function toErrorResult(error: DesktopError, structured: boolean): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: failureText(error) }],
    ...(structured && { structuredContent: { schema: 1, error: error.toJSON() } }),
  };
}

/**
 * A protocol error with our message only. The SDK's error class adds the code to the text, and clients add it again.
 */
export function rpcError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

export const MAX_CONCURRENT_CALLS = 16;

/** Limits the concurrent calls of one client, because other clients share the desktop. */
export class ConcurrencyLimit {
  private running = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_CONCURRENT_CALLS) {
      throw new DesktopError('rate_limited', `This client already has ${MAX_CONCURRENT_CALLS} calls in progress.`, {
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
