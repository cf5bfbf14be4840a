import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect as so, test } from 'vitest';
import type { App, Desktop, DesktopEvent } from '../../src/index.js';
import { expect, OPEN_POLICY, openDesktop } from './support/library.js';
import { until } from './support/seat-room.js';

// Programs with more than one window, and what a program hears of them.

const TWO_WINDOWS = fileURLToPath(new URL('../fixture-apps/two-windows.py', import.meta.url));

let desktop: Desktop;
beforeAll(async () => {
  desktop = await openDesktop({ policy: OPEN_POLICY, timeoutMs: 20_000 });
});
afterAll(() => desktop?.close());

const clock = (title: string): Promise<App> =>
  desktop.launch('xclock', { args: ['-title', title], timeoutMs: 60_000 }).then(async (app) => {
    await app.firstWindow({ timeoutMs: 60_000 });
    return app;
  });

test('what is dragged from one window is dropped in another, as its app says', async () => {
  await using app = await desktop.launch('/usr/bin/python3', { args: [TWO_WINDOWS], timeoutMs: 60_000 });
  const diary = createInterface({ input: app.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => JSON.parse((await diary.next()).value as string) as unknown;
  so(await next()).toEqual({ ready: true });
  const parcel = desktop.window('Plain sender').getByText('Parcel');
  const snapshots = desktop.window('Plain receiver').getByText('Shelf');
  const done = await parcel.dragTo(snapshots);
  so(done).toMatchObject({ delivered: 'yes', method: 'input' });
  so(await next()).toEqual({ dropped: 'Parcel', onto: 'Shelf' });
});

test('of a window that has gone it holds that nothing is in it, however it is called', async () => {
  const app = await clock('Plain gone');
  const places = ['Plain gone', /^Plain gone$/, { pid: app.pid }].map((which) => desktop.window(which));
  for (const window of places) await expect(window).toBeVisible();
  await app.close();
  for (const window of places) {
    const inside = window.locator('role=window');
    await expect(inside).not.toBeVisible();
    await expect(inside).toHaveCount(0);
    await expect(window).not.toBeVisible();
    await inside.waitFor({ state: 'gone' });
    const never = [
      () => expect(inside).toBeVisible({ timeoutMs: 100 }),
      () => expect(inside).not.toBeEnabled({ timeoutMs: 100 }),
      () => expect(window).not.toHaveText('Plain', { timeoutMs: 100 }),
      () => expect(window).not.toBeFocused({ timeoutMs: 100 }),
      () => expect(window).not.toMatchSnapshot('button "Plain"', { timeoutMs: 100 }),
    ];
    for (const one of never) await so(one()).rejects.toMatchObject({ code: 'verify_failed' });
  }
});

describe('events', () => {
  const titled = ({ what, window }: DesktopEvent): string => `${what} ${window?.title}`;

  test('sends two listeners of the same windows the events that each asked for', async () => {
    const all = desktop.events({ types: ['opened', 'closed'] });
    const closed = desktop.events({ types: ['closed'] });
    const app = await clock('Plain clock');
    await app.close();
    const heard: string[] = [];
    for await (const event of all) {
      heard.push(titled(event));
      if (event.what === 'closed') break;
    }
    so(heard).toEqual(['opened Plain clock', 'closed Plain clock']);
    for await (const event of closed) {
      so(titled(event)).toBe('closed Plain clock');
      break;
    }
  });

  test('nothing is listened for when the loop was left', async () => {
    const opened = desktop.events({ types: ['opened'] });
    const [first, second] = [await clock('Plain first'), await clock('Plain second')];
    for await (const event of opened) {
      so(titled(event)).toBe('opened Plain first');
      break;
    }
    await using third = await clock('Plain third');
    const more: string[] = [];
    for await (const event of opened) more.push(titled(event));
    so(more).not.toContain('opened Plain third');
    so(third.pid).toBeGreaterThan(0);
    await Promise.all([first.close(), second.close()]);
  });

  test('end with their signal, without an error', async () => {
    const over = new AbortController();
    const events = desktop.events({ signal: over.signal });
    const app = await clock('Plain signal');
    for await (const event of events) if (event.what === 'opened') over.abort();
    await app.close();
  });

  test('end with the desktop, without an error', async () => {
    const heard: [all: string[], opened: string[]] = [[], []];
    const loops = [desktop.events(), desktop.events({ types: ['opened'] })].map(async (events, at) => {
      for await (const event of events) heard[at]!.push(event.what);
    });
    await clock('Plain last');
    // A window is there before its event has come all the way.
    await until('both to hear of it', () => heard.every((words) => words.includes('opened')));
    await desktop.close();
    await Promise.all(loops);
    so(heard[1]).toEqual(['opened']);
  });
});
