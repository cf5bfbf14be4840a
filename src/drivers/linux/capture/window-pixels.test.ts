import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompositeExtension, DamageExtension, XEvent } from 'x11';
import type { Box } from '../../../tree/index.js';
import type { X11Client } from '../x11/client.js';
import { clipTo, subtract, WindowPixels } from './window-pixels.js';

const SIDE = 12;
const box = fc.record({
  x: fc.nat(SIDE),
  y: fc.nat(SIDE),
  width: fc.integer({ min: 1, max: SIDE }),
  height: fc.integer({ min: 1, max: SIDE }),
});

/** How many of the boxes contain each cell. */
function cells(boxes: readonly Box[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { x, y, width, height } of boxes) {
    for (let row = y; row < y + height; row += 1) {
      for (let column = x; column < x + width; column += 1) {
        const key = `${column},${row}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return counts;
}

describe('subtracting boxes from an area', () => {
  it('leaves each cell that was not cut out exactly once', () => {
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 8 }), (whole, cuts) => {
        const left = cells(cuts.reduce<Box[]>((boxes, cut) => subtract(boxes, cut), [whole]));
        const gone = cells(cuts);
        for (const cell of cells([whole]).keys()) expect(left.get(cell) ?? 0).toBe(gone.has(cell) ? 0 : 1);
        expect([...left.keys()].filter((cell) => !cells([whole]).has(cell))).toEqual([]);
      }),
    );
  });

  it('never loses a cell when there are too many pieces', () => {
    const whole = { x: 0, y: 0, width: 200, height: 200 };
    let left: Box[] = [whole];
    for (let at = 0; at < 200; at += 2) left = subtract(left, { x: at, y: 0, width: 1, height: 1 });
    for (let at = 0; at < 200; at += 2) left = subtract(left, { x: at, y: 20, width: 1, height: 1 });
    expect(left.length).toBeLessThan(200);
    expect(clipTo(left, { x: 1, y: 0, width: 1, height: 1 })).not.toEqual([]);
    expect(clipTo(left, { x: 0, y: 100, width: 200, height: 100 }).length).toBeGreaterThan(0);
  });

  it('clips boxes to an area', () => {
    expect(clipTo([{ x: 0, y: 0, width: 10, height: 10 }], { x: 8, y: 8, width: 10, height: 10 })).toEqual([
      { x: 8, y: 8, width: 2, height: 2 },
    ]);
    expect(clipTo([{ x: 0, y: 0, width: 10, height: 10 }], { x: 10, y: 0, width: 5, height: 5 })).toEqual([]);
  });
});

describe('windows that are there at the start', () => {
  it('are asked to redraw what was reported while they were still being read', async () => {
    const server = new FakeServer([10, 11]);
    const pixels = new WindowPixels(server.client, server.damage, server.composite);
    const begun = pixels.begin();
    await server.answered(10);
    pixels.handleEvent(server.damaged(10));
    server.answer(11);
    await begun;
    server.answerFocus();
    // Without this the server would never report that part again.
    expect(server.subtracted).toEqual([server.damages.get(10)]);
    expect(pixels.uncertainIn(10, { x: 0, y: 0, width: 5, height: 5 })).toEqual([{ x: 0, y: 0, width: 5, height: 5 }]);
  });
});

/** Answers about windows of one size, all at the same place; the last one is the one in front. */
class FakeServer {
  readonly damages = new Map<number, number>();
  readonly subtracted: number[] = [];
  private release = (): void => {};
  private readonly held = new Promise<void>((resolve) => (this.release = resolve));
  private focusReplies: (() => void)[] = [];
  private nextId = 100;

  constructor(private readonly windows: number[]) {}

  readonly damage = {
    ReportLevel: { DeltaRectangles: 1 },
    Create: (damage: number, xid: number) => void this.damages.set(xid, damage),
    Subtract: (damage: number) => void this.subtracted.push(damage),
  } as unknown as DamageExtension;

  readonly composite = { Redirect: { Automatic: 0 }, RedirectSubwindows: () => {} } as unknown as CompositeExtension;

  private readonly requests = {
    GrabServer: () => {},
    UngrabServer: () => {},
    GetInputFocus: (reply: () => void) => void this.focusReplies.push(reply),
    QueryTree: (_xid: number, reply: (value: unknown) => void) => reply({ children: this.windows }),
    GetWindowAttributes: (xid: number, reply: (value: unknown) => void) =>
      void (xid === this.windows.at(-1) ? this.held : Promise.resolve()).then(() => reply({ klass: 1, mapState: 2 })),
    GetGeometry: (_xid: number, reply: (value: unknown) => void) =>
      reply({ xPos: 0, yPos: 0, width: 50, height: 50, borderWidth: 0 }),
  };

  readonly client = {
    root: 1,
    raw: { AllocID: () => (this.nextId += 1) },
    send: (work: (x: unknown) => void) => work(this.requests),
    request: (work: Work) => this.reply(work),
    requestIfExists: (work: Work) => this.reply(work),
    sync: () => Promise.resolve(),
  } as unknown as X11Client;

  private reply(work: Work): Promise<unknown> {
    return new Promise((resolve) => work(this.requests, resolve));
  }

  async answered(xid: number): Promise<void> {
    while (!this.damages.has(xid)) await Promise.resolve();
  }

  answer(xid: number): void {
    expect(xid).toBe(this.windows.at(-1));
    this.release();
  }

  answerFocus(): void {
    for (const reply of this.focusReplies.splice(0)) reply();
  }

  damaged(xid: number): XEvent {
    const area = { x: 0, y: 0, w: 50, h: 50 };
    return { name: 'DamageNotify', damage: this.damages.get(xid), area };
  }
}

type Work = (x: unknown, reply: (value: unknown) => void) => void;
