import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png.js';

/** An independent reader: Python's zlib, binascii and the PNG layout, with every checksum verified. */
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
rows = [raw[y*(w*3+1):(y+1)*(w*3+1)] for y in range(h)]
assert all(r[0] == 0 for r in rows)
print(w, h, b''.join(r[1:] for r in rows).hex())
`;

function decode(png: Buffer): string {
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', ['-c', DECODE], { input: png, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

describe('encodePng', () => {
  it.each([
    { width: 1, height: 1 },
    { width: 3, height: 2 },
    { width: 61, height: 47 },
  ])('is read back exactly by another decoder: $width x $height', ({ width, height }) => {
    const rgba = Buffer.alloc(width * height * 4);
    const rgb: number[] = [];
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const colour = [(pixel * 7) % 256, (pixel * 31 + 5) % 256, (pixel * 131 + 200) % 256];
      rgba.set([...colour, 255], pixel * 4);
      rgb.push(...colour);
    }
    expect(decode(encodePng({ width, height, rgba }))).toBe(`${width} ${height} ${Buffer.from(rgb).toString('hex')}`);
  });

  it('refuses pixels that do not make up the picture', () => {
    expect(() => encodePng({ width: 2, height: 2, rgba: Buffer.alloc(15) })).toThrow(/no picture of 2x2/);
    expect(() => encodePng({ width: 0, height: 0, rgba: Buffer.alloc(0) })).toThrow(/no picture/);
  });
});
