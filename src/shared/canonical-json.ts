/// <reference lib="es2024.string" />

/**
 * One text for one value, as RFC 8785 says: keys sorted by their UTF-16 units, no spaces, numbers and strings as
 * ECMAScript writes them. Equal values give equal bytes, so that their hash can be compared. What JSON cannot hold is a
 * fault of ours and throws: a hash over something that was left out would prove nothing.
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

function write(value: unknown, around: readonly object[]): string {
  switch (typeof value) {
    case 'string':
      return text(value);
    case 'boolean':
      return String(value);
    case 'number':
      if (!Number.isFinite(value)) throw refused(String(value));
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (around.includes(value)) throw refused('what holds itself');
      return Array.isArray(value) ? list(value, [...around, value]) : members(value, [...around, value]);
    default:
      throw refused(`a value of type ${typeof value}`);
  }
}

function list(values: readonly unknown[], around: readonly object[]): string {
  // Array.from, since map would leap over holes and write nothing for them.
  return `[${Array.from(values, (value) => write(value, around)).join(',')}]`;
}

/** A member that is undefined is not there, as for JSON.stringify. */
function members(value: object, around: readonly object[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refused('an object that is not plain');
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, member]) => `${text(key)}:${write(member, around)}`).join(',')}}`;
}

// A lone surrogate has no bytes in UTF-8: two different texts could get one hash.
function text(value: string): string {
  if (!value.isWellFormed()) throw refused('half a character');
  return JSON.stringify(value);
}

const refused = (what: string): TypeError => new TypeError(`${what} has no canonical JSON`);
