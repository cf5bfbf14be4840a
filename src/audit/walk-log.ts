import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ChainWalk, type ChainFault } from './chain-walk.js';
import { fingerprint } from './keys.js';
import { parseLine, splitLines } from './line.js';
import { segmentPath } from './places.js';

/** What was found on the way through a ledger. */
export interface Walked {
  walk: ChainWalk;
  /** Public key of each segment. */
  keys: Map<number, string>;
  /** Hashes of the lines that somebody speaks of. */
  hashes: Map<number, string>;
  firstKey?: string;
  fault?: string;
  segments: string[];
  notes: string[];
  /** Bytes behind the last whole line. */
  torn: number;
}

/** Through all segments of one ledger, to the first line that does not belong. */
export function walkLog(logs: string, segments: readonly number[]): Walked {
  const walk = new ChainWalk();
  const walked: Walked = { walk, keys: new Map(), hashes: new Map(), segments: [], notes: [], torn: 0 };
  let unsigned = 0;
  let unfinished = 0;
  for (const [index, segment] of segments.entries()) {
    const file = basename(segmentPath(logs, segment));
    const where = segments.length > 1 ? ` of ${file}` : '';
    const { lines, torn } = contentOf(segmentPath(logs, segment));
    const before = { seq: walk.seq, checkpoints: walk.checkpoints };
    walk.beginSegment(segment);
    for (const [at, line] of lines.entries()) {
      const raw = walk.step(line.bytes);
      if (typeof raw === 'string') {
        walked.fault = brokenAt(at + 1, where, parseLine(line.bytes)?.seq, raw);
        break;
      }
      walked.hashes.set(walk.seq, walk.hash);
      walked.keys.set(segment, walk.key!);
      walked.firstKey ??= walk.key;
      if (raw.kind === 'recovered') {
        unsigned += Number((raw.unsigned as { count?: number } | undefined)?.count ?? 0);
        unfinished += Array.isArray(raw.unfinished) ? raw.unfinished.length : 0;
      }
    }
    const last = index === segments.length - 1;
    if (!walked.fault && torn > 0 && !last) walked.fault = brokenAt(lines.length + 1, where, undefined, 'not a record');
    walked.torn = torn;
    if (!walked.fault && torn > 0) walked.notes.push(`stray bytes at the end: ${torn}`);
    walked.segments.push(
      `${file}  ${walked.fault ? 'broken' : 'ok'}  records ${before.seq + 1} to ${walk.seq}, ` +
        `${walk.checkpoints - before.checkpoints} checkpoints, ${walk.next === undefined ? 'open' : 'closed'}` +
        (walk.key === undefined ? '' : `, key ${fingerprint(walk.key)}`),
    );
    if (walked.fault) break;
  }
  if (unsigned > 0) walked.notes.push(`unsigned after crash: ${unsigned}`);
  if (unfinished > 0) walked.notes.push(`acts whose outcome is not known: ${unfinished}`);
  return walked;
}

function contentOf(path: string): { lines: ReturnType<typeof splitLines>['lines']; torn: number } {
  const bytes = readFileSync(path);
  const { lines, rest } = splitLines(bytes);
  return { lines, torn: bytes.length - rest };
}

function brokenAt(line: number, where: string, seq: unknown, fault: ChainFault): string {
  return `broken at line ${line}${where} (seq ${typeof seq === 'number' ? seq : 'unreadable'}): ${fault}`;
}
