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
