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
