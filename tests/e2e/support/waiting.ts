import type { RealDesktop } from './real-desktop.js';
import { until } from './seat-room.js';

export interface Waited {
  elapsedMs: number;
  reads: number;
  text: string;
  seen: { condition: string; element?: { ref: string; name?: string }; windows?: { ref: string; title: string }[] };
}

/** Listeners that waits have on a desktop now: none may be left when they are over. */
export function listeners({ desktop }: RealDesktop): number {
  return (desktop as unknown as { listeners: Set<unknown> }).listeners.size;
}

/** Counts what is asked of the driver, so that a test knows when a read has ended. */
function traffic({ driver }: RealDesktop): { asked: number; open: number; end(): void } {
  const own = { windows: driver.windows.bind(driver), read: driver.read!.bind(driver) };
  const count = {
    asked: 0,
    open: 0,
    end: (): void => void Object.assign(driver, own),
  };
  const counted =
    <Args extends unknown[], T>(ask: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      count.asked++;
      count.open++;
      return ask(...args).finally(() => count.open--);
    };
  Object.assign(driver, { windows: counted(own.windows), read: counted(own.read) });
  return count;
}

/**
 * Starts a wait, lets it poll once without success, then calls `happen`, which makes the condition true. Returns the
 * answer of the wait and fails if the wait does.
 */
export async function waitWhile(
  real: RealDesktop,
  args: Record<string, unknown>,
  happen: () => Promise<unknown>,
): Promise<Waited> {
  const count = traffic(real);
  let ended = false;
  const waiting = real.call('ui_wait', args).finally(() => (ended = true));
  waiting.catch(() => undefined); // It is awaited below; until then its failure is no news.
  await until('the first read to end', () => ended || (listeners(real) > 0 && count.asked > 0 && count.open === 0));
  count.end();
  if (ended) throw new Error(`the wait for ${JSON.stringify(args.until)} ended before anything happened`);
  await happen();
  const { json, text } = await waiting;
  return { ...(json as unknown as Waited), text };
}
