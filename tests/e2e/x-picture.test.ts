import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDisplay, type XDisplay } from '../../src/drivers/linux/x11/display.js';
import { captureScreen } from '../../src/drivers/linux/capture/pixels.js';
import { SharedImage } from '../../src/drivers/linux/capture/shared-image.js';
import { encodePng } from '../../src/imaging/index.js';
import { end, eventually, soon, startBareX, type BareX, type Env } from './support/x-seat.js';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/** Red, green and blue of the whole screen as xwd saw it, for 24-bit screens. */
async function xwd(env: Env): Promise<{ width: number; height: number; rgb: Buffer }> {
  const { stdout } = await exec('xwd', ['-root', '-silent'], {
    env: { ...env },
    encoding: 'buffer',
    maxBuffer: 64 << 20,
  });
  const header = (index: number): number => stdout.readUInt32BE(index * 4);
  const [width, height, lsbFirst, bits, stride] = [header(4), header(5), header(7) === 0, header(11), header(12)];
  const start = header(0) + header(19) * 12;
  const rgb = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = start + y * stride + (x * bits) / 8;
      const pixel = lsbFirst ? stdout.readUInt32LE(at) : stdout.readUInt32BE(at);
      rgb.set([(pixel >> 16) & 255, (pixel >> 8) & 255, pixel & 255], (y * width + x) * 3);
    }
  }
  return { width, height, rgb };
}

function rgbOf(rgba: Buffer): Buffer {
  const rgb = Buffer.alloc((rgba.length / 4) * 3);
  for (let pixel = 0; pixel < rgba.length / 4; pixel += 1) rgba.copy(rgb, pixel * 3, pixel * 4, pixel * 4 + 3);
  return rgb;
}

describe('a picture', () => {
  let bare: BareX;
  let display: XDisplay;
  const apps: ReturnType<typeof spawn>[] = [];

  beforeAll(async () => {
    bare = await startBareX();
    display = await openDisplay(bare.env, soon());
    apps.push(spawn('xsetroot', ['-gray'], { env: bare.env }));
    apps.push(spawn('xeyes', ['-geometry', '200x150+31+17'], { env: bare.env }));
    apps.push(spawn('xlogo', ['-geometry', '150x150+300+201', '-fg', '#3366cc', '-bg', '#ffee11'], { env: bare.env }));
    await eventually(async () => {
      expect(await display.windows(soon())).toHaveLength(2);
      const { rgba } = await display.screenshot(undefined, soon());
      expect(rgba.includes(Buffer.from([0x33, 0x66, 0xcc, 255]))).toBe(true);
    });
  });
  afterAll(async () => {
    display.close();
    await Promise.all(apps.map((app) => end(app)));
    await bare.stop();
  });

  it('has the pixels that xwd has', async () => {
    const [picture, other] = [await display.screenshot(undefined, soon()), await xwd(bare.env)];
    expect(picture).toMatchObject({ width: 640, height: 480, origin: { x: 0, y: 0 } });
    expect(rgbOf(picture.rgba).equals(other.rgb)).toBe(true);
  });

  it('is the same without shared memory', async () => {
    const none = { read: () => Promise.resolve(undefined), lend: (one: object) => one } as unknown as SharedImage;
    const strips = await captureScreen(display.client, none, undefined);
    expect(strips.rgba.equals((await display.screenshot(undefined, soon())).rgba)).toBe(true);
  });

  it('two at once do not mix', async () => {
    const whole = (await display.screenshot(undefined, soon())).rgba;
    const left = { x: 0, y: 0, width: 320, height: 480 };
    const [a, b, c] = await Promise.all([
      display.screenshot(undefined, soon()),
      display.screenshot(left, soon()),
      display.screenshot(undefined, soon()),
    ]);
    expect(a.rgba.equals(whole)).toBe(true);
    expect(c.rgba.equals(whole)).toBe(true);
    expect(b.rgba.subarray(0, 320 * 4).equals(whole.subarray(0, 320 * 4))).toBe(true);
  });

  it('that was given back has its memory used once, however often it is given back', async () => {
    const whole = Buffer.from((await display.screenshot(undefined, soon())).rgba);
    const first = await display.screenshot(undefined, soon());
    const { rgba } = first;
    display.shared.release(first);
    const second = await display.screenshot(undefined, soon());
    expect(second.rgba, 'the same memory').toBe(rgba);
    display.shared.release(first);
    const third = await display.screenshot(undefined, soon());
    expect(third.rgba, 'other memory').not.toBe(rgba);
    expect(second.rgba.equals(whole)).toBe(true);
    expect(third.rgba.equals(whole)).toBe(true);
  });

  it('of an area is that part of the whole, clipped to the screen', async () => {
    const whole = (await display.screenshot(undefined, soon())).rgba;
    const part = await display.screenshot({ x: 601, y: 399, width: 500, height: 500 }, soon());
    expect(part).toMatchObject({ width: 39, height: 81, origin: { x: 601, y: 399 } });
    for (let y = 0; y < 81; y += 1) {
      const from = ((399 + y) * 640 + 601) * 4;
      expect(part.rgba.subarray(y * 39 * 4, (y + 1) * 39 * 4).equals(whole.subarray(from, from + 39 * 4))).toBe(true);
    }
    await expect(display.screenshot({ x: 700, y: 0, width: 5, height: 5 }, soon())).rejects.toMatchObject({
      code: 'bad_arguments',
    });
  });

  it('is a PNG that another program opens', async () => {
    const file = join(bare.env.HOME!, 'screen.png');
    await writeFile(file, encodePng(await display.screenshot(undefined, soon())));
    const open = 'import sys; from gi.repository import GdkPixbuf as P; p = P.Pixbuf.new_from_file(sys.argv[1]); ';
    const tell = 'print(p.get_width(), p.get_height(), p.get_n_channels(), p.get_bits_per_sample())';
    expect((await exec('/usr/bin/python3', ['-c', open + tell, file])).stdout).toBe('640 480 3 8\n');
  });
});

describe('other colour depths', () => {
  it('16 bits', async () => {
    const bare = await startBareX({ depth: 16 });
    try {
      const display = await openDisplay(bare.env, soon());
      await exec('xsetroot', ['-solid', '#ff0000'], { env: { ...bare.env } });
      const { rgba } = await display.screenshot({ x: 5, y: 5, width: 3, height: 2 }, soon());
      expect([...rgba.subarray(0, 8)]).toEqual([255, 0, 0, 255, 255, 0, 0, 255]);
      display.close();
    } finally {
      await bare.stop();
    }
  });

  it('8 bits are refused with a reason', async () => {
    const bare = await startBareX({ depth: 8 });
    try {
      const display = await openDisplay(bare.env, soon());
      await expect(display.screenshot(undefined, soon())).rejects.toMatchObject({ code: 'not_supported' });
      display.close();
    } finally {
      await bare.stop();
    }
  });
});
