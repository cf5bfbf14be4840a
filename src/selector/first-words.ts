import { calledBy, calledByFirstWords, ITEM_ROLES, type Element } from '../tree/index.js';
import { wholeLabel } from './normalise-label.js';
import type { Place } from './scene.js';

/** What answers call an item that has no name of its own, such as a row of GTK 3; of anything else, nothing. */
export function firstWords(element: Element): string {
  return ITEM_ROLES.has(element.role) && calledBy(element) === '' ? calledByFirstWords(element) : '';
}

/** Items that fit only by their first words. Where something has that very name, they are not meant. */
export function withoutNamesakes(items: readonly Place[], named: readonly Place[]): Place[] {
  const names = new Set(named.map(({ element }) => wholeLabel(calledBy(element))));
  return items.filter(({ element }) => !names.has(wholeLabel(firstWords(element))));
}
