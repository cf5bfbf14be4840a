import type { Box } from '../../../tree/index.js';
import type { AppCalls } from './app-connection.js';
import { StateSet } from './states.js';

/** Bus name and object path. */
export type Address = readonly [busName: string, path: string];

export const idOf = (address: Address): string => address[0] + address[1];

/** The address in an id. Undefined for foreign ids and for table positions, which are not objects. */
export function addressOf(id: string): Address | undefined {
  const slash = id.indexOf('/');
  return slash > 0 && id.startsWith(':') && !id.includes('#') ? [id.slice(0, slash), id.slice(slash)] : undefined;
}

// The first five functions run for every element of a tree. Chained promises create less garbage than `await`.

export function readStates(calls: AppCalls, path: string): Promise<StateSet | undefined> {
  return calls.maybe(calls.call(path, ACCESSIBLE, 'GetState')).then((answer) => {
    const words = calls.understood(answer?.[0], isNumbers);
    return words && StateSet.from(words);
  });
}

/** Returns the role number, because role names are unreliable: GTK 4 calls a password entry "text box". */
export function readRole(calls: AppCalls, path: string): Promise<number> {
  return calls
    .maybe(calls.call(path, ACCESSIBLE, 'GetRole'))
    .then((answer) => calls.understood(answer?.[0], isNumber) ?? 0);
}

export function readString(calls: AppCalls, path: string, iface: string, property: string): Promise<string> {
  return calls.maybe(calls.get(path, iface, property)).then((value) => calls.understood(value, isString) ?? '');
}

export function readNumber(
  calls: AppCalls,
  path: string,
  iface: string,
  property: string,
): Promise<number | undefined> {
  return calls.maybe(calls.get(path, iface, property)).then((value) => {
    const number = calls.understood(value, isNumber);
    return Number.isFinite(number) ? number : undefined;
  });
}

export function readChildCount(calls: AppCalls, path: string): Promise<number> {
  return readNumber(calls, path, ACCESSIBLE, 'ChildCount').then((count) => Math.max(0, count ?? 0));
}

/** Check the child count first: a LibreOffice sheet would send 2,147,483,647 children. */
export async function readChildren(calls: AppCalls, path: string): Promise<Address[]> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildren'));
  return (calls.understood(answer?.[0], isAddressList) ?? []).filter(([, child]) => isObjectPath(child));
}

export async function readChildAt(calls: AppCalls, path: string, index: number): Promise<Address | undefined> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildAtIndex', 'i', [index]));
  return asAddress(answer?.[0]);
}

export function asAddress(value: unknown): Address | undefined {
  return isAddress(value) && isObjectPath(value[1]) ? value : undefined;
}

function isObjectPath(path: string): boolean {
  return path !== '' && !path.endsWith('/null');
}

/** Bounds in the toolkit's own coordinates. */
export async function readExtents(calls: AppCalls, path: string): Promise<Box | undefined> {
  return boxOf(await readRawExtents(calls, path));
}

/** Whether the element occupies space. An element that is scrolled out has no position but keeps its size. */
export async function readHasWidth(calls: AppCalls, path: string): Promise<boolean> {
  const [, , width = 0] = (await readRawExtents(calls, path)) ?? [];
  return width > 0;
}

async function readRawExtents(calls: AppCalls, path: string): Promise<number[] | undefined> {
  const space = calls.app.toolkit.coordinates === 'window' ? WINDOW : SCREEN;
  const answer = await calls.maybe(calls.call(path, COMPONENT, 'GetExtents', 'u', [space]));
  return calls.understood(answer?.[0], isNumbers);
}

export async function readInterfaces(calls: AppCalls, path: string): Promise<ReadonlySet<string>> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetInterfaces'));
  return new Set(calls.understood(answer?.[0], isStrings));
}

export async function readAttributes(calls: AppCalls, path: string): Promise<Map<string, string>> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetAttributes'));
  return new Map(calls.understood(answer?.[0], isPairs));
}

export async function readRelation(calls: AppCalls, path: string, kind: number): Promise<Address[]> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetRelationSet'));
  const relations = calls.understood(answer?.[0], isRelations) ?? [];
  return relations.filter(([type]) => type === kind).flatMap(([, targets]) => targets);
}

/**
 * Type guards for D-Bus replies. Apps are third-party programs, so a reply is used only if it has the expected type. An
 * address is a bus name and an object path.
 */

export const isString = (value: unknown): value is string => typeof value === 'string';

const isNumber = (value: unknown): value is number => typeof value === 'number';

const isAddress = (value: unknown): value is Address =>
  Array.isArray(value) && isString(value[0]) && isString(value[1]);

export const isNumbers = listOf(isNumber);
const isStrings = listOf(isString);
const isAddressList = listOf(isAddress);
/** A dictionary of strings, in the form in which our D-Bus reader returns it. */
const isPairs = listOf((value): value is [string, string] => isAddress(value));
const isRelations = listOf(
  (value): value is [number, Address[]] => Array.isArray(value) && isNumber(value[0]) && isAddressList(value[1]),
);
/** Each action has a name, a description and a key binding. */
export const isActions = listOf(
  (value): value is [name: string, description: unknown, keys: unknown] => Array.isArray(value) && isString(value[0]),
);

function listOf<T>(isItem: (value: unknown) => value is T): (value: unknown) => value is T[] {
  return (value): value is T[] => Array.isArray(value) && value.every(isItem);
}

const ATSPI = 'org.a11y.atspi.';

export const ACCESSIBLE = `${ATSPI}Accessible`;
export const ACTION = `${ATSPI}Action`;
export const APPLICATION = `${ATSPI}Application`;
export const COMPONENT = `${ATSPI}Component`;
export const DOCUMENT = `${ATSPI}Document`;
export const EDITABLE_TEXT = `${ATSPI}EditableText`;
export const HYPERLINK = `${ATSPI}Hyperlink`;
export const SELECTION = `${ATSPI}Selection`;
export const TABLE = `${ATSPI}Table`;
export const TEXT = `${ATSPI}Text`;
export const VALUE = `${ATSPI}Value`;
export const PROPERTIES = 'org.freedesktop.DBus.Properties';

export const ROOT_PATH = '/org/a11y/atspi/accessible/root';
export const REGISTRY = 'org.a11y.atspi.Registry';

/** Relation numbers for names and error messages. */
export const LABEL_FOR = 1;
export const LABELLED_BY = 2;
export const ERROR_MESSAGE = 21;

/** Coordinate spaces of Component calls. */
export const SCREEN = 0;
export const WINDOW = 1;

/**
 * An accessible object, or a table position. Some tables create a new cell object for every query, so a cell is
 * identified by its row and column.
 */
export interface ElementId {
  address: Address;
  row?: number;
  column?: number;
}

export function parseElementId(id: string): ElementId | undefined {
  const match = /^([^#]+)(?:#r([1-9][0-9]*)(?:c([1-9][0-9]*))?)?$/.exec(id);
  const address = match && addressOf(match[1]!);
  if (!address) return undefined;
  return {
    address,
    ...(match[2] && { row: Number(match[2]) }),
    ...(match[3] && { column: Number(match[3]) }),
  };
}

/** Closed menus report this value as their position. */
const NO_POSITION = -2147483648;

/**
 * The reply of GetExtents as a box. Undefined when it contains no position. Zero sizes are kept: they mean "not shown".
 */
export function boxOf(answer: unknown): Box | undefined {
  const [x, y, width, height] = Array.isArray(answer) ? (answer as number[]) : [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  if (x === NO_POSITION || y === NO_POSITION || width < 0 || height < 0) return undefined;
  return { x, y, width, height };
}

/** Whether two boxes overlap. Runs for every object at every redraw, so it allocates nothing. */
export function touches(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const ELEMENT_MEMBERS: ReadonlySet<string> = new Set([
  ...['GetState', 'GetRole', 'GetExtents', 'GetRelationSet', 'Name', 'ChildCount'],
  ...['CharacterCount', 'CurrentValue', 'MinimumValue', 'MaximumValue'],
]);
/**
 * Bounds of ancestors move and clip the element. GTK 4 reports "disabled" only on the ancestor, so its states are
 * needed too.
 */
const ANCESTOR_MEMBERS: ReadonlySet<string> = new Set(['GetExtents']);
const ANCESTOR_MEMBERS_GTK4: ReadonlySet<string> = new Set(['GetExtents', 'GetState']);
/** These replies identify the app window that contains the element. */
const TOP_MEMBERS: ReadonlySet<string> = new Set(['GetExtents', 'GetState', 'Name', 'ChildCount']);

/**
 * Sends all calls for an element at once. Normally each reply decides what to ask next, but the questions are mostly
 * the same as in the previous read. Sending them together reduces an uncached read from eight round trips to three.
 */
export function prefetchElement(calls: AppCalls, path: string): void {
  const { cache: cache, toolkit } = calls.app;
  const between = toolkit.enabledBy === 'sensitive' ? ANCESTOR_MEMBERS_GTK4 : ANCESTOR_MEMBERS;
  calls.prefetch(path, ELEMENT_MEMBERS);
  // The last two are the window and the app.
  const ancestors = cache.ancestorPaths(path, MAX_DEPTH);
  ancestors.forEach((ancestor, i) => calls.prefetch(ancestor, i < ancestors.length - 2 ? between : TOP_MEMBERS));
}

/** Deeper trees exist only because of app bugs. */
export const MAX_DEPTH = 200;

/** The path from the start of the read down to an element. */
export interface AncestorChain {
  path: string;
  depth: number;
  parent?: AncestorChain;
}

/**
 * Adds an element to the chain. An app may list an element among its own descendants, or create a new child for every
 * query. Without this check the read would end only at the deadline.
 */
export function extendChain(parent: AncestorChain | undefined, path: string): AncestorChain | 'loop' | 'tooDeep' {
  for (let ancestor = parent; ancestor; ancestor = ancestor.parent) if (ancestor.path === path) return 'loop';
  const depth = parent ? parent.depth + 1 : 0;
  return depth > MAX_DEPTH ? 'tooDeep' : { path, depth, ...(parent && { parent }) };
}
