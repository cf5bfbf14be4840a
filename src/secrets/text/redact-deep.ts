export type RedactText = (text: string) => string;

/** Numbers under these keys are the screen's; all others (pids, places, times) are ours and stay numbers. */
const SCREEN_NUMBERS = new Set(['value', 'was', 'now', 'text']);

/** JSON with every text in it redacted, keys too. What holds nothing stays the very same object. */
export function redactDeep<T>(json: T, redactText: RedactText): T {
  return walk(json, '', redactText) as T;
}

function walk(value: unknown, key: string, redactText: RedactText): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' && SCREEN_NUMBERS.has(key)) {
    const hidden = redactText(String(value));
    return hidden === String(value) ? value : hidden;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => walk(item, key, redactText));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isPlainObject(value)) return value; // Pictures are bytes: they are painted, not read.
  let changed = false;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const asked = redactText(name);
    const inner = walk(member, name, redactText);
    changed ||= asked !== name || inner !== member;
    define(kept, freeKey(asked, kept), inner);
  }
  return changed ? kept : value;
}

/** Two keys may become one; neither member may get lost by that. */
function freeKey(key: string, taken: object): string {
  let free = key;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${key} (${count})`;
  return free;
}

/** A key may be called `__proto__`. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}
