import { isSignedBy, type SignedStatement } from '../signed-head.js';
import type { ChainWalk, WalkResult } from './chain.js';

/** A crash never leaves more unsigned records than this, since the writer signs earlier. */
export const MAX_UNSIGNED = 64;

/**
 * How a cut log is found: the chain alone cannot show that its end is missing. The signed head, which is stored outside
 * the log, names the last record. Returns what does not fit; undefined if log and head belong together. `firstKey`: the
 * trusted first key of the log.
 */
export function faultOfHead(
  { walk, keys, hashes, torn }: WalkResult,
  head: SignedStatement | 'damaged',
  firstKey: string,
): string | undefined {
  if (head === 'damaged') return 'head is damaged';
  if (head.seq > walk.seq) return `cut: head names ${head.seq}, log ends at ${walk.seq}`;
  // This also applies to a head that names no line yet. Otherwise a forged one would match every short log.
  if (!isSignedBy(head, keys.get(head.segment) ?? firstKey)) return 'head is not signed by the key of the log';
  if (head.seq > 0 && hashes.get(head.seq) !== head.hash) return `broken at seq ${head.seq}: head`;
  if (continuesAfterEnd(head, walk, torn)) return `broken after seq ${head.seq}: its writer had ended there`;
  if (walk.seq - head.seq > MAX_UNSIGNED) return `head is old: it names ${head.seq}, log ends at ${walk.seq}`;
  return undefined;
}

/** Whether bytes, lines or files follow the line with which a writer ended cleanly. */
export function continuesAfterEnd(head: SignedStatement, walk: ChainWalk, torn: number): boolean {
  return head.ended === true && (walk.seq > head.seq || walk.segment !== head.segment || torn > 0);
}
