import { cut } from '../quote.js';
import type { Snapshot } from '../snapshot.js';

export interface HeaderFacts {
  elements: number;
  folded: number;
  /** The budget, when it was the reason to fold. */
  toFit?: number;
  /** A table goes on below the screen. */
  beyondScreen?: boolean;
  /** Why this is the whole text and not a difference. */
  inFull?: string;
}

const WINDOWS_NAMED = 4;
const REASON = 120;

/** `w2`, `e14 in w1`, `w3 and w5`, `6 windows`. */
export function subjectOf(snapshot: Snapshot): string {
  const refs = snapshot.windows.map(({ ref }) => ref);
  const root = snapshot.roots[0];
  if (snapshot.scope === 'element' && root) return refs[0] ? `${root.ref} in ${refs[0]}` : root.ref;
  if (refs.length === 0) return snapshot.scope === 'desktop' ? 'the desktop' : (root?.ref ?? 'nothing');
  if (refs.length > WINDOWS_NAMED) return `${refs.length} windows`;
  return refs.length === 1 ? refs[0]! : `${refs.slice(0, -1).join(', ')} and ${refs.at(-1)}`;
}

function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** The first line is ours: it never holds an app's words. */
export function headerText(snapshot: Snapshot, facts: HeaderFacts, reasonLimit = REASON): string {
  const { folded, toFit } = facts;
  const parts = [`snapshot ${snapshot.id} of ${subjectOf(snapshot)}`, counted(facts.elements, 'element')];
  if (folded > 0) parts.push(`${folded} folded${toFit === undefined ? '' : ` to fit ${toFit} tokens`}`);
  else if (!snapshot.degraded) parts.push(facts.beyondScreen ? 'nothing on screen folded' : 'nothing folded');
  if (snapshot.hiddenByPolicy) parts.push(`${counted(snapshot.hiddenByPolicy, 'window')} hidden by policy`);
  if (facts.inFull) parts.push(`in full: ${facts.inFull}`);
  if (snapshot.degraded) {
    const { text, hidden } = cut(snapshot.degraded.reason.replace(/\s+/g, ' ').trim(), reasonLimit);
    parts.push(text ? `degraded: ${text}${hidden > 0 ? '…' : ''}` : 'degraded');
  }
  return parts.join(', ');
}
