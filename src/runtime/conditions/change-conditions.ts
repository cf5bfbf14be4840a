import { createHash } from 'node:crypto';
import type { Element, States } from '../../tree/index.js';
import { ambiguous } from '../locate/resolve-selector.js';
import { readSelector, readWhole, type Difference, type Kind, secretAnswer } from './condition.js';
import { incompleteReason } from './evaluate.js';
import { nearestTo, seenElement } from './match-element.js';

interface Version {
  name: string;
  value: string;
  states: string;
  children: string;
}

export const changed: Kind = {
  form: '{"changed": "#total"}',
  read(given) {
    const written = readSelector(given, 'changed', this.form);
    const key = {};
    return {
      selectors: [written],
      overTime: ['changed'],
      async evaluate(moment) {
        const result = await moment.search(written.selector);
        const [match, ...others] = result.matches;
        if (others.length > 0) throw ambiguous(written, result);
        const seen = { condition: 'changed', matches: match ? 1 : 0, ...(match && { element: seenElement(match) }) };
        const doubt = match ? incompleteReason(result, new Set([match.window.ref])) : incompleteReason(result);
        if (doubt !== undefined) return { answer: 'unknown', reason: doubt, seen };
        const now = match ? versionOf(match.element) : null;
        const before = moment.start.first<Version | null>(key, now);
        if (before === undefined) {
          return { answer: 'unknown', reason: 'It could not be read before the act.', seen };
        }
        const differs = differences(before, now);
        if (differs.length > 0) return { answer: 'satisfied', seen: { ...seen, differs } };
        if (match?.element.states.secret) return { ...secretAnswer('changed', match.element), seen };
        return { answer: 'unsatisfied', seen, ...(!match && { nearest: nearestTo(written, result, moment) }) };
      },
    };
  },
};

function versionOf({ name = '', value = '', states, children }: Element): Version {
  return { name, value: `${typeof value} ${value}`, states: stateDigest(states), children: treeDigest(children) };
}

function differences(before: Version | null, now: Version | null): Difference[] {
  if (!before || !now) return before === now ? [] : [now ? 'appeared' : 'gone'];
  return (['name', 'value', 'states', 'children'] as const).filter((part) => before[part] !== now[part]);
}

const FORM = '{"stableMs": 500}';
const BOUNDS = [50, 60_000] as const;

interface Still {
  digest: string;
  /** When the read that first saw it ended. */
  since: number;
}

export const stableMs: Kind = {
  form: FORM,
  read(given) {
    const wanted = readWhole(given, 'stableMs', FORM, BOUNDS);
    const key = {};
    return {
      overTime: ['stableMs'],
      async evaluate(moment) {
        const startedAt = performance.now();
        const { scene, silent, degraded, absent } = await moment.scene();
        const seen = { condition: 'stableMs', stableForMs: 0 };
        if (silent.length > 0) return { answer: 'unknown', reason: silent[0]!.error.message, seen };
        const roots = scene.places.filter(({ parent }) => !parent).map(({ element }) => element);
        const digest = [treeDigest(roots, { places: true }), degraded?.reason ?? '', absent ?? ''].join('\n');
        const now = performance.now();
        const { since } = moment.start.trace<Still>(key, (before) =>
          before?.digest === digest ? before : { digest, since: now },
        );
        // The read itself takes time: only the time before it counts.
        const still = Math.max(0, startedAt - since);
        seen.stableForMs = Math.round(still);
        if (still >= wanted) return { answer: 'satisfied', seen };
        return { answer: 'unsatisfied', seen, againInMs: Math.ceil(since + wanted - now) };
      },
    };
  },
};

/**
 * Focus has its own condition, and a moved element is not a changed one. In Qt and GTK 3 the default button follows the
 * focus.
 */
const NOT_ITS_OWN: ReadonlySet<keyof States> = new Set(['focused', 'active', 'default', 'offscreen']);

/** An element's states as one line, for comparison. */
function stateDigest(states: States): string {
  const own = Object.entries(states).filter(([name, on]) => !NOT_ITS_OWN.has(name as keyof States) && on !== undefined);
  return own
    .map(([name, on]) => `${name}=${on}`)
    .sort()
    .join(' ');
}

/** A digest of elements and their content, for comparison. */
function treeDigest(elements: readonly Element[], options: { places?: boolean } = {}): string {
  const hash = createHash('sha1');
  const add = ({ role, name, value, states, bounds, children }: Element): void => {
    const place = options.places && bounds ? [bounds.x, bounds.y, bounds.width, bounds.height] : null;
    hash.update(JSON.stringify([role, name ?? null, value ?? null, stateDigest(states), place, children.length]));
    for (const child of children) add(child);
  };
  for (const element of elements) add(element);
  return hash.digest('base64');
}
