/** Keeps this process alive until what it answers is called: what is waited for may do nothing in it meanwhile. */
export function hold(): () => void {
  const timer = setInterval(() => undefined, 60_000);
  return () => clearInterval(timer);
}

/** Keeps it alive for as long as somebody waits. */
export function holding<T>(waited: Promise<T>): Promise<T> {
  return waited.finally(hold());
}
