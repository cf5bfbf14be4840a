import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { DesktopError, type ErrorJson } from '../../shared/index.js';

/**
 * JSON lines on the host's socket. The client sends hello first; the host answers with its own hello or an error. Every
 * request has an id that the client chooses. Answers to it carry that id and end with `ok` or `error`.
 */
export const PROTOCOL = 1;
/**
 * The largest request: what an MCP client may send at once, plus our envelope. Large data goes in the other direction.
 */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024 + 64 * 1024;
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

const Hello = z.strictObject({
  hello: z.object({
    ...{ protocol: z.number().int(), version: z.string().max(64), client: z.string().max(200) },
    /** Where the client was started; its project may have a policy. */
    directory: z.string().max(4096).refine(isAbsolute).optional(),
  }),
});
const Id = z.number().int().nonnegative();
const Request = z.strictObject({ id: Id, do: z.string().max(64), with: z.unknown() });
const Cancel = z.strictObject({ cancel: Id });
export const FromClient = z.union([Hello, Request, Cancel]);
export type FromClient = z.infer<typeof FromClient>;

export interface HostHello {
  protocol: number;
  version: string;
  desktop: string;
  pid: number;
}

export type FromHost =
  | { hello: HostHello }
  | { id: number; ok: unknown }
  | { id: number; error: ErrorJson }
  | { id: number; progress: number }
  | { id: number; item: unknown }
  /** Not about one request: the connection ends, with the reason. */
  | { bye: ErrorJson };

/** The parameters of a request, or an error that names the wrong field. `what`: for the message. */
export function parseParams<T>(schema: z.ZodType<T>, params: unknown, what = 'request'): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'content';
  throw new DesktopError('bad_arguments', `The ${what}'s ${field} is not valid.`, {
    details: { issues: parsed.error.issues.map((issue) => issue.message) },
  });
}
