// @module-tag safety

import { afterEach, describe, expect, it } from 'vitest';
import type { WindowWatch } from '../../src/drivers/linux/x11/windows/watch.js';
import { GovernedDesktop } from './support/governed-desktop.js';
import { eventually, openXSeat, soon, XFixture } from './support/x-seat.js';

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Past the window manager or with it. */
const KINDS = [
  ['a menu', '1'],
  ['a window', '0'],
] as const;

describe.each(KINDS)('%s whose number is given to another one at once', (_, past) => {
  it('gets a new event subscription', async () => {
    const x = await openXSeat();
    const watch: WindowWatch = await x.display.watch({ emit: () => undefined, lost: () => undefined }, {}, soon());
    const app = await XFixture.bareWindow(x.env);
    ends.push(
      () => x.stop(),
      () => watch.stop(),
      () => app.end(),
    );
    const called = (title: string) =>
      eventually(async () => {
        const now = await watch.currentWindows();
        expect(now?.map((window) => window.title)).toEqual([title]);
      });
    await app.do('open', 'First', past);
    await called('First');
    for (let round = 0; round < 10; round += 1) {
      await app.do('again', `Second ${round}`, past);
      await called(`Second ${round}`);
      await app.do('title', `Third ${round}`);
      await called(`Third ${round}`);
    }
  });

  it('is hidden when it turns into one that policy hides', async () => {
    const room = await GovernedDesktop.open('version: 1\n');
    const app = await XFixture.bareWindow({ ...room.seat.env });
    ends.push(
      () => room.close(),
      () => app.end(),
    );
    const list = async (): Promise<string> => (await room.call('ui_list_windows', {})).text;
    await app.do('open', 'Start page', past);
    await eventually(async () => expect(await list()).toContain('Start page'));
    await app.do('again', 'Another start page', past);
    await eventually(async () => expect(await list()).toContain('Another start page'));
    await app.do('title', 'Online Banking - 7781');
    await eventually(async () => expect(await list()).toContain('1 more hidden by policy'));
    expect(await list()).not.toMatch(/start page|7781/i);
  });
});

it('that a window goes past its manager from now on is seen', async () => {
  const x = await openXSeat();
  const watch = await x.display.watch({ emit: () => undefined, lost: () => undefined }, {}, soon());
  const app = await XFixture.bareWindow(x.env);
  ends.push(
    () => x.stop(),
    () => watch.stop(),
    () => app.end(),
  );
  await app.do('open', 'Plain', '0');
  await eventually(async () =>
    expect(await watch.currentWindows()).toMatchObject([{ title: 'Plain', role: 'window' }]),
  );
  await app.do('past', '1');
  expect(await watch.currentWindows()).toBeUndefined();
  expect(await x.windows()).toMatchObject([{ title: 'Plain', role: 'popup' }]);
});
