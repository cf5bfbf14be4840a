import type { Screenshot } from '../../../src/drivers/contract/index.js';

/** How many pixels of the whole buffer have each colour. */
export function coloursOf({ rgba }: Pick<Screenshot, 'rgba'>): Map<string, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = rgba.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return new Map([...counts].map(([colour, count]) => [`#${colour.toString(16).padStart(6, '0')}`, count]));
}
