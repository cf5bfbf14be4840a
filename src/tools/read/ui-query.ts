import { z } from 'zod';
import { defineTool, READ_TRAITS, namedPath } from '../../runtime/index.js';
import type { Match } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import {
  type Box,
  quote,
  renderElementLine,
  roleInText,
  type States,
  type WindowInfo,
  withUntrustedMarkers,
} from '../../tree/index.js';
import { explainSearch, readingLines, type ExplainedSearch } from '../text/selector.js';
import { quoted } from '../text/sentence.js';
import { COUNT, DEGRADED, ROOT, THING, THINGS } from '../output-schemas.js';

interface Found {
  ref: string;
  role: string;
  name?: string;
  value?: string | number;
  states: States;
  window: string;
  path: { role: string; name: string }[];
  bounds?: Box;
  /** Scrolled out, or in a closed menu. */
  offscreen?: true;
  confidence: number;
  reasons: string[];
}

/** How the text shows it; not part of the answer for programs. */
const lines = new WeakMap<Found, string>();

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  matches: Found[];
  /** Of all, not only of those listed. */
  total: number;
  /** Every window was read to its end: an element that is not here does not exist. */
  complete: boolean;
  windows: WindowInfo[];
  degraded?: { reason: string };
  /** Only when asked for. */
  explained?: ExplainedSearch;
}

const LONGEST_NAME = 60;

export const uiQuery = defineTool({
  name: 'ui_query',
  class: 'read',
  description: 'Find elements without a look: refs, where they are, confidence and why. Many matches are fine here.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    positionals: ['target'],
    examples: [["query 'button:Save' --window w3", 'matches with confidence and reasons']],
  },
  sentence: { verb: ({ target }) => ['Look for', quoted(target)], at: 'in' },
  output: z.looseObject({
    ...ROOT,
    ...{
      matches: THINGS,
      total: COUNT,
      complete: z.boolean(),
      windows: THINGS,
      degraded: DEGRADED,
      explained: THING.optional(),
    },
  }),
  timeoutMs: 5_000,
  limitMs: ({ timeoutMs }) => timeoutMs ?? 5_000,
  quiet: ['explain'],
  input: z.object({
    target: z.string().max(2_000),
    window: z.string().max(500).optional(),
    limit: z.int().min(1).max(1_000).default(10),
    timeoutMs: z.int().min(1).max(600_000).optional(),
    explain: z.boolean().optional().describe('also how the selector is read'),
  }),
  async run({ reader }, { target, window, limit, explain }): Promise<Result> {
    const search = await reader.search(target, { within: window });
    const { matches, searched, degraded } = search;
    const explained = explain ? explainSearch(search) : undefined;
    if (matches.length === 0) throw withReading(await reader.missed(search), explained);
    return {
      untrusted: true,
      matches: matches.slice(0, limit).map(foundOf),
      total: matches.length,
      complete: !degraded,
      windows: searched,
      ...(degraded && { degraded }),
      ...(explained && { explained }),
    };
  },
  text({ matches, total, degraded, explained }) {
    const left = total > matches.length ? `, the first ${matches.length} shown` : '';
    const missing = degraded ? ` (complete: no, ${degraded.reason})` : '';
    const head = `${total} ${total === 1 ? 'match' : 'matches'}${left}${missing}`;
    return [
      ...(explained ? readingLines(explained) : []),
      head,
      withUntrustedMarkers(foundLines(matches).join('\n')),
    ].join('\n');
  },
});

/** A selector that finds nothing is the one that most needs to be explained. */
function withReading(error: DesktopError, explained: ExplainedSearch | undefined): DesktopError {
  if (!explained) return error;
  return DesktopError.fromJSON({ ...error.toJSON(), details: { ...error.details, explained } });
}

function foundOf({ element, window, path, confidence, reasons }: Match): Found {
  const { ref, role, name, value, bounds, states } = element;
  const found: Found = {
    ref,
    role,
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    states,
    window: window.ref,
    path: namedPath(path),
    ...(bounds && { bounds }),
    ...(states.offscreen && { offscreen: true }),
    confidence,
    reasons,
  };
  lines.set(found, renderElementLine(element, { limit: LONGEST_NAME, bounds: true }).slice(ref.length).trim());
  return found;
}

/** `e22  button "Save" disabled @10,20 80x30   w3 > toolbar "Main"   0.90  role and whole name`, in columns. */
function foundLines(matches: readonly Found[]): string[] {
  const rows = matches.map((found) => {
    const { ref, role, name, window, path, confidence, reasons } = found;
    const line = lines.get(found) ?? `${roleInText(role)}${name ? ` ${quote(name, LONGEST_NAME)}` : ''}`;
    return [
      ref,
      line,
      [...(ref === window ? [] : [window]), ...path.map((one) => `${one.role} ${quote(one.name, LONGEST_NAME)}`)].join(
        ' > ',
      ),
      confidence.toFixed(2),
      reasons.join(', '),
    ];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
