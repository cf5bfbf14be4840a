import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  type CallToolRequest,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { rpcError } from './rpc-error.js';
import type { Extra } from './tool-call.js';

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
