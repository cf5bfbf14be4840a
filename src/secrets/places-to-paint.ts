import { TEXTS, type Box, type Shown } from './shown.js';

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
