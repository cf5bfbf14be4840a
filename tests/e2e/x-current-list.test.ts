import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDisplay } from '../../src/drivers/linux/x11/display.js';
import type { WindowWatch } from '../../src/drivers/linux/x11/windows/watch.js';
import { freeze } from '../conformance/freeze.js';
import { eventually, openXSeat, soon, startBareX, tool, XFixture, type XSeat } from './support/x-seat.js';
import { dice } from './support/warm-room.js';

const CHANGES = process.env.SOAK ? 1_000 : 100;

let x: XSeat;
let app: XFixture;
let watch: WindowWatch;

beforeAll(async () => {
  x = await openXSeat({ monitors: 2 });
  app = await XFixture.start(x.env);
  watch = await x.display.watch({ emit: () => undefined, lost: () => undefined }, { redirect: true }, soon());
});
afterAll(async () => {
  watch.stop();
  await app.end();
  await x.stop();
});

/** Lists that were remembered and are not what a list before them and one after them say. */
const wrong: unknown[] = [];

async function compared(): Promise<'told' | 'asked' | 'moving'> {
  const before = await x.windows();
  const now = await watch.currentWindows();
  const places = await watch.currentBounds();
  const after = await x.windows();
  if (!isDeepStrictEqual(before, after)) return 'moving';
  const monitors = await x.display.monitors(soon());
  if (places && !isDeepStrictEqual(places, { windows: after, monitors })) wrong.push({ places, after });
  if (!now) return 'asked';
  // In the same order, too: changes are detected by comparing texts.
  if (JSON.stringify(now) !== JSON.stringify(after) || !isDeepStrictEqual(now, after)) wrong.push({ now, after });
  return 'told';
}

const told = (): Promise<void> => eventually(async () => expect(await compared()).toBe('told'));

describe('a list that nothing has changed', () => {
  it(`is what a new one would be, after each of ${CHANGES} changes`, async () => {
    const roll = dice(20_261_117);
    const some = <T>(of: readonly T[]): T => of[Math.floor(roll() * of.length)]!;
    const names: string[] = [];
    let made = 0;
    let popup = false;
    const open = async (): Promise<void> => {
      const name = `n${++made}`;
      const parent = names.length > 0 && roll() < 0.3 ? some(names) : undefined;
      if (parent === undefined) await app.do('window', name, `Window ${made}`, some(['bar', 'header']));
      else await app.do('dialog', name, `Dialog ${made}`, parent);
      names.push(name);
    };
    const others: ((name: string) => Promise<unknown>)[] = [
      (name) => app.do('title', name, `Title ${made} ${Math.floor(roll() * 1_000)}`),
      (name) => app.do('move', name, Math.floor(roll() * 2_000), Math.floor(roll() * 500)),
      (name) => app.do('resize', name, 100 + Math.floor(roll() * 400), 100 + Math.floor(roll() * 300)),
      (name) => app.do('present', name),
      (name) => app.do('iconify', name),
      (name) => app.do('maximize', name),
      (name) => app.do('unmaximize', name),
      (name) => app.do('fullscreen', name),
      (name) => app.do('unfullscreen', name),
      (name) => app.do('set_keep_above', name, some([0, 1])),
      (name) => app.do('set_skip_taskbar_hint', name, some([0, 1])),
      (name) => app.do('set_type_hint', name, some([0, 5])),
      (name) => app.do('hide', name),
      (name) => app.do('show', name),
    ];
    for (let change = 0; change < CHANGES; change += 1) {
      const chance = roll();
      if (names.length < 2 || (chance < 0.15 && names.length < 6)) await open();
      else if (chance < 0.25) {
        if (popup) await app.do('popdown');
        popup = false;
        await app.do('close', names.splice(Math.floor(roll() * names.length), 1)[0]!);
      } else if (chance < 0.3 && !popup) {
        const name = names[0]!;
        await app.do('show', name);
        await app.do('popup', name);
        popup = true;
      } else if (popup) {
        await app.do('popdown');
        popup = false;
      } else await some(others)(some(names));
      // At once, in the middle of it; and now and then when all is still.
      await compared();
      await compared();
      if (change % 4 === 0) await told();
      expect(wrong, `after change ${change}`).toEqual([]);
    }
    if (popup) await app.do('popdown');
  });

  it('says of each process what it is now', async () => {
    await app.do('window', 'still', 'Still');
    await told();
    const { pid } = app.child;
    const becomes = (stopped: boolean) =>
      eventually(async () => {
        const mine = (await watch.currentWindows())?.find(({ title }) => title === 'Still');
        expect(mine).toMatchObject({ pid, stopped });
      });
    await becomes(false);
    await freeze(pid!);
    try {
      await becomes(true);
    } finally {
      process.kill(pid!, 'SIGCONT');
    }
    await becomes(false);
  });

  it('does not outlive the monitors that it was made with', async () => {
    await told();
    const monitors = (await tool(x.env, 'xrandr', '--listmonitors')).match(/^ *\d+: \S+/gm)!;
    await tool(
      x.env,
      'xrandr',
      '--delmonitor',
      monitors
        .at(-1)!
        .split(/[ +*]+/)
        .at(-1)!,
    );
    expect(await watch.currentWindows()).toBeUndefined();
    expect(await watch.currentBounds()).toBeUndefined();
  });

  it('is ignored if no window manager reports windows', async () => {
    const bare = await startBareX();
    const display = await openDisplay(bare.env, soon());
    const alone = await display.watch({ emit: () => undefined, lost: () => undefined }, {}, soon());
    try {
      expect(await display.windows(soon())).toEqual([]);
      expect(await alone.currentWindows()).toBeUndefined();
    } finally {
      alone.stop();
      display.close();
      await bare.stop();
    }
  });
});
