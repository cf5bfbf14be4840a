import { cellText, withUntrustedMarkers } from '../quote.js';
import { canRun, runsOf } from '../render/layout.js';
import { lineText, runText, stateWords } from '../render/line.js';
import { type Rendered, type RenderOptions, renderSnapshot, subjectOf } from '../render/render.js';
import { estimateTokens } from '../render/tokens.js';
import { countViews } from '../render/view.js';
import { type Role, WINDOW_ROLES } from '../roles/roles.js';
import type { Snapshot } from '../snapshot.js';
import { type Change, diffSnapshots, type SnapshotDiff } from './diff.js';
import { isText, shortText } from './entries.js';

interface ChangesOptions {
  maxLines?: number;
  maxTokens?: number;
  /** The target of the act: its line leaves out role and name. */
  target?: string;
  /**
   * For an answer to an act: new windows, dialogs and alerts come first, with their whole text, then what concerns the
   * target. Of the rest, many changes of one kind share a line.
   */
  newsFirst?: boolean;
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
  /** It belongs to a new window, dialog or alert. */
  news?: boolean;
  /** It only counts its changes. */
  folded?: boolean;
}

/** What an app shows to tell the user something. */
const NEWS_ROLES: ReadonlySet<Role> = new Set([...WINDOW_ROLES, 'alert', 'notification']);
/** A message of an app is worth its tokens. */
const NEWS_LIMIT = 400;
/** So many changes of one kind share a line. */
const FOLDED_FROM = 5;

const CHANGE_SIGNS = { new: '+', gone: '-', changed: '~' } as const;

function changeText(change: Change, target: string | undefined, news: boolean): string {
  const { view, kind, was } = change;
  const limit = news && { limit: NEWS_LIMIT };
  const place = change.in ? ` in ${change.in}` : '';
  const old = was === undefined ? '' : ` (was ${was})`;
  if (change.cell) return `cell ${change.cell.address}${place}: ${cellText(change.cell.text)}${old}`;
  if (kind === 'changed') {
    if (change.ref === target) return shortText(change.old, view) + old;
    return lineText(view, { brief: true, ...limit }) + (isText(view) && view.ref === undefined ? place : '') + old;
  }
  const count = kind === 'gone' ? countViews(view) - 1 : 0;
  const text = lineText(view, { brief: true, ...limit, notes: count > 0 ? [`${count} inside`] : [] });
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
function linesOf(diff: SnapshotDiff, { target, newsFirst = false }: ChangesOptions): Line[] {
  const { changes } = diff;
  const rows = new Set(changes.filter(({ kind, view }) => kind === 'new' && view.cells).map(({ ref }) => ref));
  const lines: Line[] = [];
  let at = 0;
  /** The level of the new window, dialog or alert that contains the current change. */
  let newsLevel: number | undefined;
  while (at < changes.length) {
    const first = changes[at]!;
    if (first.kind !== 'new' || first.level <= (newsLevel ?? -1)) newsLevel = undefined;
    if (first.kind !== 'gone' && newsLevel === undefined && NEWS_ROLES.has(first.view.element.role)) newsLevel = first.level;
    const news = newsFirst && newsLevel !== undefined;
    let end = at + 1;
    const likeFirst = (other: Change): boolean =>
      other.kind === first.kind && other.level === first.level && other.in === first.in && canRun(other.view);
    const runs = first.kind === 'new' && !first.cell && canRun(first.view) && isOwnLine(first, rows);
    while (runs && end < changes.length && likeFirst(changes[end]!)) end += 1;
    const group = changes.slice(at, end);
    const sign = '  '.repeat(first.kind === 'new' ? first.level : 0) + CHANGE_SIGNS[first.kind];
    at = end;
    if (group.length === 1) {
      if (isOwnLine(first, rows)) lines.push({ text: `${sign} ${changeText(first, target, news)}`, changes: group, news });
      else lines.at(-1)?.changes.push(first);
      continue;
    }
    const place = first.level === 0 && first.in ? ` in ${first.in}` : '';
    let taken = 0;
    for (const run of runsOf(group.map(({ view }) => view))) {
      const text = `${sign} ${runText(run, news ? { limit: NEWS_LIMIT } : {})}${place}`;
      lines.push({ text, changes: group.slice(taken, taken + run.length), news });
      taken += run.length;
    }
  }
  return newsFirst ? inOrderOfNews(lines, target) : lines;
}

/** News, then the target and what is in it, then the rest with many changes of one kind on one line. */
function inOrderOfNews(lines: readonly Line[], target: string | undefined): Line[] {
  const blocks: Line[][] = [];
  for (const line of lines) {
    const [change] = line.changes;
    // The content of a new element stays with it.
    if (change?.kind === 'new' && change.level > 0 && blocks.length > 0) blocks.at(-1)!.push(line);
    else blocks.push([line]);
  }
  const rankOf = (block: readonly Line[]): 0 | 1 | 2 => {
    if (block.some(isNews)) return 0;
    const [change] = block[0]!.changes;
    return target !== undefined && (change?.ref === target || change?.in === target) ? 1 : 2;
  };
  const ranked = (rank: number): Line[] => blocks.filter((block) => rankOf(block) === rank).flat();
  return [...ranked(0), ...ranked(1), ...foldAlike(ranked(2))];
}

/** A window whose states changed is not new. */
const isNews = ({ news, changes: [change] }: Line): boolean =>
  news === true && (change?.kind === 'new' || !WINDOW_ROLES.has(change!.view.element.role));

function foldAlike(lines: readonly Line[]): Line[] {
  const alike = new Map<string, Line[]>();
  for (const line of lines) {
    const kind = kindOf(line);
    if (kind !== undefined) alike.set(kind, [...(alike.get(kind) ?? []), line]);
  }
  return lines.flatMap((line) => {
    const kind = kindOf(line);
    const group = kind === undefined ? [] : alike.get(kind)!;
    if (group.length < FOLDED_FROM) return [line];
    if (group[0] !== line) return [];
    const changes = group.flatMap((one) => one.changes);
    return [{ text: kind!.replace('#', String(group.length)), changes, folded: true }];
  });
}

/** The text of the line for many changes of this kind; undefined if it is not only a change of states, or not gone. */
function kindOf({ changes }: Line): string | undefined {
  const [change] = changes;
  if (!change || changes.length > 1 || change.cell || change.inRow) return undefined;
  const { kind, view, old, was = '' } = change;
  if (kind === 'gone' && change.level === 0) {
    return `- # ${view.role} elements${change.in ? ` in ${change.in}` : ''}`;
  }
  if (kind !== 'changed' || !old) return undefined;
  const before = stateWords(old.element);
  const now = stateWords(view.element);
  const lost = before.filter((word) => !now.includes(word));
  const gained = now.filter((word) => !before.includes(word));
  const onlyStates = view.name === old.name && view.role === old.role && /^[a-z ]+$/.test(was) && !was.startsWith('in ');
  if (!onlyStates || lost.length + gained.length === 0) return undefined;
  return gained.length > 0 ? `~ # elements are ${gained.join(' ')} (were ${was})` : `~ # elements are no longer ${lost.join(' ')}`;
}

/** The changes, one line each, in diff form; the last line counts what does not fit. */
export function renderChanges(diff: SnapshotDiff, options: ChangesOptions = {}): RenderedChanges {
  const { maxLines = Infinity, maxTokens = Infinity } = options;
  const all = linesOf(diff, options);
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
    const listed = shown.flatMap(({ changes, folded }) => (folded ? [] : changes));
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
