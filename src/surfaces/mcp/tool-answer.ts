import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { CallAnswer } from '../../host/index.js';
import type { DesktopError } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';

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
