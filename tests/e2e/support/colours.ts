import type { Picture } from '../../../src/drivers/contract/index.js';

/** How many pixels of the whole buffer have each colour. */
export function coloursOf({ rgba }: Pick<Picture, 'rgba'>): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = `#${rgba.toString('hex', at, at + 3)}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
}
