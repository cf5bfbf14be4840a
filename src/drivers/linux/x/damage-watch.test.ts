import type { DamageExtension, XEvent } from 'x11';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DamageWatch } from './damage-watch.js';
import type { X11Client } from './x11-client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Told {
  at: number;
  boxes: number;
  last: number;
}

/** One window that draws a pixel at these times; `answerMs`: how long the server takes to begin again. */
async function told(drawnAt: readonly number[], answerMs = 0): Promise<Told[]> {
  const began = performance.now();
  const now = (): number => Math.round(performance.now() - began);
  const epoch = Date.now();
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
    drawn: (_, boxes, at) => found.push({ at: now(), boxes: boxes.length, last: at - epoch }),
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
      name: 'after a rest is told at once, the parts of one frame together',
      at: [50, 51],
      told: [{ at: 53, boxes: 2, last: 51 }],
    },
    {
      name: 'again and again is told once a tick',
      at: [10, 20, 24, 28],
      told: [
        { at: 13, boxes: 1, last: 10 },
        { at: 29, boxes: 3, last: 28 },
      ],
    },
    {
      name: 'after a tick is a new beginning',
      at: [10, 40],
      told: [
        { at: 13, boxes: 1, last: 10 },
        { at: 43, boxes: 1, last: 40 },
      ],
    },
    {
      name: 'while the server begins again is told next',
      at: [10, 15],
      answerMs: 4,
      told: [
        { at: 17, boxes: 1, last: 10 },
        { at: 33, boxes: 1, last: 15 },
      ],
    },
  ])('$name', async ({ at, answerMs, told: expected }) => {
    expect(await told(at, answerMs)).toEqual(expected);
  });
});
