/** Keeps this process alive for as long as somebody waits: what is waited for may do nothing in it meanwhile. */
export function holding<T>(waited: Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, 60_000);
  return waited.finally(() => clearInterval(hold));
}
