import { inflateSync } from 'node:zlib';

/** Rows of red, green, blue. The PNG must be written without filters, or the test cannot read it. */
export function pixelsOf(data: string | Buffer): { at(x: number, y: number): string; width: number; height: number } {
  const png = typeof data === 'string' ? Buffer.from(data, 'base64') : data;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), width, height);
  return { width, height, at: (x, y) => rows.toString('hex', (y * width + x) * 3, (y * width + x) * 3 + 3) };
}

/** The filters of PNG undone: none, left, above, mean, Paeth. */
function unfiltered(raw: Buffer, width: number, height: number): Buffer {
  const stride = width * 3;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)]!;
    for (let x = 0; x < stride; x += 1) {
      const left = x < 3 ? 0 : out[y * stride + x - 3]!;
      const above = y === 0 ? 0 : out[(y - 1) * stride + x]!;
      const corner = x < 3 || y === 0 ? 0 : out[(y - 1) * stride + x - 3]!;
      const guess = left + above - corner;
      const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? above : corner;
      const add = [0, left, above, (left + above) >> 1, paeth][filter]!;
      out[y * stride + x] = raw[y * (stride + 1) + 1 + x]! + add;
    }
  }
  return out;
}
