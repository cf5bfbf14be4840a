import { createHash } from 'node:crypto';
import type { Snapshot } from '../../tree/index.js';

/** Of what was seen, for the log: equal looks have equal ones, and nobody reads a tree out of it. */
export function seenHash({ windows, roots }: Pick<Snapshot, 'windows' | 'roots'>): string {
  const titles = windows.map(({ id, title }) => [id, title]);
  return createHash('sha256')
    .update(JSON.stringify([titles, roots]))
    .digest('hex');
}
