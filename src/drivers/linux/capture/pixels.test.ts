import { describe, expect, it } from 'vitest';
import { rowBytes, toRgba, type PixelFormat } from './pixels.js';

const USUAL: PixelFormat = { bytes: 4, rowPad: 4, bigEndian: false, red: 0xff0000, green: 0xff00, blue: 0xff };
const words = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);

describe('toRgba', () => {
  const expected = [0x11, 0x22, 0x33, 255, 0xff, 0x80, 0x00, 255];
  it.each<[string, Buffer, PixelFormat]>([
    ['blue first', words(0x00112233, 0xaaff8000), USUAL],
    ['red first', words(0x00332211, 0xaa0080ff), { ...USUAL, red: 0xff, blue: 0xff0000 }],
    [
      'most significant byte first',
      Buffer.from([0, 0x11, 0x22, 0x33, 0, 0xff, 0x80, 0]),
      { ...USUAL, bigEndian: true },
    ],
    ['not aligned', Buffer.concat([Buffer.alloc(1), words(0x112233, 0xff8000)]).subarray(1), USUAL],
  ])('%s', (_, pixels, format) => {
    expect([...toRgba(pixels, { width: 2, height: 1 }, format)]).toEqual(expected);
  });

  it('copies rows that equal the row above', () => {
    const pixels = words(0x112233, 0xff8000, 0x112233, 0xff8000, 0x112233, 0xff8001);
    expect([...toRgba(pixels, { width: 2, height: 3 }, USUAL)]).toEqual([
      ...[...expected, ...expected],
      ...[...expected.slice(0, 6), 1, 255],
    ]);
  });

  it('scales 16-bit colours and skips row padding', () => {
    const format: PixelFormat = { bytes: 2, rowPad: 4, bigEndian: false, red: 0xf800, green: 0x7e0, blue: 0x1f };
    const pixels = Buffer.alloc(8);
    pixels.writeUInt16LE(0xffff, 0);
    pixels.writeUInt16LE(0xf800, 4);
    expect(rowBytes(1, format)).toBe(4);
    expect([...toRgba(pixels, { width: 1, height: 2 }, format)]).toEqual([255, 255, 255, 255, 255, 0, 0, 255]);
  });
});
