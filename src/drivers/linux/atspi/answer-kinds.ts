import type { Address } from './raw-element.js';
/** What an answer must be to be used: apps are other people's programs. Bus name and object path make an address. */

export const isString = (value: unknown): value is string => typeof value === 'string';

export const isNumber = (value: unknown): value is number => typeof value === 'number';

export const isAddress = (value: unknown): value is Address =>
  Array.isArray(value) && isString(value[0]) && isString(value[1]);

export const isNumbers = listOf(isNumber);
export const isStrings = listOf(isString);
export const isAddressList = listOf(isAddress);
/** A dictionary of strings, as the reader gives it. */
export const isPairs = listOf((value): value is [string, string] => isAddress(value));
export const isRelations = listOf(
  (value): value is [number, Address[]] => Array.isArray(value) && isNumber(value[0]) && isAddressList(value[1]),
);
/** Name, description and key binding; only the name is of use. */
export const isActions = listOf((value): value is [string] => Array.isArray(value) && isString(value[0]));

function listOf<T>(fits: (value: unknown) => value is T): (value: unknown) => value is T[] {
  return (value): value is T[] => Array.isArray(value) && value.every(fits);
}
