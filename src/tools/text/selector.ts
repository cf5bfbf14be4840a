import {
  cellsIn,
  type Chain,
  explainSelector,
  explainTerm,
  exclusionReason,
  type MatchStep,
  needsTree,
  parseSelector,
  printSelector,
  readNeeds,
  type Selector,
} from '../../selector/index.js';
import type { SelectorSearch } from '../../runtime/index.js';
import type { WindowInfo } from '../../tree/index.js';

/** How a selector is understood: needs no desktop. */
export interface SelectorReading {
  description: string;
  canonical: string;
  /** What will be read for it, a line for each thing. */
  plan: string[];
}

/** The same after the search. */
export interface ExplainedSearch extends SelectorReading {
  pushedDown: string[];
}

/** Throws `selector_syntax`. */
export function readSelector(text: string): SelectorReading {
  return readingOf(parseSelector(text));
}

function readingOf(selector: Selector): SelectorReading {
  const { alternatives } = selector;
  const plan = alternatives.flatMap((chain, at) => {
    const which = alternatives.length > 1 ? `alternative ${at + 1}: ` : '';
    return planOf(chain).map((line) => `${which}${line}`);
  });
  return { description: explainSelector(selector), canonical: printSelector(selector), plan };
}

function planOf(chain: Chain): string[] {
  const { full, detail } = readNeeds(chain);
  const cells = cellsIn(chain).map(({ written }) => written);
  if (!needsTree(chain)) return ['the list of windows is enough, no window is read'];
  return [
    full ? 'also what does not show is read at once' : 'what shows is read first, the rest only if nothing there fits',
    ...(detail ? ['ids, classes and descriptions are read too'] : []),
    ...(cells.length > 0 ? [`asked for by address, no table is walked: ${cells.join(', ')}`] : []),
  ];
}

export function explainSearch(search: SelectorSearch): ExplainedSearch {
  const { selector, searched, windows, within, alternative, skipped, extent } = search;
  const chain = selector.alternatives[alternative]!;
  const others = windows.filter((window) => !searched.includes(window));
  const why = (window: WindowInfo): string => {
    const reason = exclusionReason(chain, window);
    if (reason === 'does not fit') return `not ${explainTerm((chain.steps[0] as MatchStep).term)}`;
    return (
      reason ?? (within === undefined ? 'what it names was in another window' : 'not in the window that was named')
    );
  };
  const reasons = new Map<string, string[]>();
  for (const window of others) reasons.set(why(window), [...(reasons.get(why(window)) ?? []), window.ref]);
  const pushedDown = [
    `${READ[extent]} ${searched.map(({ ref }) => ref).join(', ') || 'no window'}`,
    ...[...reasons].map(([reason, refs]) => `left out ${refs.join(', ')}: ${reason}`),
    ...skipped.map(
      ({ alternative: at, source }) => `left out alternative ${at + 1}: there is no ${source} driver here`,
    ),
    ...(selector.alternatives.length > 1 ? [`${outcome(search)} by alternative ${alternative + 1}`] : []),
  ];
  return { ...readingOf(selector), pushedDown };
}

const READ: Record<SelectorSearch['extent'], string> = {
  list: 'asked the list for',
  shown: 'read what shows in',
  full: 'read all, also what does not show, in',
};

function outcome({ matches }: SelectorSearch): string {
  return matches.length > 0 ? 'found' : 'last looked for';
}

/** In two columns, as one reads it above the matches. */
export function readingLines({
  description,
  canonical,
  plan,
  pushedDown = [],
}: SelectorReading & Partial<ExplainedSearch>): string[] {
  const rows = [
    ['reads', description],
    ['canonical', canonical],
    ...plan.map((line) => ['plan', line]),
    ...pushedDown.map((line) => ['search', line]),
  ];
  return rows.map(([word, line], at) => `${(rows[at - 1]?.[0] === word ? '' : word!).padEnd(10)}${line}`);
}
