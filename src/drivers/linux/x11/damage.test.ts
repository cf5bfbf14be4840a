import type { DamageExtension, XEvent } from 'x11';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DamageWatch } from './damage.js';
import type { X11Client } from './client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Told {
  at: number;
  boxes: number;
}

/** One window that draws a pixel at these times; `answerMs`: how long the server takes to begin again. */
async function told(drawnAt: readonly number[], answerMs = 0): Promise<Told[]> {
  const began = performance.now();
  const now = (): number => Math.round(performance.now() - began);
  const found: Told[] = [];
  const client = {
    tell: (send: Parameters<X11Client['tell']>[0]) => send({ AllocID: () => 7, ReleaseID: () => undefined } as never),
    sync: () => new Promise<void>((resolve) => (answerMs > 0 ? void setTimeout(resolve, answerMs) : resolve())),
  };
  const extension = {
    ReportLevel: { DeltaRectangles: 1 },
    Create: () => undefined,
    Destroy: () => undefined,
    Subtract: () => undefined,
  } as DamageExtension;
  const watch = new DamageWatch(client, extension, {
    drawing: () => undefined,
    drawn: (_, boxes) => found.push({ at: now(), boxes: boxes.length }),
  });
  watch.watch(1);
  drawnAt.forEach((at, index) => {
    const area = { x: 100 * index, y: 0, w: 1, h: 1 };
    const event = { drawable: 1, area, geometry: { x: 0, y: 0, w: 999, h: 999 } } as XEvent;
    setTimeout(() => watch.seen(event), at);
  });
  await vi.advanceTimersByTimeAsync(1_000);
  watch.stop();
  return found;
}

describe('what is drawn', () => {
  test.each([
    {
      name: 'after a rest is told at once, and the other parts of the frame soon after',
      at: [50, 51, 52],
      told: [
        { at: 51, boxes: 2 },
        { at: 54, boxes: 1 },
      ],
    },
    {
      name: 'again and again is told once a tick',
      at: [10, 12, 20, 24, 28],
      told: [
        { at: 11, boxes: 1 },
        { at: 14, boxes: 1 },
        { at: 30, boxes: 3 },
      ],
    },
    {
      name: 'after a tick is a new beginning',
      at: [10, 40],
      told: [
        { at: 11, boxes: 1 },
        { at: 41, boxes: 1 },
      ],
    },
    {
      name: 'while the server begins again is told next',
      at: [10, 13],
      answerMs: 4,
      told: [
        { at: 15, boxes: 1 },
        { at: 20, boxes: 1 },
      ],
    },
  ])('$name', async ({ at, answerMs, told: expected }) => {
    expect(await told(at, answerMs)).toEqual(expected);
  });
});
