export interface TreeRedaction {
  /** What the value of this field is to be called, if it was typed. */
  markOf: (field: string) => string | undefined;
  deep: <T>(json: T) => T;
}

/** The same tree without what is secret; parts that hold nothing stay the very same objects. */
export function redactTree<T extends Shown>(node: T, redaction: TreeRedaction): T {
  const mark = redaction.markOf(node.id);
  const own = mark === undefined ? {} : { ...(node.states?.secret !== true && { value: mark }) };
  const changes = { ...textChanges(node, redaction), ...own };
  const children = mark === undefined ? node.children : node.children.map((child) => hideAll(child, mark));
  const kept = children.map((child) => redactTree(child, redaction));
  const same = kept.every((child, at) => child === node.children[at]) && Object.keys(changes).length === 0;
  return same ? node : { ...node, ...changes, children: kept };
}

function textChanges(node: Shown, { deep }: TreeRedaction): Partial<Shown> {
  const changes: Partial<Record<keyof Shown, unknown>> = {};
  for (const key of [...TEXTS, 'table', 'platformIds'] as const) {
    if (node[key] === undefined) continue;
    // Wrapped, so that a number is known as a value of the screen.
    const { [key]: after } = deep({ [key]: node[key] });
    if (after !== node[key]) changes[key] = after;
  }
  return changes as Partial<Shown>;
}

/** Below a field there is its text once more, cut into lines and runs. */
function hideAll<T extends Shown>(node: T, mark: string): T {
  const hidden = TEXTS.filter((key) => node[key] !== undefined && node[key] !== '').map((key) => [key, mark]);
  const children = node.children.map((child) => hideAll(child, mark));
  return { ...node, ...(Object.fromEntries(hidden) as Partial<Shown>), children };
}

/** Physical pixels, as everywhere. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** As much of an element as matters here. */
export interface Shown {
  id: string;
  name?: string;
  value?: string | number;
  description?: string;
  /** The app's own words about an invalid field. */
  error?: string;
  table?: unknown;
  platformIds?: unknown;
  bounds?: Box;
  states?: { visible?: boolean; offscreen?: boolean; secret?: boolean };
  children: readonly Shown[];
}

/** Everything in an element that apps fill with their words. */
export const TEXTS = ['name', 'value', 'description', 'error'] as const;

export interface PlacesToPaint {
  boxes: Box[];
  /** Something is there and nobody knows where: all of the window has to be painted. */
  whole: boolean;
}

export interface WhatIsSecret {
  isField(id: string): boolean;
  holds(text: string): boolean;
}

/** Where a picture of these elements would show a secret. It may be asked about trees before and after redaction. */
export function placesToPaint(elements: Iterable<Shown>, secret: WhatIsSecret): PlacesToPaint {
  const places: PlacesToPaint = { boxes: [], whole: false };
  const visit = (element: Shown): void => {
    if (secret.isField(element.id) || holdsSecret(element, secret)) {
      if (element.bounds) places.boxes.push(element.bounds);
      else if (element.states?.visible !== false && element.states?.offscreen !== true) places.whole = true;
    }
    for (const child of element.children) visit(child);
  };
  for (const element of elements) visit(element);
  return places;
}

function holdsSecret(element: Shown, secret: WhatIsSecret): boolean {
  return TEXTS.some((key) => element[key] !== undefined && secret.holds(String(element[key])));
}

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
