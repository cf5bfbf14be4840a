import { BYTE, MATCH, type PictureTokens } from './screen-tokens.js';

const VALUE = 0xffffff;
const END = 256;
const LONGEST = 258;
const SYMBOLS = 286;
const DISTANCES = 30;
/** The order in which the lengths of the lengths' codes are written. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** RFC 1951, 3.2.5: the symbol of every length, and how many more bits say which of its lengths it is. */
const LENGTH_SYMBOL = new Uint16Array(LONGEST + 1);
const LENGTH_EXTRA = new Uint8Array(LONGEST + 1);
const LENGTH_BASE = new Uint16Array(LONGEST + 1);
for (let symbol = 257, base = 3; symbol < 285; symbol += 1) {
  const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
  for (let length = base; length < base + (1 << extra) && length < LONGEST; length += 1) {
    LENGTH_SYMBOL[length] = symbol;
    LENGTH_EXTRA[length] = extra;
    LENGTH_BASE[length] = base;
  }
  base += 1 << extra;
}
LENGTH_SYMBOL[LONGEST] = 285;
LENGTH_BASE[LONGEST] = LONGEST;

/** The tokens as one zlib stream: a header, one block with codes made for it, the checksum. */
export function deflateTokens({ tokens, count, adler }: PictureTokens): Buffer {
  const used = tokens.subarray(0, count);
  const symbols = new Uint32Array(SYMBOLS);
  const distances = new Uint32Array(DISTANCES);
  const extraBits = countUses(used, symbols, distances);
  const codes = { symbols: prefixCode(symbols, 15), distances: prefixCode(distances, 15) };
  const bits = bitsOf(symbols, codes.symbols) + bitsOf(distances, codes.distances) + extraBits;
  const out = new BitWriter(Math.ceil(bits / 8) + HEAD_BYTES);
  out.put(0x78, 8); // deflate, reaching back 32 kB
  out.put(0x01, 8); // no dictionary, made for speed
  out.put(0b101, 3); // the last block; it brings its codes
  writeCodes(out, [codes.symbols, codes.distances]);
  writeTokens(out, used, codes);
  const length = out.finish();
  out.bytes.writeUInt32BE(adler, length);
  return out.bytes.subarray(0, length + 4);
}

/** More than the header, the codes (316 lengths of at most 7 + 7 bits) and the checksum take. */
const HEAD_BYTES = 700;

/** Those of one match: the longest, and at the end none shorter than may be. */
function pieceOf(left: number): number {
  if (left <= LONGEST) return left;
  return left - LONGEST < 3 ? left - 3 : LONGEST;
}

function countUses(tokens: Int32Array, symbols: Uint32Array, distances: Uint32Array): number {
  let extra = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const value = token & VALUE;
    if (token >= MATCH) {
      const distance = tokens[++at]!;
      const symbol = distanceSymbol(distance);
      for (let left = value; left > 0;) {
        const piece = pieceOf(left);
        symbols[LENGTH_SYMBOL[piece]!]! += 1;
        distances[symbol]! += 1;
        extra += LENGTH_EXTRA[piece]! + distanceExtra(symbol);
        left -= piece;
      }
    } else if (token >= BYTE) symbols[value]! += 1;
    else {
      symbols[value & 0xff]! += 1;
      symbols[(value >>> 8) & 0xff]! += 1;
      symbols[value >>> 16]! += 1;
    }
  }
  symbols[END]! += 1;
  return extra;
}

function bitsOf(counts: Uint32Array, { lengths }: PrefixCode): number {
  return counts.reduce((sum, count, symbol) => sum + count * lengths[symbol]!, 0);
}

function writeTokens(
  out: BitWriter,
  tokens: Int32Array,
  { symbols, distances }: { symbols: PrefixCode; distances: PrefixCode },
): void {
  const { bits, lengths } = symbols;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const value = token & VALUE;
    if (token >= MATCH) {
      const distance = tokens[++at]!;
      const symbol = distanceSymbol(distance);
      const extra = distanceExtra(symbol);
      const rest = (distance - 1) & ((1 << extra) - 1);
      for (let left = value; left > 0;) {
        const piece = pieceOf(left);
        out.put(bits[LENGTH_SYMBOL[piece]!]!, lengths[LENGTH_SYMBOL[piece]!]!);
        out.put(piece - LENGTH_BASE[piece]!, LENGTH_EXTRA[piece]!);
        out.put(distances.bits[symbol]!, distances.lengths[symbol]!);
        out.put(rest, extra);
        left -= piece;
      }
    } else if (token >= BYTE) out.put(bits[value]!, lengths[value]!);
    else {
      const [red, green, blue] = [value & 0xff, (value >>> 8) & 0xff, value >>> 16];
      out.put(bits[red]!, lengths[red]!);
      out.put(bits[green]!, lengths[green]!);
      out.put(bits[blue]!, lengths[blue]!);
    }
  }
  out.put(bits[END]!, lengths[END]!);
}

/** RFC 1951, 3.2.5: two symbols for every power of two. */
function distanceSymbol(distance: number): number {
  const from0 = distance - 1;
  if (from0 < 2) return from0;
  const power = 31 - Math.clz32(from0);
  return 2 * power + ((from0 >>> (power - 1)) & 1);
}

function distanceExtra(symbol: number): number {
  return symbol < 2 ? 0 : (symbol >> 1) - 1;
}

/** RFC 1951, 3.2.7: the codes' lengths, which are written in a code of their own. Runs of zeros are told as such. */
function writeCodes(out: BitWriter, codes: readonly PrefixCode[]): void {
  const lengths = codes.flatMap((code) => [...code.lengths]);
  const written: { symbol: number; more?: number; bits?: number }[] = [];
  for (let at = 0; at < lengths.length;) {
    let zeros = 0;
    while (zeros < 138 && lengths[at + zeros] === 0) zeros += 1;
    if (zeros > 10) written.push({ symbol: 18, more: zeros - 11, bits: 7 });
    else if (zeros > 2) written.push({ symbol: 17, more: zeros - 3, bits: 3 });
    else {
      written.push({ symbol: lengths[at]! });
      zeros = 1;
    }
    at += zeros;
  }
  const counts = new Uint32Array(ORDER.length);
  for (const { symbol } of written) counts[symbol]! += 1;
  const code = prefixCode(counts, 7);
  out.put(SYMBOLS - 257, 5);
  out.put(DISTANCES - 1, 5);
  out.put(ORDER.length - 4, 4);
  for (const symbol of ORDER) out.put(code.lengths[symbol]!, 3);
  for (const { symbol, more = 0, bits = 0 } of written) {
    out.put(code.bits[symbol]!, code.lengths[symbol]!);
    out.put(more, bits);
  }
}

/** Bits into bytes, the lowest first. */
class BitWriter {
  readonly bytes: Buffer;
  private at = 0;
  private held = 0;
  private count = 0;

  constructor(most: number) {
    this.bytes = Buffer.allocUnsafe(most);
  }

  /** At most 15 bits. */
  put(value: number, bits: number): void {
    this.held |= value << this.count;
    this.count += bits;
    if (this.count < 16) return;
    this.bytes[this.at] = this.held;
    this.bytes[this.at + 1] = this.held >>> 8;
    this.at += 2;
    this.held >>>= 16;
    this.count -= 16;
  }

  /** How many bytes there are. */
  finish(): number {
    for (; this.count > 0; this.count -= 8) {
      this.bytes[this.at++] = this.held;
      this.held >>>= 8;
    }
    return this.at;
  }
}

/** A prefix code (Huffman's) as deflate wants it: a length for each symbol, and from the lengths the bits. */
export interface PrefixCode {
  lengths: Uint8Array;
  /** First bit lowest, the way deflate puts bits into bytes. */
  bits: Uint16Array;
}

/** The shortest code for symbols that come this often; those that never come get none. */
export function prefixCode(counts: Uint32Array, longest: number): PrefixCode {
  const weights = Uint32Array.from(counts);
  // A code of one symbol is not complete, and some readers refuse it.
  for (let symbol = 0; used(weights) < 2; symbol += 1) weights[symbol] ||= 1;
  let lengths = codeLengths(weights);
  while (lengths.some((length) => length > longest)) {
    // Counts that differ less make a flatter tree; nothing used becomes unused.
    for (let symbol = 0; symbol < weights.length; symbol += 1) weights[symbol] = Math.ceil(weights[symbol]! / 2);
    lengths = codeLengths(weights);
  }
  return { lengths, bits: codeBits(lengths) };
}

function used(weights: Uint32Array): number {
  return weights.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0);
}

/** The two lightest become one, until one is left; how deep a symbol lies in it then is the length of its code. */
function codeLengths(weights: Uint32Array): Uint8Array {
  const leaves = [...weights.keys()].filter((symbol) => weights[symbol]! > 0);
  leaves.sort((a, b) => weights[a]! - weights[b]!);
  const count = leaves.length;
  // Nodes are the leaves, lightest first, and then the pairs, which come out lightest first too.
  const weight = leaves.map((symbol) => weights[symbol]!);
  const parent: number[] = [];
  let leaf = 0;
  let pair = count;
  const lightest = (): number =>
    pair >= weight.length || (leaf < count && weight[leaf]! <= weight[pair]!) ? leaf++ : pair++;
  while (weight.length < 2 * count - 1) {
    const [one, other] = [lightest(), lightest()];
    parent[one] = parent[other] = weight.length;
    weight.push(weight[one]! + weight[other]!);
  }
  const depth = new Uint8Array(weight.length);
  const lengths = new Uint8Array(weights.length);
  for (let node = weight.length - 2; node >= 0; node -= 1) {
    depth[node] = depth[parent[node]!]! + 1;
    if (node < count) lengths[leaves[node]!] = depth[node]!;
  }
  return lengths;
}

/** RFC 1951, 3.2.2: short codes first, and among equals the smaller symbol. */
function codeBits(lengths: Uint8Array): Uint16Array {
  const bits = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= 15; length += 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] === length) bits[symbol] = reversed(next++, length);
    }
    next <<= 1;
  }
  return bits;
}

function reversed(value: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit += 1) out |= ((value >>> bit) & 1) << (length - 1 - bit);
  return out;
}
