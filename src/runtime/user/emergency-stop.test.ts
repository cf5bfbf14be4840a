import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { EmergencyStop, type Stopped } from './emergency-stop.js';

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

/** Work that runs until its signal aborts. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new DesktopError('cancelled', 'It was cancelled.')), { once: true }),
  );

describe('the emergency stop', () => {
  it('is engaged if it was engaged before this process started', async () => {
    const keeper = new Keeper({ reason: 'the user asked for it', at: 0 });
    const emergencyStop = new EmergencyStop(keeper);
    await expect(emergencyStop.guard('ui_click', undefined, async () => 1)).rejects.toMatchObject({
      code: 'policy_denied',
    });
    expect(emergencyStop.release()).toBe(true);
    expect(keeper.saved).toEqual([undefined]);
    expect(await emergencyStop.guard('ui_click', undefined, async () => 1)).toBe(1);
  });

  it('is saved once when it is engaged', () => {
    const keeper = new Keeper();
    const emergencyStop = new EmergencyStop(keeper);
    expect([emergencyStop.engage('a'), emergencyStop.engage('b')]).toEqual([true, false]);
    expect(keeper.saved).toEqual([emergencyStop.stopped]);
    expect(emergencyStop.stopped?.reason).toBe('a');
    expect([emergencyStop.release(), emergencyStop.release()]).toEqual([true, false]);
  });

  it('aborts running work, also if it cannot be saved', async () => {
    const emergencyStop = new EmergencyStop({
      load: () => undefined,
      save: () => {
        throw new Error('the disk is full');
      },
    });
    const work = emergencyStop.guard('ui_wait', undefined, untilAborted);
    expect(() => emergencyStop.engage('the user asked for it')).toThrow('the disk is full');
    await expect(work).rejects.toThrow('ui_wait was stopped, because the user asked for it.');
    await expect(emergencyStop.guard('ui_click', undefined, async () => 1)).rejects.toMatchObject({
      code: 'policy_denied',
    });
  });

  it.each<[string, DesktopError, string]>([
    [
      'whether input was delivered',
      new DesktopError('cancelled', 'x', { delivered: 'unknown' }),
      'ui_key was stopped, because no; it may have been done.',
    ],
    [
      'how much was typed',
      new DesktopError('cancelled', 'x', { delivered: 'yes', details: { typed: 5 } }),
      'ui_key was stopped after 5 characters, because no; part of it was done.',
    ],
    ['another error unchanged', new DesktopError('app_hung', 'It hangs.', { delivered: 'unknown' }), 'It hangs.'],
  ])('reports %s', async (_, thrown, message) => {
    const emergencyStop = new EmergencyStop();
    const work = emergencyStop.guard('ui_key', undefined, async () => {
      emergencyStop.engage('no');
      throw thrown;
    });
    await expect(work).rejects.toMatchObject({ message, delivered: thrown.delivered });
  });

  it('leaves a call that its caller cancelled to the caller', async () => {
    const emergencyStop = new EmergencyStop();
    const caller = new AbortController();
    const work = emergencyStop.guard('ui_wait', caller.signal, untilAborted);
    caller.abort();
    await expect(work).rejects.toThrow('It was cancelled.');
    await expect(emergencyStop.guard('ui_wait', caller.signal, async (signal) => signal.aborted)).resolves.toBe(true);
  });
});
