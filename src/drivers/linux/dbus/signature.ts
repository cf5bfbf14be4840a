/** D-Bus type signatures as a small tree, parsed once per distinct text. */
export type Type =
  | { kind: 'basic'; code: string }
  | { kind: 'array'; of: Type }
  | { kind: 'dict'; key: Type; value: Type }
  | { kind: 'struct'; fields: Type[] }
  | { kind: 'variant' };

const BASIC = 'ybnqiuxtdsogh';
const MAX_DEPTH = 32;
const cache = new Map<string, Type[]>();

export function parseSignature(signature: string): Type[] {
  let types = cache.get(signature);
  if (!types) {
    if (signature.length > 255) throw new Error('signature too long');
    const cursor = { at: 0 };
    types = [];
    while (cursor.at < signature.length) types.push(parseOne(signature, cursor, 0));
    // Peers choose signatures inside variants: a bound keeps a hostile one from filling the memory.
    if (cache.size < 1000) cache.set(signature, types);
  }
  return types;
}

function parseOne(text: string, cursor: { at: number }, depth: number): Type {
  if (depth > MAX_DEPTH) throw new Error('signature nested too deeply');
  const code = text[cursor.at++];
  if (code === undefined) throw new Error('signature ends early');
  if (code === 'v') return { kind: 'variant' };
  if (code === 'a') {
    if (text[cursor.at] !== '{') return { kind: 'array', of: parseOne(text, cursor, depth + 1) };
    cursor.at++;
    const key = parseOne(text, cursor, depth + 1);
    const value = parseOne(text, cursor, depth + 1);
    if (text[cursor.at++] !== '}') throw new Error('dict entry not closed');
    return { kind: 'dict', key, value };
  }
  if (code === '(') {
    const fields: Type[] = [];
    while (text[cursor.at] !== ')') fields.push(parseOne(text, cursor, depth + 1));
    cursor.at++;
    return { kind: 'struct', fields };
  }
  if (!BASIC.includes(code)) throw new Error(`unknown type code ${JSON.stringify(code)}`);
  return { kind: 'basic', code };
}

export function alignmentOf(type: Type): number {
  switch (type.kind) {
    case 'variant':
      return 1;
    case 'struct':
      return 8;
    case 'array':
    case 'dict':
      return 4;
    case 'basic':
      if ('yg'.includes(type.code)) return 1;
      if ('nq'.includes(type.code)) return 2;
      return 'xtd'.includes(type.code) ? 8 : 4;
  }
}
