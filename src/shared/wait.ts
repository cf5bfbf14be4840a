/**
 * Waits for `ms`, until `signal` aborts, or until the function that `register` receives is called. Never rejects. The
 * caller may keep that function: after the end it does nothing.
 */
export function sleepUntilWoken(
  ms: number,
  register: (wake: () => void) => void,
  { signal, unref = false }: { signal?: AbortSignal; unref?: boolean } = {},
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (unref) timer.unref();
    signal?.addEventListener('abort', end, { once: true });
    register(end);
  });
}

/** The result of `work`, or undefined if it takes longer than `ms`. The work goes on. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
