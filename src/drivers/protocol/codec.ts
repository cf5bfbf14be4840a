import { DesktopError, type ErrorJson } from '../../shared/index.js';

/**
 * The contract's values as JSON text, for drivers in another process.
 *
 * - Bytes (`Buffer`, `Uint8Array`) are `{ "$bytes": "BASE64" }` and come back as `Buffer`.
 * - A key that starts with `$` gets one more `$`, so that no other object is taken for bytes.
 * - A field that is `undefined` is left out, as in JSON.
 * - Errors are `DesktopError.toJSON()`.
 *
 * Everything else that JSON would drop or change (functions, symbols, NaN, holes in arrays, Dates, Maps, instances of
 * classes, cycles) is refused with a `TypeError` that names its place. It is a fault in a driver or in the contract.
 *
 * @internal Until drivers run in other processes, only the conformance suite uses this room.
 */
export function encode(value: unknown): string {
  // A message is always an object or an array, so that its text is never `undefined`.
  if (typeof value !== 'object' || value === null) throw refused('', 'a message must be an object');
  return JSON.stringify(toJson(value, '', new Set()));
}

/** @internal @throws TypeError if the text is not a message of `encode`. */
export function decode(text: string): unknown {
  return fromJson(JSON.parse(text) as unknown);
}

/** @internal An error that is not ours has no code. Its text may be in any language, and whether it sent something is unknown. */
export function encodeError(error: unknown): ErrorJson {
  if (error instanceof DesktopError) return error.toJSON();
  const message = `The driver failed: ${error instanceof Error ? error.message : String(error)}`;
  return new DesktopError('driver_unavailable', message, { delivered: 'unknown', retry: 'no' }).toJSON();
}

/** @internal */
export function decodeError(json: ErrorJson): DesktopError {
  return DesktopError.fromJSON(json);
}

const BYTES = '$bytes';

function toJson(value: unknown, path: string, above: Set<object>): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw refused(path, String(value));
  }
  if (typeof value !== 'object') throw refused(path, `a ${typeof value}`);
  if (value instanceof Uint8Array) {
    return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  if (above.has(value)) throw refused(path, 'a cycle');
  above.add(value);
  const json = Array.isArray(value) ? listToJson(value, path, above) : objectToJson(value, path, above);
  above.delete(value);
  return json;
}

function listToJson(list: readonly unknown[], path: string, above: Set<object>): unknown[] {
  // Not `map`, which skips holes.
  return Array.from(list, (item, index) => {
    if (item === undefined) throw refused(`${path}[${index}]`, 'undefined in an array');
    return toJson(item, `${path}[${index}]`, above);
  });
}

function objectToJson(value: object, path: string, above: Set<object>): Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw refused(path, `a ${value.constructor.name}`);
  const [symbol] = Object.getOwnPropertySymbols(value);
  if (symbol !== undefined) throw refused(path, `the symbol key ${String(symbol)}`);
  const json: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    define(json, key.startsWith('$') ? `$${key}` : key, toJson(member, path === '' ? key : `${path}.${key}`, above));
  }
  return json;
}

function fromJson(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fromJson);
  if (typeof json !== 'object' || json === null) return json;
  const entries = Object.entries(json);
  const [first] = entries;
  if (first?.[0] === BYTES) {
    if (entries.length === 1 && typeof first[1] === 'string') return Buffer.from(first[1], 'base64');
    throw new TypeError(`A message has a ${BYTES} that is not bytes.`);
  }
  const value: Record<string, unknown> = {};
  for (const [key, member] of entries) define(value, key.startsWith('$$') ? key.slice(1) : key, fromJson(member));
  return value;
}

/** Also for the key `__proto__`, which an assignment would take for the prototype. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function refused(path: string, what: string): TypeError {
  return new TypeError(`A message cannot carry ${what}${path === '' ? '' : ` at ${path}`}.`);
}
