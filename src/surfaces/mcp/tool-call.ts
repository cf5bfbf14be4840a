import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ClientCapabilities, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { AskedQuestion, CallAnswer, HostClient } from '../../host/index.js';
import { commandsFor } from '../../shared/index.js';
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

const whereToAnswer = ({ hello: { desktop } }: HostClient): string => commandsFor(desktop, 'deskproof approvals');

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
