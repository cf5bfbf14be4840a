import type { Evidence } from './evidence.js';

/** Each that is not 1 becomes a reason. Proposals, like the bases. */
export const FACTORS = {
  firstWords: { factor: 0.9, why: 'called by the first words in it' },
  looseText: { factor: 0.97, why: 'spelled a little differently' },
  byPosition: { factor: 0.85, why: 'by position' },
  byRelation: { factor: 0.95, why: 'by place beside another' },
  moved: { factor: 0.95, why: 'moved a little' },
  movedFar: { factor: 0.85, why: 'moved or resized' },
  reborn: { factor: 0.7, why: 'a new element like one that vanished' },
  fallback: { factor: 0.95, why: 'not the first alternative' },
  pixelsDisagree: { factor: 0.6, why: 'the screen shows something else' },
  degraded: { factor: 0.8, why: 'not everything could be read' },
} as const;

export type Stability = 'same' | 'moved' | 'movedFar' | 'reborn';

export interface Circumstances {
  /** How many matches are in the list. */
  matches: number;
  /** Of what it was found beside. */
  anchor?: Evidence;
  byPosition?: boolean;
  fallback?: boolean;
  stability?: Stability;
  degraded?: boolean;
  pixelsDisagree?: boolean;
}

export interface Confidence {
  /** 0 to 1, two digits. */
  confidence: number;
  reasons: string[];
}

export function confidenceOf(target: Evidence, circumstances: Circumstances): Confidence {
  const { matches, anchor, byPosition, fallback, stability = 'same', degraded, pixelsDisagree } = circumstances;
  const used = anchor ? weakest(anchor, target) : target;
  const factors = [
    used.firstWords && FACTORS.firstWords,
    used.loose && FACTORS.looseText,
    matches > 1 && { factor: 1 / matches, why: `one of ${matches}` },
    byPosition && FACTORS.byPosition,
    anchor && FACTORS.byRelation,
    stability !== 'same' && FACTORS[stability],
    fallback && FACTORS.fallback,
    pixelsDisagree && FACTORS.pixelsDisagree,
    degraded && FACTORS.degraded,
  ].filter((factor) => typeof factor === 'object');
  const confidence = factors.reduce((product, { factor }) => product * factor, used.base);
  return { confidence: round2(confidence), reasons: [used.why, ...factors.map(({ why }) => why)] };
}

/** A chain is as strong as its weaker end; a target that is only a role leans on its anchor alone. */
function weakest(anchor: Evidence, target: Evidence): Evidence {
  return target.kindOnly || anchor.base <= target.base ? anchor : target;
}

/** Halves go up: 0.5 × 0.85 is 0.43, though a computer holds a little less. */
function round2(value: number): number {
  return Math.round(value * 100 + 1e-9) / 100;
}

export type Band = 'high' | 'medium' | 'low';

/** As policy rules name it. */
export function bandOf(confidence: number): Band {
  if (confidence >= 0.9) return 'high';
  return confidence >= 0.7 ? 'medium' : 'low';
}
