import { BYTE, MATCH, type ScreenTokens } from './screen-tokens.js';

const VALUE_MASK = 0xffffff;
const END_OF_BLOCK = 256;
const MAX_MATCH = 258;
const LITERAL_SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;
/** RFC 1951, 3.2.7: the order in which the lengths of the code-length codes are written. */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * RFC 1951, 3.2.5: the symbol of every match length, its number of extra bits, and the shortest length of that symbol.
 */
const LENGTH_SYMBOL = new Uint16Array(MAX_MATCH + 1);
const LENGTH_EXTRA = new Uint8Array(MAX_MATCH + 1);
const LENGTH_BASE = new Uint16Array(MAX_MATCH + 1);
for (let symbol = 257, base = 3; symbol < 285; symbol += 1) {
  const extra = symbol < 265 ? 0 : (symbol - 261) >> 2;
  for (let length = base; length < base + (1 << extra) && length < MAX_MATCH; length += 1) {
    LENGTH_SYMBOL[length] = symbol;
    LENGTH_EXTRA[length] = extra;
    LENGTH_BASE[length] = base;
  }
  base += 1 << extra;
}
LENGTH_SYMBOL[MAX_MATCH] = 285;
LENGTH_BASE[MAX_MATCH] = MAX_MATCH;

/** Encodes the tokens as one zlib stream: header, one block with its own dynamic codes, checksum. */
export function deflateTokens({ tokens, count, adler }: ScreenTokens): Buffer {
  const used = tokens.subarray(0, count);
  const symbols = new Uint32Array(LITERAL_SYMBOLS);
  const distances = new Uint32Array(DISTANCE_SYMBOLS);
  const extraBits = countSymbols(used, symbols, distances);
  const codes = { symbols: prefixCode(symbols, 15), distances: prefixCode(distances, 15) };
  const bits = encodedBits(symbols, codes.symbols) + encodedBits(distances, codes.distances) + extraBits;
  const out = new BitWriter(Math.ceil(bits / 8) + MAX_OVERHEAD_BYTES);
  out.put(0x78, 8); // deflate with a 32 kB window
  out.put(0x01, 8); // no dictionary, fastest level
  out.put(0b101, 3); // last block, dynamic codes
  writeCodeLengths(out, [codes.symbols, codes.distances]);
  writeTokens(out, used, codes);
  const length = out.finish();
  out.bytes.writeUInt32BE(adler, length);
  return out.bytes.subarray(0, length + 4);
}

/** Upper bound for the header, the codes (316 lengths of at most 7 + 7 bits) and the checksum. */
const MAX_OVERHEAD_BYTES = 700;

/** Length of the next piece of a long match: the maximum, but the rest must not be shorter than the minimum of 3. */
function nextPiece(left: number): number {
  if (left <= MAX_MATCH) return left;
  return left - MAX_MATCH < 3 ? left - 3 : MAX_MATCH;
}

function countSymbols(tokens: Int32Array, symbols: Uint32Array, distances: Uint32Array): number {
  let extra = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!;
    const value = token & VALUE_MASK;
    if (token >= MATCH) {
      const distance = tokens[++at]!;
      const symbol = distanceSymbol(distance);
      for (let left = value; left > 0;) {
        const piece = nextPiece(left);
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
  symbols[END_OF_BLOCK]! += 1;
  return extra;
}

function encodedBits(counts: Uint32Array, { lengths }: PrefixCode): number {
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
    const value = token & VALUE_MASK;
    if (token >= MATCH) {
      const distance = tokens[++at]!;
      const symbol = distanceSymbol(distance);
      const extra = distanceExtra(symbol);
      const rest = (distance - 1) & ((1 << extra) - 1);
      for (let left = value; left > 0;) {
        const piece = nextPiece(left);
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
  out.put(bits[END_OF_BLOCK]!, lengths[END_OF_BLOCK]!);
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

/** RFC 1951, 3.2.7: writes the code lengths, which are themselves encoded. Runs of zeros are run-length encoded. */
function writeCodeLengths(out: BitWriter, codes: readonly PrefixCode[]): void {
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
  const counts = new Uint32Array(CODE_LENGTH_ORDER.length);
  for (const { symbol } of written) counts[symbol]! += 1;
  const code = prefixCode(counts, 7);
  out.put(LITERAL_SYMBOLS - 257, 5);
  out.put(DISTANCE_SYMBOLS - 1, 5);
  out.put(CODE_LENGTH_ORDER.length - 4, 4);
  for (const symbol of CODE_LENGTH_ORDER) out.put(code.lengths[symbol]!, 3);
  for (const { symbol, more = 0, bits = 0 } of written) {
    out.put(code.bits[symbol]!, code.lengths[symbol]!);
    out.put(more, bits);
  }
}

/** Packs bits into bytes, lowest bit first. */
class BitWriter {
  readonly bytes: Buffer;
  private at = 0;
  private pending = 0;
  private pendingBits = 0;

  constructor(most: number) {
    this.bytes = Buffer.allocUnsafe(most);
  }

  /** At most 15 bits. */
  put(value: number, bits: number): void {
    this.pending |= value << this.pendingBits;
    this.pendingBits += bits;
    if (this.pendingBits < 16) return;
    this.bytes[this.at] = this.pending;
    this.bytes[this.at + 1] = this.pending >>> 8;
    this.at += 2;
    this.pending >>>= 16;
    this.pendingBits -= 16;
  }

  /** Writes the remaining bits; returns the number of bytes. */
  finish(): number {
    for (; this.pendingBits > 0; this.pendingBits -= 8) {
      this.bytes[this.at++] = this.pending;
      this.pending >>>= 8;
    }
    return this.at;
  }
}

/** A Huffman code in the form that deflate needs: a length for each symbol, and the bits derived from the lengths. */
interface PrefixCode {
  lengths: Uint8Array;
  /** First bit lowest, the order in which deflate packs bits into bytes. */
  bits: Uint16Array;
}

/** The shortest code for symbols with these counts. Symbols with count 0 get no code. */
export function prefixCode(counts: Uint32Array, longest: number): PrefixCode {
  const weights = Uint32Array.from(counts);
  // A code with one symbol is incomplete, and some decoders reject it.
  for (let symbol = 0; usedSymbols(weights) < 2; symbol += 1) weights[symbol] ||= 1;
  let lengths = codeLengths(weights);
  while (lengths.some((length) => length > longest)) {
    // Halving makes the counts more alike, so the tree gets flatter. Rounding up keeps used symbols used.
    for (let symbol = 0; symbol < weights.length; symbol += 1) weights[symbol] = Math.ceil(weights[symbol]! / 2);
    lengths = codeLengths(weights);
  }
  return { lengths, bits: codeBits(lengths) };
}

function usedSymbols(weights: Uint32Array): number {
  return weights.reduce((sum, weight) => sum + (weight > 0 ? 1 : 0), 0);
}

/** Merges the two lightest nodes until one is left. The depth of a symbol in that tree is the length of its code. */
function codeLengths(weights: Uint32Array): Uint8Array {
  const leaves = [...weights.keys()].filter((symbol) => weights[symbol]! > 0);
  leaves.sort((a, b) => weights[a]! - weights[b]!);
  const count = leaves.length;
  // Nodes are the leaves, lightest first, followed by the merged pairs, which are also created lightest first.
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

/** RFC 1951, 3.2.2: short codes first; among codes of the same length, the smaller symbol first. */
function codeBits(lengths: Uint8Array): Uint16Array {
  const bits = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= 15; length += 1) {
    for (let symbol = 0; symbol < lengths.length; symbol += 1) {
      if (lengths[symbol] === length) bits[symbol] = reverseBits(next++, length);
    }
    next <<= 1;
  }
  return bits;
}

function reverseBits(value: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit += 1) out |= ((value >>> bit) & 1) << (length - 1 - bit);
  return out;
}
