/**
 * Log lines for debugging Deskproof itself: DESKPROOF_DEBUG=dbus,host or *. They go to stderr only and never contain
 * screen text.
 */
const enabledTopics = new Set((process.env.DESKPROOF_DEBUG ?? '').split(',').filter(Boolean));

export function debug(topic: string, message: () => string): void {
  if (enabledTopics.size === 0 || !(enabledTopics.has('*') || enabledTopics.has(topic))) return;
  process.stderr.write(`[deskproof ${topic}] ${message()}\n`);
}
