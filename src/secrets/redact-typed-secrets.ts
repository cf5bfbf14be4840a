interface TreeRedaction {
  /** The mark for this field's value, if a secret was typed there. */
  markOf: (field: string) => string | undefined;
  deep: <T>(json: T) => T;
}

/** The same tree without secrets. Subtrees without secrets stay the same objects. */
export function redactTree<T extends RedactableElement>(node: T, redaction: TreeRedaction): T {
  const mark = redaction.markOf(node.id);
  const own = mark === undefined ? {} : { ...(node.states?.secret !== true && { value: mark }) };
  const changes = { ...textChanges(node, redaction), ...own };
  const children = mark === undefined ? node.children : node.children.map((child) => markAllTexts(child, mark));
  const kept = children.map((child) => redactTree(child, redaction));
  const same = kept.every((child, at) => child === node.children[at]) && Object.keys(changes).length === 0;
  return same ? node : { ...node, ...changes, children: kept };
}

function textChanges(node: RedactableElement, { deep }: TreeRedaction): Partial<RedactableElement> {
  const changes: Partial<Record<keyof RedactableElement, unknown>> = {};
  for (const key of [...TEXT_FIELDS, 'table', 'platformIds'] as const) {
    if (node[key] === undefined) continue;
    // Wrapped with its key, so that `redactDeep` treats a number as screen content.
    const { [key]: after } = deep({ [key]: node[key] });
    if (after !== node[key]) changes[key] = after;
  }
  return changes as Partial<RedactableElement>;
}

/** Their name says what they do; the text of a field is never split into them. */
const CONTROLS: ReadonlySet<unknown> = new Set(['button', 'checkbox', 'menubutton', 'switch', 'togglebutton']);

/**
 * The elements below a field repeat its text, split into lines and runs. Controls in it (show the password, clear) keep
 * their name, unless it contains a known secret: `redactTree` looks for those afterwards.
 */
function markAllTexts<T extends RedactableElement>(node: T, mark: string): T {
  if (CONTROLS.has(node.role)) {
    const value = node.value === undefined || node.value === '' ? {} : { value: mark };
    return { ...node, ...value };
  }
  const hidden = TEXT_FIELDS.filter((key) => node[key] !== undefined && node[key] !== '').map((key) => [key, mark]);
  const children = node.children.map((child) => markAllTexts(child, mark));
  return { ...node, ...(Object.fromEntries(hidden) as Partial<RedactableElement>), children };
}

/** In physical pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The fields of an element that matter here. */
export interface RedactableElement {
  id: string;
  role?: string;
  name?: string;
  value?: string | number;
  description?: string;
  /** The app's message about an invalid field. */
  error?: string;
  table?: unknown;
  platformIds?: unknown;
  bounds?: Box;
  states?: { visible?: boolean; offscreen?: boolean; secret?: boolean };
  children: readonly RedactableElement[];
}

/** All fields of an element that contain text from the app. */
export const TEXT_FIELDS = ['name', 'value', 'description', 'error'] as const;

export interface RedactionBoxes {
  boxes: Box[];
  /** A secret is visible at an unknown position: redact the whole window. */
  whole: boolean;
}

interface SecretTest {
  isField(id: string): boolean;
  holds(text: string): boolean;
}

/** The boxes where a screenshot of these elements would show a secret. Works on trees before and after redaction. */
export function redactionBoxes(elements: Iterable<RedactableElement>, secret: SecretTest): RedactionBoxes {
  const places: RedactionBoxes = { boxes: [], whole: false };
  const visit = (element: RedactableElement): void => {
    if (secret.isField(element.id) || holdsSecret(element, secret)) {
      if (element.bounds) places.boxes.push(element.bounds);
      else if (element.states?.visible !== false && element.states?.offscreen !== true) places.whole = true;
    }
    for (const child of element.children) visit(child);
  };
  for (const element of elements) visit(element);
  return places;
}

function holdsSecret(element: RedactableElement, secret: SecretTest): boolean {
  return TEXT_FIELDS.some((key) => element[key] !== undefined && secret.holds(String(element[key])));
}

/** Their size does not depend on their text. */
const FIXED_SIZE: ReadonlySet<unknown> = new Set(['textbox', 'passwordbox', 'searchbox', 'combobox', 'spinbutton']);

/**
 * JSON without the bounds of elements whose text was redacted: a label is as wide as its text. Parts without such
 * elements stay the same objects.
 */
export function withoutRedactedBounds<T>(json: T, isMarked: (text: string) => boolean): T {
  return hideBounds(json, isMarked) as T;
}

function hideBounds(value: unknown, isMarked: (text: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => hideBounds(item, isMarked));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, hideBounds(member, isMarked)] as const);
  const changed = members.some(([key, member]) => member !== value[key]);
  const marked = TEXT_FIELDS.some((key) => typeof value[key] === 'string' && isMarked(value[key]));
  const hides = marked && 'bounds' in value && !FIXED_SIZE.has(value.role);
  if (!changed && !hides) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, member] of members)
    if (!hides || (key !== 'bounds' && key !== 'clickPoint')) defineMember(kept, key, member);
  return kept;
}

type RedactText = (text: string) => string;

/** Numbers under these keys come from the screen. All others (pids, coordinates, times) are ours and stay numbers. */
const SCREEN_NUMBERS = new Set(['value', 'was', 'now', 'text']);

/** JSON with every string redacted, keys included. Parts without secrets stay the same objects. */
export function redactDeep<T>(json: T, redactText: RedactText): T {
  return redactNode(json, '', redactText) as T;
}

function redactNode(value: unknown, key: string, redactText: RedactText): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'number' && SCREEN_NUMBERS.has(key)) {
    const hidden = redactText(String(value));
    return hidden === String(value) ? value : hidden;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactNode(item, key, redactText));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isPlainObject(value)) return value; // Images are bytes: their pixels are redacted elsewhere.
  let changed = false;
  const kept: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const redactedName = redactText(name);
    const inner = redactNode(member, name, redactText);
    changed ||= redactedName !== name || inner !== member;
    defineMember(kept, freeKey(redactedName, kept), inner);
  }
  return changed ? kept : value;
}

/** Two keys may become equal after redaction; both members are kept. */
function freeKey(key: string, taken: object): string {
  let free = key;
  for (let count = 2; Object.hasOwn(taken, free); count++) free = `${key} (${count})`;
  return free;
}

/** A plain assignment would fail for the key `__proto__`. */
function defineMember(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const proto: unknown = Object.getPrototypeOf(value);
  return proto === Object.prototype || proto === null;
}
