import { cellText, withUntrustedMarkers } from '../quote.js';
import { canRun, runsOf } from '../render/layout.js';
import { lineText, runText } from '../render/line.js';
import { type Rendered, type RenderOptions, renderSnapshot, subjectOf } from '../render/render.js';
import { estimateTokens } from '../render/tokens.js';
import { countViews } from '../render/view.js';
import type { Snapshot } from '../snapshot.js';
import { type Change, diffSnapshots, type SnapshotDiff } from './diff.js';
import { isText, shortText } from './entries.js';

interface ChangesOptions {
  maxLines?: number;
  maxTokens?: number;
  /** The target of the act: its line leaves out role and name. */
  target?: string;
}

interface RenderedChanges {
  lines: string[];
  tokens: number;
  /** Number of changed elements that are not in the lines. */
  more: number;
  /** The changes that are in the lines. */
  listed: Change[];
}

interface Line {
  text: string;
  changes: Change[];
}

const CHANGE_SIGNS = { new: '+', gone: '-', changed: '~' } as const;

function changeText(change: Change, target: string | undefined): string {
  const { view, kind, was } = change;
  const place = change.in ? ` in ${change.in}` : '';
  const old = was === undefined ? '' : ` (was ${was})`;
  if (change.cell) return `cell ${change.cell.address}${place}: ${cellText(change.cell.text)}${old}`;
  if (kind === 'changed') {
    if (change.ref === target) return shortText(change.old, view) + old;
    return lineText(view, { brief: true }) + (isText(view) && view.ref === undefined ? place : '') + old;
  }
  const count = kind === 'gone' ? countViews(view) - 1 : 0;
  const text = lineText(view, { brief: true, notes: count > 0 ? [`${count} inside`] : [] });
  const nameless = kind === 'gone' && view.ref === undefined;
  return text + ((kind === 'new' && change.level === 0) || nameless ? place : '');
}

/** Controls of a row are printed in the row's line; the content of a gone element is not listed. */
function isOwnLine(change: Change, rows: ReadonlySet<string>): boolean {
  if (change.inRow) return false;
  if (change.kind === 'gone') return change.level === 0;
  return !(change.kind === 'new' && change.level > 0 && change.in !== undefined && rows.has(change.in));
}

/** New siblings of the same role share a line, as in a snapshot. */
function linesOf(diff: SnapshotDiff, target: string | undefined): Line[] {
  const { changes } = diff;
  const rows = new Set(changes.filter(({ kind, view }) => kind === 'new' && view.cells).map(({ ref }) => ref));
  const lines: Line[] = [];
  let at = 0;
  while (at < changes.length) {
    const first = changes[at]!;
    let end = at + 1;
    const likeFirst = (other: Change): boolean =>
      other.kind === first.kind && other.level === first.level && other.in === first.in && canRun(other.view);
    const runs = first.kind === 'new' && !first.cell && canRun(first.view) && isOwnLine(first, rows);
    while (runs && end < changes.length && likeFirst(changes[end]!)) end += 1;
    const group = changes.slice(at, end);
    const sign = '  '.repeat(first.kind === 'new' ? first.level : 0) + CHANGE_SIGNS[first.kind];
    at = end;
    if (group.length === 1) {
      if (isOwnLine(first, rows)) lines.push({ text: `${sign} ${changeText(first, target)}`, changes: group });
      else lines.at(-1)?.changes.push(first);
      continue;
    }
    const place = first.level === 0 && first.in ? ` in ${first.in}` : '';
    let taken = 0;
    for (const run of runsOf(group.map(({ view }) => view))) {
      lines.push({ text: `${sign} ${runText(run)}${place}`, changes: group.slice(taken, taken + run.length) });
      taken += run.length;
    }
  }
  return lines;
}

/** The changes, one line each, in diff form; the last line counts what does not fit. */
export function renderChanges(diff: SnapshotDiff, options: ChangesOptions = {}): RenderedChanges {
  const { maxLines = Infinity, maxTokens = Infinity, target } = options;
  const all = linesOf(diff, target);
  // Total tokens of the first lines, and the number of elements in the others.
  const costs = [0];
  for (const { text } of all) costs.push(costs.at(-1)! + estimateTokens(text + '\n'));
  let more = 0;
  for (let count = all.length; ; count--) {
    const next = all[count]?.changes[0];
    if (next) more += all[count]!.changes.length;
    const indent = '  '.repeat(next?.kind === 'new' ? next.level : 0);
    const rest = next ? [`${indent}… +${more} more, ui_snapshot ${next.root}`] : [];
    const tokens = costs[count]! + (rest[0] ? estimateTokens(rest[0] + '\n') : 0);
    if (count > 0 && (count + rest.length > maxLines || tokens > maxTokens)) continue;
    const shown = all.slice(0, count);
    const listed = shown.flatMap(({ changes }) => changes);
    return { lines: [...shown.map(({ text }) => text), ...rest], tokens, more, listed };
  }
}

interface RenderedSince extends Rendered {
  /** False if it is the whole text. */
  difference: boolean;
}

const MAX_DIFF_SHARE = 0.8;

/** Only what changed between two snapshots, or the whole text if that is safer or hardly longer. */
export function renderSince(old: Snapshot, now: Snapshot, options: RenderOptions = {}): RenderedSince {
  const diff = diffSnapshots(old, now, options);
  const whole = (why: string): RenderedSince => ({
    ...renderSnapshot(now, { ...options, inFull: why }),
    difference: false,
  });
  if (diff.inexact) return whole(diff.inexact);
  const { added, gone, changed, same } = diff;
  const counts = added + gone + changed === 0 ? 'nothing changed' : `${added} new, ${gone} gone, ${changed} changed`;
  const header = `snapshot ${now.id} of ${subjectOf(now)} since ${old.id}: ${counts}, ${same} same`;
  const { lines } = renderChanges(diff);
  const text = lines.length > 0 ? `${header}\n${withUntrustedMarkers(lines.join('\n'), options.nonce)}` : header;
  const tokens = estimateTokens(text);
  if (lines.length > 0 && tokens >= MAX_DIFF_SHARE * renderSnapshot(now, options).tokens) {
    return whole(`the change since ${old.id} is not much shorter`);
  }
  return { text, tokens, folded: 0, difference: true };
}
