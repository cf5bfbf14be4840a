import type { Caller } from './trace.js';

/** `mcp s7`, `cli`, `replay:5f3a`: a session that says where it comes from needs no other word for it. */
export function callerText({ surface, session }: Caller): string {
  if (session === undefined) return surface;
  return session === surface || session.startsWith(`${surface}:`) ? session : `${surface} ${session}`;
}
