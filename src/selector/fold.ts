import { calledBy, isInteractive } from '../tree/index.js';
import { wholeLabel } from './normalise-label.js';
import { isInside, type Place } from './scene.js';

/**
 * A button "Save" with a label "Save" in it is one thing to a person. Of matches inside each other with the same name
 * the interactive one counts, or the innermost if none is; two interactive ones stay two. A label that gave a field its
 * name is one with the field: the field when it is the target, the label when something is looked for beside it.
 */
export function fold(places: readonly Place[], use: 'target' | 'anchor' = 'target'): Place[] {
  if (places.length < 2) return [...places];
  const dropped = new Set<Place>();
  const around: { place: Place; label: string; interactive: boolean }[] = [];
  for (const place of [...places].sort((a, b) => a.order - b.order)) {
    while (around.length > 0 && !isInside(place, around.at(-1)!.place)) around.pop();
    const label = wholeLabel(calledBy(place.element));
    const interactive = isInteractive(place.element);
    for (const outer of around) {
      if (label === '' || outer.label !== label) continue;
      if (!outer.interactive) dropped.add(outer.place);
      else if (!interactive) dropped.add(place);
    }
    around.push({ place, label, interactive });
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
