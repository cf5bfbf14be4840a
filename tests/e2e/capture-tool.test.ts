import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../src/tree/index.js';
import { coloursOf } from './support/colours.js';
import { PaintApp } from './support/paint-app.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { SeatRoom, until } from './support/seat-room.js';

const run = promisify(execFile);
const BLUE = '#1020f0';
const RED = '#f01020';
const GREEN = '#10f020';
const room = new SeatRoom();
let real: RealDesktop;
let app: PaintApp;

interface Captured {
  id: string;
  width: number;
  height: number;
  origin: { x: number; y: number };
  data: string;
  file: string;
  redactions: number;
  [fact: string]: unknown;
}
const capture = async (args: Record<string, unknown>): Promise<Captured> =>
  (await real.call('ui_capture', args)).json as unknown as Captured;

/** Pixels of an image file as another program reads them. */
async function decode(image: Buffer): Promise<{ width: number; height: number; rgba: Buffer }> {
  const file = join(room.base, randomUUID());
  writeFileSync(file, image);
  const script = [
    'import sys; from gi.repository import GdkPixbuf as P; p = P.Pixbuf.new_from_file(sys.argv[1]).add_alpha(False,0,0,0)',
    'w, h, s, b = p.get_width(), p.get_height(), p.get_rowstride(), p.get_pixels()',
    'out = sys.stdout.buffer; out.write(w.to_bytes(4,"big") + h.to_bytes(4,"big"))',
    'for y in range(h): out.write(b[y*s:y*s+w*4])',
  ].join('\n');
  const { stdout } = await run('/usr/bin/python3', ['-c', script, file], { encoding: 'buffer', maxBuffer: 64 << 20 });
  return { width: stdout.readUInt32BE(0), height: stdout.readUInt32BE(4), rgba: stdout.subarray(8) };
}
const picture = async (args: Record<string, unknown>) => {
  const { data, ...facts } = await capture(args);
  return { ...facts, ...(await decode(Buffer.from(data, 'base64'))), facts };
};
const pixel = ({ rgba, width }: { rgba: Buffer; width: number }, x: number, y: number): string =>
  `#${rgba.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 3)}`;
const boxOf = async (title: string): Promise<Box> => {
  const { windows } = await real.desktop.listWindows(soon());
  return windows.find((window) => window.title === title)!.bounds!;
};
const xdotool = (...args: (string | number)[]) => run('xdotool', args.map(String), { env: { ...real.seat.env } });

beforeAll(async () => {
  // A second monitor; which of them is the first one for people, xrandr says below.
  real = await openRealDesktop({ width: 800, height: 600 }, 2);
  app = await PaintApp.start(real.seat.env);
  await app.do('window', 'left', 'Left', BLUE, 100, 100, 300, 200, 'bare');
  await app.do('window', 'right', 'Right', RED, 900, 100, 300, 200, 'bare');
  await until('both windows', async () => (await real.desktop.listWindows(soon())).windows.length === 2);
});
afterAll(async () => {
  await app.end();
  await real.stop();
  room.remove();
});

describe('what a picture is of', () => {
  it('the screen, both monitors, at its true size', async () => {
    const screen = await picture({ maxSize: 0 });
    expect(screen).toMatchObject({ width: 1600, height: 600, origin: { x: 0, y: 0 }, scale: 1, space: 'screen' });
    const [left, right] = [await boxOf('Left'), await boxOf('Right')];
    expect(pixel(screen, left.x + 150, left.y + 100)).toBe(BLUE);
    expect(pixel(screen, right.x + 150, right.y + 100)).toBe(RED);
    expect(coloursOf(screen).get(BLUE)).toBe(300 * 200);
  });

  it('made smaller by itself when it is large, and as much as is asked for', async () => {
    const usual = await picture({});
    expect(usual).toMatchObject({ width: 1280, height: 480, scale: 0.8 });
    expect(pixel(usual, Math.round((await boxOf('Left')).x * 0.8) + 100, 160)).toBe(BLUE);
    expect(await capture({ scale: 0.25 })).toMatchObject({ width: 400, height: 150, scale: 0.25 });
  });

  it('each monitor, also when the first one is to the right of the second', async () => {
    expect((await picture({ monitor: 1 })).facts).toMatchObject({ width: 800, height: 600, origin: { x: 0, y: 0 } });
    const second = await picture({ monitor: 2 });
    expect(second).toMatchObject({ width: 800, height: 600, origin: { x: 800, y: 0 }, monitor: 2 });
    const right = await boxOf('Right');
    expect(pixel(second, right.x - 800 + 150, right.y + 100)).toBe(RED);
    const xrandr = (...args: string[]) => run('xrandr', args, { env: { ...real.seat.env } });
    await xrandr('--delmonitor', 'monitor-1');
    await xrandr('--delmonitor', 'monitor-2');
    await xrandr('--setmonitor', '*main', '800/200x400/100+800+200', 'screen');
    await xrandr('--setmonitor', 'aside', '800/200x600/150+0+0', 'none');
    const both = await Promise.all([picture({ monitor: 1 }), picture({ monitor: 2 })]);
    const [aside, main] = both.sort((a, b) => a.origin.x - b.origin.x);
    expect(aside).toMatchObject({ width: 800, height: 600, origin: { x: 0, y: 0 } });
    expect(main).toMatchObject({ width: 800, height: 400, origin: { x: 800, y: 200 } });
    expect(pixel(main, right.x - 800 + 150, 220 - 200)).toBe(RED);
  });

  it('a region', async () => {
    const { x, y } = await boxOf('Left');
    const part = await picture({ region: [x - 10, y - 10, 50, 40] });
    expect(part).toMatchObject({ width: 50, height: 40, origin: { x: x - 10, y: y - 10 } });
    expect(coloursOf(part).get(BLUE)).toBe(40 * 30);
  });

  it('a window that sticks out of the screen on the left and above', async () => {
    await app.do('window', 'out', 'Out', GREEN, -60, -50, 200, 150, 'popup');
    const { windows } = await real.desktop.listWindows(soon());
    const { ref } = windows.find(({ bounds }) => bounds?.x === -60)!;
    const out = await picture({ window: ref });
    expect(out).toMatchObject({ width: 200, height: 150, origin: { x: -60, y: -50 } });
    expect(coloursOf(out)).toEqual(new Map([[GREEN, 200 * 150]]));
    await app.do('close', 'out');
  });

  it('an element: the crop of its window, without what covers it', async () => {
    await app.do('form', 'form', 'Form', 100, 320, 'Name', 'Ada');
    await until('the form', async () => (await boxOf('Form')) !== undefined);
    await real.snapshot({ window: 'Form' });
    await app.do('window', 'cover', 'Cover', RED, 0, 300, 790, 290, 'popup');
    const [whole, part] = [
      await picture({ window: 'Form' }),
      await picture({ target: 'role=textbox && value="plain"' }),
    ];
    expect(part).toMatchObject({ of: 'element', element: expect.stringMatching(/^e\d+$/) as string });
    const [left, top] = [part.origin.x - whole.origin.x, part.origin.y - whole.origin.y];
    for (let y = 0; y < part.height; y += 1) {
      const from = ((top + y) * whole.width + left) * 4;
      const row = part.rgba.subarray(y * part.width * 4, (y + 1) * part.width * 4);
      expect(row.equals(whole.rgba.subarray(from, from + part.width * 4))).toBe(true);
    }
    expect(coloursOf(whole).get(RED)).toBeUndefined();
    await app.do('close', 'cover');
    await app.do('close', 'form');
  });
});

describe('what is in a picture', () => {
  it('no secret field, and how many were painted over', { tags: 'safety' }, async () => {
    await app.do('form', 'login', 'Log in', 100, 320, 'Password', 'canary');
    await until('the form', async () => (await boxOf('Log in')) !== undefined);
    const field = await until('the field', async () => {
      const snapshot = await real.snapshot({ window: 'Log in' });
      return JSON.stringify(snapshot).includes('"secret":true') ? snapshot : undefined;
    });
    const secret = field.roots[0]!;
    const find = (element: typeof secret): Box | undefined =>
      element.states.secret ? element.bounds : element.children.map(find).find(Boolean);
    const box = find(secret)!;
    const [window, screen] = [await picture({ window: 'Log in' }), await picture({ maxSize: 0 })];
    for (const taken of [window, screen]) {
      expect(taken.redactions).toBe(1);
      for (let y = box.y; y < box.y + box.height; y += 1) {
        for (let x = box.x; x < box.x + box.width; x += 1) {
          if (pixel(taken, x - taken.origin.x, y - taken.origin.y) !== '#000000') throw new Error(`${x},${y} shows`);
        }
      }
    }
    expect((await real.call('ui_capture', { window: 'Log in' })).text).toMatch(/, 1 secret field painted over$/);
    await app.do('close', 'login');
  });

  it('the mouse only when it is asked for', async () => {
    const { x, y } = await boxOf('Left');
    await xdotool('mousemove', x + 150, y + 100);
    const without = await picture({ window: 'Left' });
    expect(coloursOf(without)).toEqual(new Map([[BLUE, 300 * 200]]));
    const withMouse = await picture({ window: 'Left', cursor: true });
    const around: string[] = [];
    for (let dy = -12; dy < 24; dy += 1)
      for (let dx = -12; dx < 24; dx += 1) around.push(pixel(withMouse, 150 + dx, 100 + dy));
    expect(new Set(around).size).toBeGreaterThan(1);
    expect(pixel(withMouse, 20, 20)).toBe(BLUE);
  });

  it('jpeg: the same colours, nearly', async () => {
    const { facts, ...image } = await picture({ window: 'Right', format: 'jpeg', quality: 90 });
    expect(facts).toMatchObject({ format: 'jpeg', mimeType: 'image/jpeg' });
    expect(facts.bytes).toBeGreaterThan(500);
    const [red, green, blue] = image.rgba.subarray((100 * 300 + 150) * 4);
    expect([Math.abs(red! - 0xf0), Math.abs(green! - 0x10), Math.abs(blue! - 0x20)].every((off) => off < 8)).toBe(true);
  });

  it('a file that its owner alone can read', async () => {
    const { file, ...facts } = await capture({ window: 'Left', output: 'file' });
    expect(facts).not.toHaveProperty('data');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('what cannot be pictured', () => {
  it('a minimised window, with the way to restore it', async () => {
    await app.do('iconify', 'left');
    await until('it minimised', async () => {
      const { windows } = await real.desktop.listWindows(soon());
      return windows.find(({ title }) => title === 'Left')?.minimised;
    });
    const words = await real.failure('ui_capture', { window: 'Left' });
    const [, ref] = /^failed: not_ready\. (w\d+) window "Left" is minimised\./.exec(words)!;
    expect(words).toContain(`ui_window restore ${ref}`);
    await real.call('ui_window', { action: 'restore', window: ref });
    expect(coloursOf(await picture({ window: 'Left' })).get(BLUE)).toBe(300 * 200);
  });

  it('one that lies outside of the screen', async () => {
    await app.do('window', 'away', 'Away', GREEN, 5000, 100, 200, 100, 'popup');
    const listed = (await real.desktop.listWindows(soon())).windows.some(({ bounds }) => bounds && bounds.x >= 1600);
    // A popup outside the screen is not visible, so it is not even listed.
    expect(listed).toBe(false);
    await app.do('close', 'away');
  });

  it('more than one thing, or nothing that is there', async () => {
    expect(await real.failure('ui_capture', { monitor: 7 })).toMatch(/no monitor 7.*\n.*2 monitors/);
    expect(await real.failure('ui_capture', { region: [5000, 0, 10, 10] })).toMatch(/outside the desktop/);
  });
});

it('a point of a picture of a window is clicked where it is on the screen', async () => {
  const { id } = await capture({ window: 'Right', scale: 0.5 });
  const { x, y } = await boxOf('Right');
  expect((await real.call('ui_click_xy', { x: 75, y: 50, space: id, action: 'move' })).text).toContain(
    `${x + 151},${y + 101}`,
  );
  expect((await xdotool('getmouselocation')).stdout).toContain(`x:${x + 151} y:${y + 101}`);
});
