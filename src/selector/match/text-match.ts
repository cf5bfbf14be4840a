import { matchesPieces } from '../../shared/index.js';
import { accessibleName, displayName, type Element, isInteractive, ITEM_ROLES } from '../../tree/index.js';
import { isInside, type Place } from './scene.js';

/**
 * To the user, a button "Save" with a label "Save" in it is one thing. Among nested matches with the same name, the
 * interactive one counts, or the innermost if none is interactive; two interactive ones stay two. A label that names a
 * field is folded with the field: the field counts as a target, the label as an anchor.
 */
export function foldNested(places: readonly Place[], use: 'target' | 'anchor' = 'target'): Place[] {
  if (places.length < 2) return [...places];
  const dropped = new Set<Place>();
  const ancestors: { place: Place; label: string; interactive: boolean }[] = [];
  for (const place of [...places].sort((a, b) => a.order - b.order)) {
    while (ancestors.length > 0 && !isInside(place, ancestors.at(-1)!.place)) ancestors.pop();
    const label = wholeLabel(accessibleName(place.element));
    const interactive = isInteractive(place.element);
    for (const outer of ancestors) {
      if (label === '' || outer.label !== label) continue;
      if (!outer.interactive) dropped.add(outer.place);
      else if (!interactive) dropped.add(place);
    }
    ancestors.push({ place, label, interactive });
  }
  dropLabels(places, use, dropped);
  return places.filter((place) => !dropped.has(place));
}

function dropLabels(places: readonly Place[], use: 'target' | 'anchor', dropped: Set<Place>): void {
  const byId = new Map(places.map((place) => [place.element.id, place]));
  for (const field of places) {
    const { nameFrom, labelId } = field.element;
    const label = nameFrom === 'label' && labelId !== undefined ? byId.get(labelId) : undefined;
    if (label) dropped.add(use === 'target' ? label : field);
  }
}

/** Characters that must not make two labels differ: invisible ones that remain in texts from other sources. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Most labels of most apps: only the case needs normalising. */
const PLAIN_LABEL = /^[!-~]*(?: [!-~]+)*$/;

/** A label as users read it: without accelerator and invisible characters, with uniform spaces. */
export function readableLabel(text: string): string {
  if (PLAIN_LABEL.test(text)) return text;
  return text.replace(/\t.*$/s, '').normalize('NFC').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim();
}

/**
 * Labels as users compare them: as read, with uniform quotes and dashes, ignoring case. Both sides are normalised, so a
 * model may write "-" for "−" and "..." for "…".
 */
export function normaliseLabel(text: string): string {
  if (PLAIN_LABEL.test(text)) return text.toLowerCase();
  return readableLabel(text)
    .replace(/…/g, '...')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .toLowerCase();
}

/**
 * A label without one trailing "..." or ":". A label that consists only of these keeps them: the button "..." is not a
 * button without a name.
 */
export function wholeLabel(text: string): string {
  const label = normaliseLabel(text);
  return label.replace(/\s*(\.\.\.|:|：)$/u, '') || label;
}

/** Whole labels are also equal without a trailing "..." or ":". */
export function sameLabel(a: string, b: string): boolean {
  return wholeLabel(a) === wholeLabel(b);
}

/** `*` is any run of characters, `\*` the star itself; other characters stand for themselves. */
const PATTERN_PIECE = /\\\*|\*|[^\\*]+|\\/g;

/** The texts between the stars. */
function pieces(pattern: string): string[] {
  const found = [''];
  for (const [piece] of pattern.matchAll(PATTERN_PIECE)) {
    if (piece === '*') found.push('');
    else found[found.length - 1] += piece === '\\*' ? '*' : piece;
  }
  return found;
}

export function hasWildcard(pattern: string): boolean {
  return pieces(pattern).length > 1;
}

/** Matches the whole text. Policy rules have patterns of their own; shared/glob lists the differences. */
export function matchesWildcard(text: string, pattern: string): boolean {
  return matchesPieces(text, pieces(pattern));
}

/** The name that answers use for an item without its own name, such as a row in GTK 3; empty for other elements. */
export function firstWords(element: Element): string {
  return ITEM_ROLES.has(element.role) && accessibleName(element) === '' ? displayName(element) : '';
}

/** Removes items that match only by their first text if another element really has that name. */
export function withoutNamesakes(items: readonly Place[], named: readonly Place[]): Place[] {
  const names = new Set(named.map(({ element }) => wholeLabel(accessibleName(element))));
  return items.filter(({ element }) => !names.has(wholeLabel(firstWords(element))));
}
