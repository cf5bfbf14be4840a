import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { encodeFlatPng, encodePng } from './png.js';

/** An independent decoder: Python's zlib, binascii and the PNG layout, with every checksum verified. */
const DECODE = `
import sys, struct, zlib, binascii
data = sys.stdin.buffer.read()
assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
at, idat = 8, b''
while at < len(data):
    n, kind = struct.unpack('>I4s', data[at:at+8])
    body = data[at+8:at+8+n]
    assert struct.unpack('>I', data[at+8+n:at+12+n])[0] == binascii.crc32(kind + body) & 0xffffffff, kind
    if kind == b'IHDR': w, h, bits, colour, _, _, _ = struct.unpack('>IIBBBBB', body)
    if kind == b'IDAT': idat += body
    at += 12 + n
assert kind == b'IEND' and bits == 8 and colour == 2
raw = zlib.decompress(idat)
assert len(raw) == h * (w * 3 + 1)
above, out = bytes(w * 3), b''
for y in range(h):
    row = raw[y*(w*3+1):(y+1)*(w*3+1)]
    assert row[0] in (0, 2)
    above = row[1:] if row[0] == 0 else bytes((a + b) & 255 for a, b in zip(row[1:], above))
    out += above
print(w, h, out.hex())
`;

function decode(png: Buffer): string {
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', ['-c', DECODE], {
    input: png,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** By libvips, which has its own PNG decoder. */
async function decodeQuickly(png: Buffer): Promise<Buffer> {
  return sharp(png).ensureAlpha().raw().toBuffer();
}

type Colour = readonly [number, number, number];
type Paint = (x: number, y: number) => Colour;

function painted(width: number, height: number, paint: Paint) {
  const rgba = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rgba.set(paint(x, y), (y * width + x) * 4);
  }
  return { width, height, rgba };
}

function hexOf({ rgba }: { rgba: Buffer }): string {
  return Buffer.from(rgba.filter((_, at) => at % 4 !== 3)).toString('hex');
}

const GREY: Colour = [240, 240, 240];
const noise: Paint = (x, y) => {
  const mixed = Math.imul(x * 7919 + y * 104_729 + 1, 0x9e3779b1) >>> 8;
  return [mixed & 255, (mixed >>> 8) & 255, (mixed >>> 16) & 255];
};
/** Similar to text: the same few shapes repeat. */
const text: Paint = (x, y) => (noise(x % 9, y % 11)[0] > 170 ? [20, 30, 40] : GREY);

describe('encodePng', () => {
  it.each<[string, number, number, Paint]>([
    ['one pixel', 1, 1, () => [1, 2, 3]],
    ['one column', 1, 700, (_, y) => (y % 5 === 0 ? [0, 0, 0] : GREY)],
    ['two columns', 2, 700, (_, y) => (y % 50 === 0 ? [0, 0, 0] : GREY)],
    ['one row', 700, 1, (x) => (x % 90 === 0 ? [255, 0, 0] : GREY)],
    ['every pixel a new colour', 61, 47, noise],
    ['one colour, more rows than the match window', 300, 400, () => GREY],
    [
      'a change after more rows than the match window',
      300,
      400,
      (x, y) => (y > 250 && x > 20 && x < 25 ? [9, 9, 9] : GREY),
    ],
    ['letters', 300, 120, text],
    ['runs slightly longer than one match', 260, 40, (x, y) => (x < 84 + (y % 5) ? [y, 0, 0] : [0, 0, y])],
    ['a row longer than the match window', 11_000, 3, (x) => [x & 255, 0, 0]],
  ])('is decoded exactly by an independent decoder: %s', (_, width, height, paint) => {
    const picture = painted(width, height, paint);
    expect(decode(encodePng(picture)) === `${width} ${height} ${hexOf(picture)}`).toBe(true);
  });

  it('is lossless for any image', async () => {
    const byte = fc.nat(255);
    const part = fc.record({
      ...{ x: fc.nat(150), y: fc.nat(400), width: fc.integer({ min: 1, max: 150 }), height: fc.nat(400) },
      paint: fc.oneof(
        fc.tuple(byte, byte, byte).map(
          (colour): Paint =>
            () =>
              colour,
        ),
        fc.constantFrom<Paint>(
          noise,
          text,
          (x) => [x & 255, 0, 0],
          (_, y) => [0, y & 255, 0],
        ),
      ),
    });
    const pictures = fc.record({
      ...{ width: fc.integer({ min: 1, max: 150 }), height: fc.integer({ min: 1, max: 400 }) },
      parts: fc.array(part, { maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(pictures, async ({ width, height, parts }) => {
        const picture = painted(width, height, (x, y) => {
          const top = parts.findLast((p) => x >= p.x && x < p.x + p.width && y >= p.y && y < p.y + p.height);
          return top ? top.paint(x, y) : GREY;
        });
        expect((await decodeQuickly(encodePng(picture))).equals(picture.rgba)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('accepts pixels at any memory alignment', async () => {
    const { rgba, ...size } = painted(40, 30, text);
    const shifted = Buffer.concat([Buffer.alloc(1), rgba]).subarray(1);
    expect((await decodeQuickly(encodePng({ ...size, rgba: shifted }))).equals(rgba)).toBe(true);
  });

  it('leaves photographs to zlib, and keeps screens small', () => {
    expect(encodeFlatPng(painted(200, 200, noise))).toBeUndefined();
    expect(encodeFlatPng(painted(640, 400, () => GREY))!.length).toBeLessThan(4_000);
    expect(encodeFlatPng(painted(640, 400, text))!.length).toBeLessThan(30_000);
  });

  it('refuses pixels that do not match the image size', () => {
    expect(() => encodePng({ width: 2, height: 2, rgba: Buffer.alloc(15) })).toThrow(/not an image of 2x2/);
    expect(() => encodePng({ width: 0, height: 0, rgba: Buffer.alloc(0) })).toThrow(/not an image/);
  });
});
