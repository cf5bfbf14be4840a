import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { StopLatch, type Stopped } from './emergency-stop.js';

class Keeper {
  readonly saved: (Stopped | undefined)[] = [];
  constructor(private readonly kept?: Stopped) {}
  load(): Stopped | undefined {
    return this.kept;
  }
  save(stopped: Stopped | undefined): void {
    this.saved.push(stopped);
  }
}

/** Work that ends when it is told to. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new DesktopError('cancelled', 'It was cancelled.')), { once: true }),
  );

describe('the latch', () => {
  it('that was closed before this process began is closed', async () => {
    const keeper = new Keeper({ reason: 'the person wished it', at: 0 });
    const latch = new StopLatch(keeper);
    await expect(latch.pass('ui_click', undefined, async () => 1)).rejects.toMatchObject({ code: 'policy_denied' });
    expect(latch.open()).toBe(true);
    expect(keeper.saved).toEqual([undefined]);
    expect(await latch.pass('ui_click', undefined, async () => 1)).toBe(1);
  });

  it('is written down when it closes, once', () => {
    const keeper = new Keeper();
    const latch = new StopLatch(keeper);
    expect([latch.close('a'), latch.close('b')]).toEqual([true, false]);
    expect(keeper.saved).toEqual([latch.stopped]);
    expect(latch.stopped?.reason).toBe('a');
    expect([latch.open(), latch.open()]).toEqual([true, false]);
  });

  it('ends what passes, also where it cannot be written down', async () => {
    const latch = new StopLatch({
      load: () => undefined,
      save: () => {
        throw new Error('the disk is full');
      },
    });
    const work = latch.pass('ui_wait', undefined, untilAborted);
    expect(() => latch.close('the person wished it')).toThrow('the disk is full');
    await expect(work).rejects.toThrow('ui_wait was stopped, because the person wished it.');
    await expect(latch.pass('ui_click', undefined, async () => 1)).rejects.toMatchObject({ code: 'policy_denied' });
  });

  it.each<[string, DesktopError, string]>([
    [
      'what went out',
      new DesktopError('cancelled', 'x', { delivered: 'unknown' }),
      'ui_key was stopped, because no; it may have been done.',
    ],
    [
      'how much went out',
      new DesktopError('cancelled', 'x', { delivered: 'yes', details: { typed: 5 } }),
      'ui_key was stopped after 5 characters, because no; part of it was done.',
    ],
    ['another failure as it was', new DesktopError('app_hung', 'It hangs.', { delivered: 'unknown' }), 'It hangs.'],
  ])('tells %s', async (_, thrown, message) => {
    const latch = new StopLatch();
    const work = latch.pass('ui_key', undefined, async () => {
      latch.close('no');
      throw thrown;
    });
    await expect(work).rejects.toMatchObject({ message, delivered: thrown.delivered });
  });

  it("leaves a caller's own end to the caller", async () => {
    const latch = new StopLatch();
    const caller = new AbortController();
    const work = latch.pass('ui_wait', caller.signal, untilAborted);
    caller.abort();
    await expect(work).rejects.toThrow('It was cancelled.');
    await expect(latch.pass('ui_wait', caller.signal, async (signal) => signal.aborted)).resolves.toBe(true);
  });
});
