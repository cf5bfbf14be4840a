/** The rows of an image as literals and repetitions, in the terms of deflate. */
export interface ScreenTokens {
  /**
   * A pixel (red in the lowest byte), or BYTE with a byte, or MATCH with a length in bytes, followed by its distance.
   */
  tokens: Int32Array;
  /** Number of tokens used. */
  count: number;
  /** Adler-32 of the bytes that the tokens stand for. */
  adler: number;
}

export const BYTE = 1 << 24;
export const MATCH = 2 << 24;
const PIXEL_MASK = 0xffffff;
const FILTER_NONE = 0;
const FILTER_UP = 2;
const WINDOW_BYTES = 32_768;
/** In pixels. A match with the row above that is this long can hardly be improved. */
const GOOD_MATCH = 86;
/** In pixels. For shorter matches it is worth searching further back. */
const POOR_MATCH = 4;
const HASH_BITS = 14;
/** Rows per step before the event loop runs again: well under a millisecond. */
const ROWS_PER_STEP = 48;

/**
 * Reads the pixels as 32-bit words. Screens are flat: most rows equal the row above, most pixels equal their neighbour,
 * and letters repeat. Undefined for an image that is not like that (a photograph), or whose rows are longer than a
 * match distance. Yields after every few rows so that other work can run.
 */
export function* screenTokens(
  width: number,
  height: number,
  rgba: Buffer,
): Generator<void, ScreenTokens | undefined, void> {
  const rowBytes = width * 3 + 1;
  if (rowBytes > WINDOW_BYTES) return undefined;
  const pixels = wordsOf(rgba);
  const maxTokens = Math.max(2 * width, pixels.length >>> 3);
  const tokens = new Int32Array(maxTokens + 2 * width + 4 * height);
  const lastPositions = new Int32Array(1 << HASH_BITS).fill(-1);
  const checksum = new Adler32();
  let count = 0;
  /** The last row that was written without the Up filter; all rows between it and this one are equal. */
  let lastUnfiltered = 0;
  for (let y = 0; y < height; y += 1) {
    if (y > 0 && y % ROWS_PER_STEP === 0) yield;
    const equalsAbove = y > 0 && width > 1 && sameAsAbove(rgba, y, width * 4);
    // A row of zeros after the Up filter has the shortest distance, but the next row must still reach an unfiltered
    // row.
    if (equalsAbove && (y + 1 - lastUnfiltered) * rowBytes <= WINDOW_BYTES) {
      tokens[count++] = BYTE | FILTER_UP;
      tokens[count++] = BYTE;
      tokens[count++] = MATCH | (width * 3 - 1);
      tokens[count++] = 1;
      checksum.byte(FILTER_UP);
      checksum.zeros(width * 3);
      continue;
    }
    if (count - 4 * y > maxTokens) return undefined;
    tokens[count++] = BYTE | FILTER_NONE;
    const row = { start: y * width, width, above: (y - lastUnfiltered) * rowBytes, lastPositions };
    count = rowTokens(tokens, count, pixels, row);
    lastUnfiltered = y;
    checksum.byte(FILTER_NONE);
    checksum.pixels(pixels, row.start, row.start + width);
  }
  return { tokens, count, adler: checksum.value() };
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
  /** Distance in bytes to the row that equals the row above. 0 in the first row. */
  above: number;
  /** Last position of two pixels, by their hash. */
  lastPositions: Int32Array;
}

/** Takes the longest match of: the row above, the pixel to the left, the last position of these two pixels. */
function rowTokens(
  tokens: Int32Array,
  from: number,
  pixels: Int32Array,
  { start, width, above, lastPositions }: Row,
): number {
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
    if (best < GOOD_MATCH && at > start) {
      const left = pixels[at - 1]!;
      let to = at;
      while (to < end && pixels[to] === left) to += 1;
      // For equal lengths the nearer match wins: a short distance takes fewer bits.
      if (to > at && to - at >= best) {
        best = to - at;
        distance = 3;
      }
    }
    if (best < POOR_MATCH && at + 1 < end) {
      const hash = (Math.imul(pixels[at]!, 0x9e3779b1) ^ Math.imul(pixels[at + 1]!, 0x85ebca6b)) >>> (32 - HASH_BITS);
      const previous = lastPositions[hash]!;
      lastPositions[hash] = at;
      const previousDistance = previous < 0 ? Infinity : bytesBetween(previous, at, width);
      const length = previousDistance > WINDOW_BYTES ? 0 : sameLength(pixels, previous, at, width, end);
      if (length > 1 && length > best) {
        best = length;
        distance = previousDistance;
      }
    }
    if (best === 0) tokens[count++] = pixels[at++]! & PIXEL_MASK;
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

/** Number of equal pixels. Matches end at the end of a row, because the filter byte between rows is not a pixel. */
function sameLength(pixels: Int32Array, from: number, at: number, width: number, end: number): number {
  const limit = Math.min(end - at, width - (from % width));
  let length = 0;
  while (length < limit && pixels[from + length] === pixels[at + length]) length += 1;
  return length;
}

const MODULUS = 65_521;
/** Maximum pixels between two divisions. With more, the sums exceed 31 bits and V8 no longer uses small integers. */
const PIXELS_PER_REDUCTION = 1_280;

/**
 * The checksum of zlib streams for bytes that are never laid out in memory: takes pixels as words, and runs of zeros by
 * their count.
 */
class Adler32 {
  private low = 1;
  private high = 0;

  byte(value: number): void {
    this.low = (this.low + value) % MODULUS;
    this.high = (this.high + this.low) % MODULUS;
  }

  zeros(count: number): void {
    this.high = (this.high + this.low * count) % MODULUS;
  }

  /** Red, green and blue of each word; red is the lowest byte. */
  pixels(words: Int32Array, from: number, to: number): void {
    let { low, high } = this;
    for (let at = from; at < to;) {
      const end = Math.min(to, at + PIXELS_PER_REDUCTION);
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
