import type { IncomingMessage } from 'node:http';
import { DEEPEST, depthOf } from '../json-depth.js';

export const MOST_BYTES = 4 * 1024 * 1024;

export type Body = { value: unknown } | { status: 400 | 413; says: string };

/** The request's JSON, or why it is none. More than is taken is not kept. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const tooLong: Body = { status: 413, says: `A request has at most ${MOST_BYTES} bytes.` };
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) return tooLong;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return tooLong;
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (depthOf(text) > DEEPEST) return { status: 400, says: `A request is nested at most ${DEEPEST} deep.` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // What a parser says of it quotes the request; that it is no JSON is all there is to know.
    return { status: 400, says: 'The request is no JSON.' };
  }
}
