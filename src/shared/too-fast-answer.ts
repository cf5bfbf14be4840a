/**
 * Some programs answer prompts in place of the user. An answer that comes faster than a user can read the prompt does
 * not count as the user's. An MCP client shows a form; a terminal shows the prompt at once, but may hold input that was
 * typed earlier and was not meant for it.
 */
const READING_MS = { mcp: 700, terminal: 500 } as const;

/** True if the answer came too fast to be the user's. `PendingApprovals.answer` (MCP) and the terminal drop it. */
export function isTooFast(channel: keyof typeof READING_MS, tookMs: number): boolean {
  return tookMs < READING_MS[channel];
}
