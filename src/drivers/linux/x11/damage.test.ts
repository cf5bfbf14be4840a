import type { DamageExtension, XEvent } from 'x11';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DamageWatch } from './damage.js';
import type { X11Client } from './client.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Report {
  at: number;
  boxes: number;
}

/**
 * A window that draws one pixel at each of these times. `answerMs` is how long the server takes to reset the damage.
 */
async function reports(drawnAt: readonly number[], answerMs = 0): Promise<Report[]> {
  const began = performance.now();
  const now = (): number => Math.round(performance.now() - began);
  const found: Report[] = [];
  const client = {
    send: (request: Parameters<X11Client['send']>[0]) =>
      request({ AllocID: () => 7, ReleaseID: () => undefined } as never),
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
    setTimeout(() => watch.handleEvent(event), at);
  });
  await vi.advanceTimersByTimeAsync(1_000);
  watch.stop();
  return found;
}

describe('damage', () => {
  test.each([
    {
      name: 'is reported at once after a pause, and the rest of the frame soon after',
      at: [50, 51, 52],
      reports: [
        { at: 51, boxes: 2 },
        { at: 54, boxes: 1 },
      ],
    },
    {
      name: 'is reported once a tick while drawing continues',
      at: [10, 12, 20, 24, 28],
      reports: [
        { at: 11, boxes: 1 },
        { at: 14, boxes: 1 },
        { at: 30, boxes: 3 },
      ],
    },
    {
      name: 'is reported at once again after a tick without drawing',
      at: [10, 40],
      reports: [
        { at: 11, boxes: 1 },
        { at: 41, boxes: 1 },
      ],
    },
    {
      name: 'that arrives during the reset is reported in the next tick',
      at: [10, 13],
      answerMs: 4,
      reports: [
        { at: 15, boxes: 1 },
        { at: 20, boxes: 1 },
      ],
    },
  ])('$name', async ({ at, answerMs, reports: expected }) => {
    expect(await reports(at, answerMs)).toEqual(expected);
  });
});
