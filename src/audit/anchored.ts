import { isSignedBy, parseSigned } from './signed-head.js';
import type { Walked } from './walk-log.js';

const FORMAT = 'deskproof-ledger/';

/**
 * Holds a log against what an outside anchor was told. What the anchor's file says is believed where the log's own key
 * signed it; a line of it that nobody signed says that the file was changed, and nothing about the log.
 */
export function heldAgainstAnchor(text: string, { walk, keys, hashes }: Walked): { fault: string } | { upTo: number } {
  let upTo = -1;
  for (const [at, line] of text.split('\n').entries()) {
    if (!line.includes(FORMAT)) continue;
    const signed = parseSigned(line);
    if (!signed) return fault(`anchor damaged: line ${at + 1} of it is not whole`);
    if (signed.ledger !== walk.ledger) continue;
    const { segment, seq, hash } = signed;
    const key = keys.get(segment);
    if (key === undefined && seq > walk.seq) return fault(`cut: anchor names ${seq}, log ends at ${walk.seq}`);
    if (key === undefined || !isSignedBy(signed, key)) {
      return fault(`anchor damaged: line ${at + 1} of it is not signed by the key of the log`);
    }
    if (seq > walk.seq) return fault(`cut: anchor names ${seq}, log ends at ${walk.seq}`);
    if (seq > 0 && hashes.get(seq) !== hash) return fault(`broken at seq ${seq}: anchor`);
    upTo = Math.max(upTo, seq);
  }
  return upTo >= 0 ? { upTo } : fault(`anchor does not know this log (${walk.ledger ?? 'it has no records'})`);
}

const fault = (words: string): { fault: string } => ({ fault: words });
