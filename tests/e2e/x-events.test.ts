import { readdirSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DriverEvent } from '../../src/drivers/contract/index.js';
import { windowIdOf } from '../../src/drivers/linux/x11/windows/window.js';
import { end, eventually, openXSeat, XFixture, type XSeat } from './support/x-seat.js';

let x: XSeat;
let app: XFixture;
let seen: DriverEvent[];
let reading: Promise<void>;
let stop: AbortController;
let titles = 0;

const windowEvents = (id: string) =>
  seen
    .filter((event) => event.type === 'window' && event.window === id)
    .map((event) => (event as { change: string }).change);
const damageOf = (id: string) =>
  seen.filter((event): event is DriverEvent & { type: 'damage' } => event.type === 'damage' && event.window === id);

async function listen(): Promise<void> {
  stop = new AbortController();
  seen = [];
  const into = seen;
  const events = x.display.events(stop.signal);
  await events.ready;
  reading = (async () => {
    for await (const event of events) into.push(event);
  })();
}

beforeAll(async () => {
  x = await openXSeat();
  app = await XFixture.start(x.env);
});
afterEach(async () => {
  stop.abort();
  await reading;
});
afterAll(async () => {
  await app.end();
  await x.stop();
});

describe('window events', () => {
  it('report a window from its opening to its closing', async () => {
    await listen();
    const id = windowIdOf(parseInt(await app.do('window', 'a', 'First'), 16));
    await eventually(() => expect(windowEvents(id)).toEqual(expect.arrayContaining(['opened', 'active'])));
    expect(seen.find((event) => event.window === id)).toMatchObject({
      change: 'opened',
      title: 'First',
      role: 'window',
      pid: app.child.pid,
    });
    await app.do('title', 'a', 'Second');
    await eventually(() =>
      expect(seen).toContainEqual(expect.objectContaining({ window: id, change: 'title', title: 'Second' })),
    );
    const before = windowEvents(id).filter((change) => change === 'moved').length;
    await app.do('move', 'a', 321, 234);
    await eventually(() =>
      expect(windowEvents(id).filter((change) => change === 'moved').length).toBeGreaterThan(before),
    );
    await app.do('close', 'a');
    await eventually(() => expect(windowEvents(id).at(-1)).toBe('closed'));
    expect(windowEvents(id).filter((change) => change === 'opened')).toHaveLength(1);
  });

  it('report the active window and a minimised one', async () => {
    const [a, b] = [await app.do('window', 'a', 'A'), await app.do('window', 'b', 'B')].map((id) =>
      windowIdOf(parseInt(id, 16)),
    ) as [string, string];
    await x.window((window) => window.title === 'B' && window.active);
    await listen();
    await app.do('present', 'a');
    await eventually(() => expect(windowEvents(a)).toContain('active'));
    expect(windowEvents(b)).not.toContain('active');
    await app.do('iconify', 'a');
    await eventually(() => expect(windowEvents(a)).toContain('moved'));
    await app.do('close', 'a');
    await app.do('close', 'b');
  });

  it('report popups every time', async () => {
    await app.do('window', 'm', 'Menu owner');
    await x.window((window) => window.title === 'Menu owner' && window.visible);
    await listen();
    for (let round = 1; round <= 3; round += 1) {
      await app.do('popup', 'm');
      const popups = () => seen.filter((event) => event.type === 'window' && event.role === 'popup');
      await eventually(() =>
        expect(popups().filter((event) => 'change' in event && event.change === 'opened')).toHaveLength(round),
      );
      await app.do('popdown');
      await eventually(() =>
        expect(popups().filter((event) => 'change' in event && event.change === 'closed')).toHaveLength(round),
      );
    }
    await app.do('close', 'm');
  });

  it('a new app is seen with its name', async () => {
    await listen();
    const { pid } = await x.launch('xclock');
    await eventually(() =>
      expect(seen).toContainEqual(expect.objectContaining({ change: 'opened', app: 'xclock', pid })),
    );
    process.kill(pid);
    await eventually(() =>
      expect(seen).toContainEqual(expect.objectContaining({ change: 'closed', app: 'xclock', pid })),
    );
  });
});

describe('damage', () => {
  it('is reported for every change inside a window, also in windows that opened later', async () => {
    await listen();
    const xid = parseInt(await app.do('window', 'd', 'Drawn'), 16);
    const id = windowIdOf(xid);
    await eventually(() => expect(windowEvents(id)).toEqual(expect.arrayContaining(['opened', 'active'])));
    const { client } = await x.window((window) => window.xid === xid && window.active);
    // The label sits in the lower right corner, and nothing else is drawn.
    const corner = { ...client, x: client.x + client.width / 2, y: client.y + client.height / 2 };
    for (let round = 0; round < 5; round += 1) {
      await settled('d');
      const before = damageOf(id).length;
      await app.do('label', 'd', `round ${round}`);
      await eventually(() => expect(damageOf(id).length).toBeGreaterThan(before));
      for (const { box } of damageOf(id).slice(before)) {
        expect([box.x > corner.x, box.y > corner.y]).toEqual([true, true]);
        expect(box.x + box.width).toBeLessThanOrEqual(client.x + client.width);
        expect(box.y + box.height).toBeLessThanOrEqual(client.y + client.height);
      }
    }
    await app.do('close', 'd');
  });

  it('is not reported while nothing is painted', async () => {
    const id = windowIdOf(parseInt(await app.do('window', 'i', 'Idle'), 16));
    await x.window((window) => window.title === 'Idle' && window.active);
    await listen();
    await settled('i');
    const before = damageOf(id).length;
    for (let frame = 0; frame < 60; frame += 3) await app.do('settle', 'i');
    await settled('i');
    expect(damageOf(id).slice(before)).toEqual([]);
    await app.do('close', 'i');
  });
});

describe('the end', () => {
  it('comes when it is asked for, and takes the connection along', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    await listen();
    expect(open()).toBeGreaterThan(before);
    stop.abort();
    await reading;
    expect(seen.filter((event) => event.type === 'lost')).toEqual([]);
    await eventually(() => expect(open()).toBeLessThanOrEqual(before));
  });

  it('comes with a word when the server dies', async () => {
    const own = await openXSeat();
    const fixture = await XFixture.start(own.env);
    const events = own.display.events(new AbortController().signal);
    await events.ready;
    await own.seat.stop();
    const told: DriverEvent[] = [];
    for await (const event of events) told.push(event);
    expect(told.at(-1)).toMatchObject({ type: 'lost', reason: expect.stringMatching(/is gone/) as string });
    await end(fixture.child);
    await own.stop();
  });

  it('comes at once for a signal that is already aborted', async () => {
    await listen();
    const told: DriverEvent[] = [];
    for await (const event of x.display.events(AbortSignal.abort())) told.push(event);
    expect(told).toEqual([]);
  });
});

/** The window has drawn all that it had to draw, and we have heard of it: titles come after it, on the same line. */
async function settled(name: string): Promise<void> {
  await app.do('settle', name);
  for (const _ of ['what was drawn', 'what is reported a tick later']) {
    const title = `settled ${titles++}`;
    await app.do('title', name, title);
    await eventually(() => expect(seen).toContainEqual(expect.objectContaining({ change: 'title', title })));
  }
}
