import type { Box } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, SCREEN, WINDOW } from './interfaces.js';
import { StateSet } from './state-bits.js';

/** Bus name and object path. */
export type Address = readonly [busName: string, path: string];

export const idOf = (address: Address): string => address[0] + address[1];

/** The address in an id; undefined for ids that are none of ours. */
export function addressOf(id: string): Address | undefined {
  const slash = id.indexOf('/');
  return slash > 0 && id.startsWith(':') ? [id.slice(0, slash), id.slice(slash)] : undefined;
}

// The first five run for every element of a tree: chained instead of awaited, they make less garbage.

export function readStates(calls: AppCalls, path: string): Promise<StateSet | undefined> {
  return calls.maybe(calls.call(path, ACCESSIBLE, 'GetState').then(([words]) => StateSet.from(words)));
}

/** The number: role names lie (a GTK 4 password entry is called "text box"). */
export function readRole(calls: AppCalls, path: string): Promise<number> {
  return calls.maybe(calls.call(path, ACCESSIBLE, 'GetRole')).then(asRole);
}

export function readString(calls: AppCalls, path: string, iface: string, property: string): Promise<string> {
  return calls.maybe(calls.get(path, iface, property)).then(asString);
}

export function readNumber(
  calls: AppCalls,
  path: string,
  iface: string,
  property: string,
): Promise<number | undefined> {
  return calls.maybe(calls.get(path, iface, property)).then(asNumber);
}

export function readChildCount(calls: AppCalls, path: string): Promise<number> {
  return readNumber(calls, path, ACCESSIBLE, 'ChildCount').then((count) => Math.max(0, count ?? 0));
}

const asRole = (answer: unknown[] | undefined): number => (typeof answer?.[0] === 'number' ? answer[0] : 0);
const asString = (value: unknown): string => (typeof value === 'string' ? value : '');
const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Only after the count was checked: a sheet would send 2,147,483,647 of them. */
export async function readChildren(calls: AppCalls, path: string): Promise<Address[]> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildren'));
  return ((answer?.[0] as Address[] | undefined) ?? []).filter(([, child]) => isObject(child));
}

export async function readChildAt(calls: AppCalls, path: string, index: number): Promise<Address | undefined> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildAtIndex', 'i', [index]));
  return asAddress(answer?.[0]);
}

export function asAddress(value: unknown): Address | undefined {
  const address = value as Address | undefined;
  return Array.isArray(address) && isObject(address[1]) ? address : undefined;
}

function isObject(path: string): boolean {
  return typeof path === 'string' && path !== '' && !path.endsWith('/null');
}

/** What closed menus report instead of a place. */
const NOWHERE = -2147483648;

/** In the toolkit's own coordinates; undefined where it has no place. Zero sizes are kept: they say "not shown". */
export async function readExtents(calls: AppCalls, path: string): Promise<Box | undefined> {
  const space = calls.app.toolkit.coordinates === 'window' ? WINDOW : SCREEN;
  const answer = await calls.maybe(calls.call(path, COMPONENT, 'GetExtents', 'u', [space]));
  const [x, y, width, height] = (answer?.[0] as number[] | undefined) ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  if (x === NOWHERE || y === NOWHERE || width < 0 || height < 0) return undefined;
  return { x, y, width, height };
}

export async function readInterfaces(calls: AppCalls, path: string): Promise<ReadonlySet<string>> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetInterfaces'));
  return new Set((answer?.[0] as string[] | undefined) ?? []);
}

export async function readAttributes(calls: AppCalls, path: string): Promise<Map<string, string>> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetAttributes'));
  return new Map((answer?.[0] as [string, string][] | undefined) ?? []);
}

export async function readRelation(calls: AppCalls, path: string, kind: number): Promise<Address[]> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetRelationSet'));
  const relations = (answer?.[0] as [number, Address[]][] | undefined) ?? [];
  return relations.filter(([type]) => type === kind).flatMap(([, targets]) => targets);
}
