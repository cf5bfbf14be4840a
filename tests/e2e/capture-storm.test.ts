// @module-tag safety

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Driver, PrivateDesktop } from '../../src/drivers/contract/index.js';
import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { Deadline, DesktopError } from '../../src/shared/index.js';
import { noteSeed } from '../evidence.js';
import { coloursOf } from './support/colours.js';
import { PaintApp } from './support/paint-app.js';
import { SeatRoom } from './support/seat-room.js';

const STEPS = Number(process.env.SOAK) > 0 ? 600 : 60;
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
const BLUE = '#1020f0';
const OTHERS = ['#f01020', '#10f020'];
const room = new SeatRoom();
let seat: PrivateDesktop;
let driver: Driver;
let below: PaintApp;
let above: PaintApp;
let window: string;

beforeAll(async () => {
  seat = await bootPrivateDesktop(room.options());
  [below, above] = await Promise.all([PaintApp.start(seat.env), PaintApp.start(seat.env)]);
  window = await below.window('below', 'Below', BLUE, 200, 150, 300, 200);
  await above.window('cover', 'Cover', OTHERS[0]!, 150, 100, 400, 300);
  await above.window('popup', 'Popup', OTHERS[1]!, 300, 200, 150, 120, 'popup');
  driver = await openLinuxDriver({ env: seat.env });
});
afterAll(async () => {
  await driver.close();
  await Promise.all([below.end(), above.end()]);
  await seat.stop();
  room.remove();
});

/** The same numbers for the same seed. */
function random(seed: number): (below: number) => number {
  let state = noteSeed(seed) + 1;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

it(
  `whatever is done to the windows, no picture of one holds a pixel of another (seed ${SEED})`,
  async () => {
    const upTo = random(SEED);
    const place = (): [number, number] => [upTo(400), upTo(300)];
    const size = (): [number, number] => [120 + upTo(300), 80 + upTo(250)];
    let stopped = false;
    const steps: (() => Promise<unknown>)[] = [
      () => above.do('move', 'cover', ...place()),
      () => above.do('size', 'cover', ...size()),
      () => above.do('raise', 'cover'),
      () => above.do('move', 'popup', ...place()),
      async () => {
        await above.do('hide', 'popup');
        await above.do('show_all', 'popup');
      },
      async () => {
        if (!stopped) await below.do('move', 'below', ...place());
      },
      async () => {
        if (!stopped) await below.do('size', 'below', ...size());
      },
      async () => {
        if (stopped) return;
        await below.do('hide', 'below');
        await below.do('show_all', 'below');
        await above.do('raise', 'cover');
      },
      async () => {
        if (stopped) below.goOn();
        else await below.freeze();
        stopped = !stopped;
      },
      async () => {
        // What a stopped app left on the screen where a cover was is what everybody sees of it, newcomers too.
        if (stopped) return;
        await driver.close();
        driver = await openLinuxDriver({ env: seat.env });
      },
    ];
    const seen = { pictures: 0, refused: 0 };
    const capture = async (): Promise<void> => {
      try {
        const colours = coloursOf(await driver.screenshot!({ window }, { deadline: Deadline.in(4_000) }));
        for (const other of OTHERS)
          expect(colours.get(other), `${other} after ${seen.pictures} pictures`).toBeUndefined();
        expect(colours.get(BLUE)).toBeGreaterThan(0);
        seen.pictures += 1;
      } catch (error) {
        // Hidden, stopped before it drew itself, changing all the time, or its driver was closed meanwhile.
        if (!(error instanceof DesktopError)) throw error;
        seen.refused += 1;
      }
    };
    for (let step = 0; step < STEPS; step += 1) {
      // The capture begins before, during and after the change.
      const captures = upTo(3) === 0 ? [] : [capture()];
      await steps[upTo(steps.length)]!();
      await Promise.all([...captures, capture()]);
    }
    if (stopped) below.goOn();
    expect(seen.pictures).toBeGreaterThan(STEPS / 4);
  },
  STEPS * 2_000,
);
