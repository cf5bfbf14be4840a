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
    // Peers choose the signatures inside variants: the limit keeps a hostile peer from filling the memory.
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

/*
 * The names that D-Bus allows. A bus or app that gets anything else does not reply with an error: it closes the
 * connection, and with it fails every other call in flight.
 */

const MAX_NAME_LENGTH = 255;
const PATH = /^\/(?:[A-Za-z0-9_]+(?:\/[A-Za-z0-9_]+)*)?$/;
const INTERFACE = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/;
const MEMBER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const UNIQUE = /^:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;
const WELL_KNOWN = /^[A-Za-z_-][A-Za-z0-9_-]*(?:\.[A-Za-z_-][A-Za-z0-9_-]*)+$/;

export function assertObjectPath(path: string): void {
  if (!PATH.test(path)) throw new Error(`invalid object path: ${JSON.stringify(path)}`);
}

/** Checks the parts of a header that are the same for all calls of one kind. */
export function assertNames(spec: { destination?: string; interface: string; member: string }): void {
  const { destination, interface: iface, member } = spec;
  if (!isValidName(INTERFACE, iface)) throw new Error(`invalid interface: ${JSON.stringify(iface)}`);
  if (!isValidName(MEMBER, member)) throw new Error(`invalid member: ${JSON.stringify(member)}`);
  if (destination !== undefined && !isValidName(UNIQUE, destination) && !isValidName(WELL_KNOWN, destination))
    throw new Error(`invalid bus name: ${JSON.stringify(destination)}`);
}

function isValidName(shape: RegExp, name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && shape.test(name);
}
