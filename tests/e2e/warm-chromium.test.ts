import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PageServer } from './support/page-server.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';
import { dice, quiet, WarmRoom } from './support/warm-room.js';

const CHANGES = process.env.SOAK ? 500 : 25;

let real: RealDesktop;
let page: PageServer;
let warm: WarmRoom;

beforeAll(async () => {
  [real, page] = await Promise.all([openRealDesktop(), PageServer.start('warm.html')]);
  await real.seat.launch('chromium', ['--window-size=1000,760', page.url]);
  // On a busy machine Chromium moves things in its tree half a second after they moved on the screen.
  warm = new WarmRoom(real.driver, 'Warm page', 700);
  await until('the page', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return windows.some((one) => one.title.startsWith('Warm page') && one.active) && (await warm.read()).count > 60;
  });
});
afterAll(async () => {
  warm?.close();
  await real?.stop();
  await page?.stop();
});

/** Also the window itself, by the hand of the window manager. */
async function moveWindow(roll: () => number, kind: string): Promise<void> {
  const xid = String(Number((await warm.window()).slice(2)));
  const numbers = kind === 'move' ? [roll() * 250, roll() * 120] : [800 + roll() * 250, 600 + roll() * 200];
  const command = kind === 'move' ? 'windowmove' : 'windowsize';
  await ask('xdotool', [command, xid, ...numbers.map((one) => String(Math.round(one)))], real.seat.env);
}

describe('a Chromium window that is remembered', () => {
  it(`equals a fresh read after each of ${CHANGES} changes`, async () => {
    const roll = dice(20_261_116);
    const kinds = [...(await page.run<string[]>('Object.keys(changes)')), 'move', 'resize', 'move'];
    await warm.series(CHANGES, async (number) => {
      // Each kind at least once before chance decides.
      const kind = kinds[number <= kinds.length ? number - 1 : Math.floor(roll() * kinds.length)]!;
      if (kind === 'move' || kind === 'resize') await moveWindow(roll, kind);
      else await page.run(`change(${JSON.stringify(kind)}, ${number})`);
      return kind;
    });
  });

  it('is read without a call while nothing happens', async () => {
    await page.run('document.activeElement.blur()');
    await until('the page to be still', async () => (await warm.read()).calls === 0);
    await quiet();
    expect((await warm.read()).calls).toBe(0);
  });

  it('follows a moving element to its end, although its position is reported late and without an event', async () => {
    await page.run(`(() => {
      const button = document.createElement('button');
      button.textContent = 'Runner';
      button.style.cssText = 'position: fixed; left: 20px; top: 300px; transition: left 700ms linear';
      document.body.append(button);
      button.getBoundingClientRect();
      button.style.left = '320px';
    })()`);
    // Read all the while, so that positions during the move are cached.
    await until('the page to be still', async () => (await warm.read()).calls === 0);
    expect(await warm.compare()).toEqual([]);
  });
});
