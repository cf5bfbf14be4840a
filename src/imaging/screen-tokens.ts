/** What of a picture's rows is new and what is a repetition, in the terms of deflate. */
export interface PictureTokens {
  /** A pixel (red lowest), or BYTE and a byte, or MATCH and a length in bytes, followed by its distance. */
  tokens: Int32Array;
  /** How many of them are used. */
  count: number;
  /** Of the bytes that they stand for. */
  adler: number;
}

export const BYTE = 1 << 24;
export const MATCH = 2 << 24;
const PIXEL = 0xffffff;
const FILTER_NONE = 0;
const FILTER_UP = 2;
const FARTHEST = 32_768;
/** A run above that is so long that no other can be much better. */
const LONG = 86;
/** What may be better found elsewhere. */
const SHORT = 4;
const HASH_BITS = 14;
/** So many rows are gone through before others may have the thread: well under a millisecond. */
const STEP_ROWS = 48;

/**
 * Goes through the pixels as the 32-bit words that they are. A screen is flat: most rows are those above them, most
 * pixels are their neighbours, and letters come again. Undefined for a picture that is not like that (a photograph),
 * or too wide for a row to be a distance. It stops after every few rows, for whoever has something else to do.
 */
export function* pictureTokens(
  width: number,
  height: number,
  rgba: Buffer,
): Generator<void, PictureTokens | undefined, void> {
  const rowBytes = width * 3 + 1;
  if (rowBytes > FARTHEST) return undefined;
  const pixels = wordsOf(rgba);
  const most = Math.max(2 * width, pixels.length >>> 3);
  const tokens = new Int32Array(most + 2 * width + 4 * height);
  const seen = new Int32Array(1 << HASH_BITS).fill(-1);
  const sum = new Adler32();
  let count = 0;
  /** The last row that is written as it is; all between it and this one are the same. */
  let plain = 0;
  for (let y = 0; y < height; y += 1) {
    if (y > 0 && y % STEP_ROWS === 0) yield;
    const same = y > 0 && width > 1 && sameAsAbove(rgba, y, width * 4);
    // Nothing is nearer than "as above" spelled as zeros, but what comes next must still reach a plain row.
    if (same && (y + 1 - plain) * rowBytes <= FARTHEST) {
      tokens[count++] = BYTE | FILTER_UP;
      tokens[count++] = BYTE;
      tokens[count++] = MATCH | (width * 3 - 1);
      tokens[count++] = 1;
      sum.byte(FILTER_UP);
      sum.zeros(width * 3);
      continue;
    }
    if (count - 4 * y > most) return undefined;
    tokens[count++] = BYTE | FILTER_NONE;
    const row = { start: y * width, width, above: (y - plain) * rowBytes, seen };
    count = rowTokens(tokens, count, pixels, row);
    plain = y;
    sum.byte(FILTER_NONE);
    sum.pixels(pixels, row.start, row.start + width);
  }
  return { tokens, count, adler: sum.value() };
}

function wordsOf(rgba: Buffer): Int32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : Uint8Array.from(rgba);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >>> 2);
}

function sameAsAbove(rgba: Buffer, y: number, bytes: number): boolean {
  const at = y * bytes;
  return rgba.compare(rgba, at - bytes, at, at, at + bytes) === 0;
}

interface Row {
  start: number;
  width: number;
  /** How far back the row lies that is like the one above. 0 in the first row. */
  above: number;
  /** Where two pixels came last, by their hash. */
  seen: Int32Array;
}

/** The longest of: as above, as to the left, as where these two pixels came last. */
function rowTokens(tokens: Int32Array, from: number, pixels: Int32Array, { start, width, above, seen }: Row): number {
  const end = start + width;
  let count = from;
  let at = start;
  while (at < end) {
    let best = 0;
    let distance = above;
    if (above > 0) {
      let to = at;
      while (to < end && pixels[to] === pixels[to - width]) to += 1;
      best = to - at;
    }
    if (best < LONG && at > start) {
      const left = pixels[at - 1]!;
      let to = at;
      while (to < end && pixels[to] === left) to += 1;
      // No farther than it must be: a near place takes fewer bits.
      if (to > at && to - at >= best) {
        best = to - at;
        distance = 3;
      }
    }
    if (best < SHORT && at + 1 < end) {
      const hash = (Math.imul(pixels[at]!, 0x9e3779b1) ^ Math.imul(pixels[at + 1]!, 0x85ebca6b)) >>> (32 - HASH_BITS);
      const other = seen[hash]!;
      seen[hash] = at;
      const far = other < 0 ? Infinity : bytesBetween(other, at, width);
      const length = far > FARTHEST ? 0 : sameLength(pixels, other, at, width, end);
      if (length > 1 && length > best) {
        best = length;
        distance = far;
      }
    }
    if (best === 0) tokens[count++] = pixels[at++]! & PIXEL;
    else {
      tokens[count++] = MATCH | (best * 3);
      tokens[count++] = distance;
      at += best;
    }
  }
  return count;
}

function bytesBetween(from: number, to: number, width: number): number {
  return (to - from) * 3 + Math.floor(to / width) - Math.floor(from / width);
}

/** For how many pixels it goes on alike; between two rows lies a byte that is none. */
function sameLength(pixels: Int32Array, from: number, at: number, width: number, end: number): number {
  const most = Math.min(end - at, width - (from % width));
  let length = 0;
  while (length < most && pixels[from + length] === pixels[at + length]) length += 1;
  return length;
}

const MODULUS = 65_521;
/** So many pixels at most between two divisions, or the sums outgrow 31 bits and with them the fast integers. */
const PIXELS = 1_280;

/** The checksum of zlib's format, for bytes that are never laid out: of pixels as words, and of zeros without looking. */
export class Adler32 {
  private low = 1;
  private high = 0;

  byte(value: number): void {
    this.low = (this.low + value) % MODULUS;
    this.high = (this.high + this.low) % MODULUS;
  }

  zeros(count: number): void {
    this.high = (this.high + this.low * count) % MODULUS;
  }

  /** Red, green and blue of each; red is the lowest byte. */
  pixels(words: Int32Array, from: number, to: number): void {
    let { low, high } = this;
    for (let at = from; at < to;) {
      const end = Math.min(to, at + PIXELS);
      for (; at < end; at += 1) {
        const word = words[at]!;
        const red = word & 0xff;
        const green = (word >>> 8) & 0xff;
        const blue = (word >>> 16) & 0xff;
        high = (high + 3 * (low + red) + 2 * green + blue) | 0;
        low = (low + red + green + blue) | 0;
      }
      low %= MODULUS;
      high %= MODULUS;
    }
    this.low = low;
    this.high = high;
  }

  value(): number {
    return ((this.high << 16) | this.low) >>> 0;
  }
}
