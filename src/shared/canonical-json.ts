/// <reference lib="es2024.string" />

/**
 * Canonical JSON of RFC 8785: keys sorted by UTF-16 code units, no spaces, numbers and strings as ECMAScript writes
 * them. Equal values give equal bytes, so their hashes can be compared. A value that JSON cannot represent is a bug of
 * ours and throws: a hash that silently leaves something out proves nothing.
 */
export function canonicalJson(value: unknown): string {
  return serialise(value, []);
}

function serialise(value: unknown, ancestors: readonly object[]): string {
  switch (typeof value) {
    case 'string':
      return serialiseString(value);
    case 'boolean':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw unsupported(String(value));
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (ancestors.includes(value)) throw unsupported('a circular structure');
      return Array.isArray(value)
        ? serialiseList(value, [...ancestors, value])
        : serialiseObject(value, [...ancestors, value]);
    default:
      throw unsupported(`a value of type ${typeof value}`);
  }
}

function serialiseList(values: readonly unknown[], ancestors: readonly object[]): string {
  // Array.from, because map would skip holes and write nothing for them.
  return `[${Array.from(values, (value) => serialise(value, ancestors)).join(',')}]`;
}

/** Members that are undefined are left out, as in JSON.stringify. */
function serialiseObject(value: object, ancestors: readonly object[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unsupported('an object that is not plain');
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${serialiseString(key)}:${serialise(member, ancestors)}`).join(',')}}`;
}

// A lone surrogate has no bytes in UTF-8: two different texts could get one hash.
function serialiseString(value: string): string {
  if (!value.isWellFormed()) throw unsupported('a lone surrogate');
  return JSON.stringify(value);
}

const unsupported = (what: string): TypeError => new TypeError(`${what} has no canonical JSON`);
