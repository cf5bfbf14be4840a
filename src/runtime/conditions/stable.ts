import type { Kind } from './condition.js';
import { treeDigest } from './digest.js';
import { readWhole } from './read-parts.js';

const FORM = '{"stableMs": 500}';
const BOUNDS = [50, 60_000] as const;

interface Still {
  digest: string;
  /** When the look that first saw it ended. */
  since: number;
}

export const stableMs: Kind = {
  form: FORM,
  read(given) {
    const wanted = readWhole(given, 'stableMs', FORM, BOUNDS);
    const key = {};
    return {
      overTime: ['stableMs'],
      async judge(moment) {
        const asked = performance.now();
        const { scene, silent, degraded, absent } = await moment.scene();
        const seen = { condition: 'stableMs', stableForMs: 0 };
        if (silent.length > 0) return { answer: 'unknown', reason: silent[0]!.error.message, seen };
        const roots = scene.places.filter(({ parent }) => !parent).map(({ element }) => element);
        const digest = [treeDigest(roots, { places: true }), degraded?.reason ?? '', absent ?? ''].join('\n');
        const now = performance.now();
        const { since } = moment.start.trace<Still>(key, (before) =>
          before?.digest === digest ? before : { digest, since: now },
        );
        // The look itself takes time: only what lies before it counts.
        const still = Math.max(0, asked - since);
        seen.stableForMs = Math.round(still);
        if (still >= wanted) return { answer: 'satisfied', seen };
        return { answer: 'unsatisfied', seen, againInMs: Math.ceil(since + wanted - now) };
      },
    };
  },
};
