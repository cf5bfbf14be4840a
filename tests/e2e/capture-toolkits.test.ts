import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Driver, Screenshot, PrivateDesktop } from '../../src/drivers/contract/index.js';
import { bootPrivateDesktop, openLinuxDriver } from '../../src/drivers/linux/index.js';
import { Deadline, DesktopError } from '../../src/shared/index.js';
import type { WindowNode } from '../../src/tree/index.js';
import { coloursOf } from './support/colours.js';
import { PaintApp } from './support/paint-app.js';
import { SeatRoom, until } from './support/seat-room.js';

const soon = (): Deadline => Deadline.in(20_000);
const RED = '#f01020';

interface App {
  toolkit: string;
  title: RegExp;
  command: string;
  args?: string[];
  /** What it shows, if that is known; all the rest of a browser changes as it likes. */
  shows?: string;
}
const APPS: App[] = [
  { toolkit: 'GTK 3', title: /Calculator/, command: 'gnome-calculator' },
  { toolkit: 'GTK 4', title: /./, command: 'gtk4-icon-browser' },
  { toolkit: 'Qt', title: /KCalc/i, command: 'kcalc' },
  {
    toolkit: 'Chromium',
    title: /Chromium/,
    command: 'chromium',
    args: ['data:text/html,<body style="background:gold">'],
    shows: '#ffd700',
  },
  // Paints its figure only; the rest is a background that the server fills in.
  { toolkit: 'X without a toolkit', title: /^xlogo$/, command: 'xlogo', args: ['-fg', '#3366cc', '-bg', '#ffee11'] },
];
const room = new SeatRoom();
let seat: PrivateDesktop;
let cover: PaintApp;

beforeAll(async () => {
  seat = await bootPrivateDesktop(room.options());
  cover = await PaintApp.start(seat.env);
});
afterAll(async () => {
  await cover.end();
  await seat.stop();
  room.remove();
});

const windowsOf = async (driver: Driver): Promise<WindowNode[]> => (await driver.windows({ deadline: soon() })).windows;

/** The first picture that has what the app shows, and is the same as the one before: apps fade things in. */
function still(driver: Driver, window: string, shows: string | undefined): Promise<Screenshot> {
  let before: Screenshot | undefined;
  return until('a window that stands still', async () => {
    try {
      const now = await driver.screenshot!({ window }, { deadline: soon() });
      const colours = coloursOf(now);
      if (colours.size > 2 && (shows === undefined || colours.has(shows)) && before?.rgba.equals(now.rgba)) return now;
      before = now;
    } catch (error) {
      if (!(error instanceof DesktopError) || error.code !== 'not_ready') throw error; // Still busy with its start.
    }
    return undefined;
  });
}

it.each(APPS)('$toolkit: who comes after the cover gets the same picture', async ({ title, command, args, shows }) => {
  const first = await openLinuxDriver({ env: seat.env });
  const launched = await seat.launch(command, args ?? []);
  const { id } = await until('its window', async () =>
    (await windowsOf(first)).find((one) => title.test(one.title) && one.visible),
  );
  await still(first, id, shows);
  await cover.do('window', 'cover', 'Cover', RED, 0, 0, 1000, 700);
  await until('the cover in front', async () => (await windowsOf(first))[0]?.title === 'Cover');
  const before = await still(first, id, shows);
  expect(coloursOf(before).get(RED)).toBeUndefined();
  await first.close();
  const second = await openLinuxDriver({ env: seat.env });
  try {
    const after = await still(second, id, shows);
    const [was, is] = [coloursOf(before), coloursOf(after)];
    expect(is.get(RED)).toBeUndefined();
    expect(after).toMatchObject({ width: before.width, height: before.height, origin: before.origin });
    if (shows === undefined) expect(after.rgba.equals(before.rgba)).toBe(true);
    else expect(is.get(shows)).toBe(was.get(shows));
  } finally {
    await second.close();
    process.kill(launched.pid, 'SIGKILL');
    await launched.exited;
    await cover.do('close', 'cover');
  }
});
