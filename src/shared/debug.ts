/** Lines for whoever debugs Deskproof itself: DESKPROOF_DEBUG=dbus,host or * ; stderr only, never screen text. */
const wanted = new Set((process.env.DESKPROOF_DEBUG ?? '').split(',').filter(Boolean));

export function debug(topic: string, message: () => string): void {
  if (wanted.size === 0 || !(wanted.has('*') || wanted.has(topic))) return;
  process.stderr.write(`[deskproof ${topic}] ${message()}\n`);
}
