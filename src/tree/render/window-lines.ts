import type { Element } from '../element.js';
import { quote, withUntrustedMarkers } from '../quote.js';
import type { WindowInfo } from '../snapshot.js';
import { type LineOptions, lineText, rowText, stateWords } from './line.js';
import { childViews, viewOf } from './prune.js';
import { rowView } from './table.js';

// Two columns wide in a terminal: East Asian scripts and most emoji.
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MAX_TITLE = 60;
/** Needs no quotes: it cannot be mistaken for our own words. */
const PLAIN_PROGRAM_NAME = /^[\w.+@-]{0,60}$/;

function terminalWidth(text: string): number {
  let columns = 0;
  for (const char of text) columns += WIDE_CHARACTER.test(char) ? 2 : 1;
  return columns;
}

function stateOf(window: WindowInfo): string {
  if (window.hung) return 'not responding';
  if (window.minimised) return 'minimised';
  if (!window.visible && !window.active) return 'hidden';
  return [...(window.active ? ['active'] : []), ...(window.maximised ? ['maximised'] : [])].join(' ');
}

function placeOf({ bounds, monitor, minimised }: WindowInfo): string {
  if (!bounds || minimised) return '';
  const where = `${bounds.width}x${bounds.height} at ${bounds.x},${bounds.y}`;
  return monitor !== undefined && monitor > 1 ? `${where} (monitor ${monitor})` : where;
}

/** Spaces between columns; the last column is not padded. */
const COLUMN_GAPS = [2, 3, 2, 3, 0];

/** Open windows, one per line, in columns. */
export function windowLines(windows: readonly WindowInfo[]): string[] {
  const table = windows.map((window) => [
    window.ref,
    quote(window.title, MAX_TITLE),
    PLAIN_PROGRAM_NAME.test(window.app) ? window.app : quote(window.app),
    stateOf(window),
    placeOf(window),
  ]);
  const widths = COLUMN_GAPS.map((_, column) => Math.max(0, ...table.map((row) => terminalWidth(row[column] ?? ''))));
  return table.map((row) =>
    row
      .map(
        (cell, column) => cell + ' '.repeat((widths[column] ?? 0) - terminalWidth(cell) + (COLUMN_GAPS[column] ?? 0)),
      )
      .join('')
      .trimEnd(),
  );
}

/** The output of `ui_list_windows`: a header line, then the titles between untrusted markers. */
export function renderWindowList(
  windows: readonly WindowInfo[],
  options: { nonce?: string; hiddenByPolicy?: number } = {},
): string {
  const count = `${windows.length} ${windows.length === 1 ? 'window' : 'windows'}`;
  const header = options.hiddenByPolicy ? `${count}, ${options.hiddenByPolicy} more hidden by policy` : count;
  return windows.length === 0
    ? header
    : `${header}\n${withUntrustedMarkers(windowLines(windows).join('\n'), options.nonce)}`;
}

/** One element as a snapshot prints it, always with its ref: `e22 button "Save" disabled`. */
export function renderElementLine(element: Element, options: LineOptions = {}): string {
  const view = viewOf({ ...element, children: [] }, { element }, { labels: new Set() });
  return lineText({ ...view, ref: element.ref }, options);
}

/** A table row as a snapshot prints it: `e91 | 1025 | Ada Lovelace | checked | selected`. */
export function renderRowLine(row: Element): string {
  return rowText(rowView(row, row.children, 0, { element: row }, { labels: new Set() }, childViews));
}

/** The words for its states, as a snapshot prints them. */
export function renderStates(element: Element): string {
  return stateWords(element).join(' ');
}
