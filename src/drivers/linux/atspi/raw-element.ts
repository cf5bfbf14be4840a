import type { Box } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { boxOf } from './extents.js';
import { ACCESSIBLE, COMPONENT, SCREEN, WINDOW } from './interfaces.js';
import {
  isAddress,
  isAddressList,
  isNumber,
  isNumbers,
  isPairs,
  isRelations,
  isString,
  isStrings,
} from './answer-kinds.js';
import { StateSet } from './state-bits.js';

/** Bus name and object path. */
export type Address = readonly [busName: string, path: string];

export const idOf = (address: Address): string => address[0] + address[1];

/** The address in an id; undefined for ids that are none of ours, or of a place in a table, which is no object. */
export function addressOf(id: string): Address | undefined {
  const slash = id.indexOf('/');
  return slash > 0 && id.startsWith(':') && !id.includes('#') ? [id.slice(0, slash), id.slice(slash)] : undefined;
}

// The first five run for every element of a tree: chained instead of awaited, they make less garbage.

export function readStates(calls: AppCalls, path: string): Promise<StateSet | undefined> {
  return calls.maybe(calls.call(path, ACCESSIBLE, 'GetState')).then((answer) => {
    const words = calls.understood(answer?.[0], isNumbers);
    return words && StateSet.from(words);
  });
}

/** The number: role names lie (a GTK 4 password entry is called "text box"). */
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

/** Only after the count was checked: a sheet would send 2,147,483,647 of them. */
export async function readChildren(calls: AppCalls, path: string): Promise<Address[]> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildren'));
  return (calls.understood(answer?.[0], isAddressList) ?? []).filter(([, child]) => isObject(child));
}

export async function readChildAt(calls: AppCalls, path: string, index: number): Promise<Address | undefined> {
  const answer = await calls.maybe(calls.call(path, ACCESSIBLE, 'GetChildAtIndex', 'i', [index]));
  return asAddress(answer?.[0]);
}

export function asAddress(value: unknown): Address | undefined {
  return isAddress(value) && isObject(value[1]) ? value : undefined;
}

function isObject(path: string): boolean {
  return path !== '' && !path.endsWith('/null');
}

/** In the toolkit's own coordinates. */
export async function readExtents(calls: AppCalls, path: string): Promise<Box | undefined> {
  return boxOf(await toldExtents(calls, path));
}

/** Whether it takes up room: what is scrolled away has no place, but keeps its size. */
export async function readHasWidth(calls: AppCalls, path: string): Promise<boolean> {
  const [, , width = 0] = (await toldExtents(calls, path)) ?? [];
  return width > 0;
}

async function toldExtents(calls: AppCalls, path: string): Promise<number[] | undefined> {
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
