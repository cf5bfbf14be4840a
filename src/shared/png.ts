import { deflateSync } from 'node:zlib';

/** Pieces of the usual 16 kB cost as much time again to put together. */
const CHUNK_BYTES = 1 << 20;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An opaque picture, 4 bytes a pixel (red, green, blue, ignored), as PNG without transparency. */
export function encodePng(picture: { width: number; height: number; rgba: Buffer }): Buffer {
  const { width, height, rgba } = picture;
  if (rgba.length !== width * height * 4 || rgba.length === 0) {
    throw new RangeError(`${rgba.length} bytes are no picture of ${width}x${height}`);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8); // 8 bits, red green blue, no interlace
  // Level 1: desktops are flat areas and text; more effort costs ten times the time for a fifth of the size.
  const data = deflateSync(rows(width, height, rgba), { level: 1, chunkSize: CHUNK_BYTES });
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Every row begins with its filter: none. */
function rows(width: number, height: number, rgba: Buffer): Buffer {
  const out = Buffer.allocUnsafe((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    out[to++] = 0;
    for (let x = 0; x < width; x += 1) {
      out[to] = rgba[from]!;
      out[to + 1] = rgba[from + 1]!;
      out[to + 2] = rgba[from + 2]!;
      to += 3;
      from += 4;
    }
  }
  return out;
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** zlib.crc32 came with Node 22. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at += 1) crc = CRC_TABLE[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
