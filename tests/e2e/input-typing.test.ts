import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKeys } from '../../src/drivers/contract/index.js';
import { openInputDevice, type LinuxInputDevice } from '../../src/drivers/linux/input/input-device.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';
import { eventually, openXSeat, soon, tool, type XSeat } from './support/x-seat.js';

/** A field that takes text, and its own word about what is in it. */
interface Field {
  focus(which: 'entry' | 'text'): Promise<void>;
  read(): Promise<string | undefined>;
  end(): Promise<void>;
}

let seat: XSeat;
let input: LinuxInputDevice;
beforeAll(async () => {
  seat = await openXSeat();
  input = await openInputDevice(seat.env, soon());
});
afterAll(async () => {
  await input?.close();
  await seat?.stop();
});

const HAN = Array.from({ length: 120 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('');

/** One line each: for the entry. */
const LINES: readonly [string, string][] = [
  ['plain', 'The quick brown Fox, 0123456789'],
  ['all of ASCII', Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')],
  ['many alphabets', 'héllo 日本 😀 Ω€'],
  ['both cases of rare letters', 'éÉ ßẞ ŁłŽž ЖжΣσς İı'],
  ['combining marks', 'e\u0301 n\u0303 a\u0308\u0323'],
  ['right to left', 'שלום مرحبا'],
  ['joined faces', '👩‍💻 👍🏽 🇩🇪'],
  ['more letters than there are spare keys', HAN],
  ['the same rare letter again and again', '€é€é€é'.repeat(20)],
];

async function inApp(file: string): Promise<Field> {
  const app = await startInputApp(file, seat.env);
  let which = 'entry';
  let from = 0;
  return {
    focus: async (name) => {
      which = name;
      await app.command('clear');
      await app.command(`focus ${name}`);
      from = app.diary.length;
    },
    read: async () => app.diary.slice(from).findLast((line) => which in line)?.[which] as string | undefined,
    end: () => app.end(),
  };
}

async function inChromium(): Promise<Field> {
  const page = await PageServer.start('input-page.html');
  const { pid } = await seat.launch('chromium', '--start-maximized', page.url);
  await until('the page to be in front', async () =>
    (await seat.windows()).some(({ title, active }) => /Plain input/.test(title) && active),
  );
  // What is typed before a page was drawn for the first time is dropped by the browser, whatever has the focus.
  await until('the page to be drawn', () =>
    page.run<boolean>(`performance.getEntriesByName('first-contentful-paint').length > 0`),
  );
  let which = 'entry';
  return {
    focus: async (name) => {
      which = name;
      await eventually(async () => {
        expect(await page.run(`${name}.value = ''; ${name}.focus(); document.hasFocus()`)).toBe(true);
      });
    },
    read: () => page.run(`${which}.value`),
    end: async () => {
      process.kill(pid, 'SIGKILL');
      await page.stop();
    },
  };
}

async function typed(text: string): Promise<void> {
  const count = [...text].length;
  expect(await input.type(text, { deadline: soon() })).toEqual({ typed: count });
}

describe.each<[string, () => Promise<Field>]>([
  ['GTK 3', () => inApp('input-gtk3.py')],
  ['GTK 4', () => inApp('input-gtk4.py')],
  ['Qt', () => inApp('input-qt.py')],
  ['Chromium', inChromium],
])('typing in %s', (_, open) => {
  let field: Field;
  beforeAll(async () => {
    field = await open();
  });
  afterAll(() => field?.end());

  test.each(LINES)('%s', async (_name, text) => {
    await field.focus('entry');
    await typed(text);
    await eventually(async () => expect(await field.read()).toBe(text));
  });

  test('line ends and tabs', async () => {
    await field.focus('text');
    await typed('one\n\ttwo 日\r\nthree\t€\rfour');
    await eventually(async () => expect(await field.read()).toBe('one\n\ttwo 日\nthree\t€\nfour'));
  });

  test('with a pause after each letter', async () => {
    await field.focus('entry');
    expect(await input.type('a日b€c', { delayMs: 20, deadline: soon() })).toEqual({ typed: 5 });
    await eventually(async () => expect(await field.read()).toBe('a日b€c'));
  });

  test('keys by name edit what is there', async () => {
    await field.focus('entry');
    await typed('hello world');
    await input.press(parseKeys('Backspace Left Left shift+Home X End ! é ctrl+a ctrl+c Right ctrl+v'), {
      deadline: soon(),
    });
    await eventually(async () => expect(await field.read()).toBe('Xrl!éXrl!é'));
  });

  test.each<[string, string[]]>([
    ['Caps Lock', ['key', 'Caps_Lock']],
    ['Num Lock', ['key', 'Num_Lock']],
  ])('%s changes nothing, and stays on', async (_name, toggle) => {
    await field.focus('entry');
    const leds = async (): Promise<string> => (await tool(seat.env, 'xset', 'q')).match(/LED mask:\s+(\w+)/)![1]!;
    await tool(seat.env, 'xdotool', ...toggle);
    const locked = await leds();
    expect(locked).not.toBe('00000000');
    try {
      await typed('Aa Éé 1!');
      await input.press(parseKeys('KP_7 KP_Home KP_1 KP_Delete b B'), { deadline: soon() });
      await eventually(async () => expect(await field.read()).toBe('1bBa Éé 1!7'));
      expect(await leds()).toBe(locked);
    } finally {
      await tool(seat.env, 'xdotool', ...toggle);
    }
  });
});

/** What the window manager of this display has used of a processor, in the kernel's ticks. */
function managerTicks(): number {
  const mine = (pid: string): boolean => {
    try {
      const isOpenbox = readFileSync(`/proc/${pid}/comm`, 'utf8') === 'openbox\n';
      return isOpenbox && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`\0DISPLAY=${seat.env.DISPLAY}\0`);
    } catch {
      return false; // It has ended meanwhile.
    }
  };
  const pid = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .find(mine)!;
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return Number(user) + Number(system);
}

test('letters that no key has leave the window manager in peace: the next window comes up at once', async () => {
  const app = await startInputApp('input-gtk3.py', seat.env);
  await app.command('focus entry');
  const before = managerTicks();
  await typed(HAN);
  const { pid } = await seat.launch('xclock');
  await until('the next window', async () => (await seat.windows()).some((window) => window.pid === pid));
  // Before the window existed, binding its keys again for each letter took four seconds of processor time.
  expect(managerTicks() - before).toBeLessThan(100);
  process.kill(pid, 'SIGKILL');
  await app.end();
});

describe('an app that is slow', () => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await startInputApp('input-gtk3.py', seat.env);
    await app.command('focus entry');
  });
  afterAll(() => app?.end());

  test('is waited for before its letters change', async () => {
    const stalled = app.command('stall 1500');
    await typed(HAN);
    await stalled;
    await eventually(() => expect(app.diary.at(-1)).toEqual({ entry: HAN }));
  });

  test('and hangs: what went in is right, and the rest is not typed', async () => {
    await app.command('clear');
    await app.freeze();
    const text = `${'a'.repeat(32)}${HAN}`;
    const error = await input.type(text, { deadline: soon() }).catch((thrown: unknown) => thrown);
    app.signal('SIGCONT');
    expect(error).toMatchObject({ code: 'app_hung', delivered: 'yes', retry: 'no' });
    const count = (error as { details: { typed: number } }).details.typed;
    expect(count).toBeGreaterThanOrEqual(32);
    await eventually(() => expect(app.diary.at(-1)).toEqual({ entry: text.slice(0, count) }));
  });
});
