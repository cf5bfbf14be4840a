import { quote, renderChanges, type Element, type SnapshotDiff } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { MovedCaret } from './moved-caret.js';

const MOST_LINES = 10;
const MOST_TOKENS = 150;
const FEW_LINES = 3;

export interface ToldChanges {
  /** What changed, in the form of a difference; app text in it is quoted. */
  changes: string[];
  /** Windows that opened or closed, or more than a few lines: the lines go between marks. */
  wide: boolean;
}

interface ChangesToRender {
  diff: SnapshotDiff;
  /** Windows opened or closed. */
  windows: boolean;
  focus?: Element;
  caret?: MovedCaret;
  /** The target of the act: what the first line says is left out. */
  target?: string;
}

/** The lines about what changed. Whoever reads them knows these elements by these names from then on. */
export function toldChanges(
  desktop: Desktop,
  { diff, windows, focus: given, caret, target }: ChangesToRender,
): ToldChanges {
  const limits = { maxLines: MOST_LINES, maxTokens: MOST_TOKENS };
  const rendered = renderChanges(diff, { ...limits, ...(target !== undefined && { target }) });
  const there = rendered.told.filter(({ kind }) => kind !== 'gone').map(({ element }) => element);
  const focus = there.some((one) => one.ref === given?.ref) ? undefined : given;
  for (const element of rendered.told.map((one) => one.element).concat(focus ?? [], caret?.element ?? []))
    desktop.refs.told(element, diff.to);
  const changes = [
    ...rendered.lines,
    ...(focus ? [lineOf('focus', focus)] : []),
    ...(caret ? [lineOf(caret.selects ? 'selection' : 'caret', caret.element)] : []),
  ];
  return { changes, wide: changes.length > FEW_LINES || windows };
}

/** `focus: e12 button "Yes"` */
function lineOf(what: 'focus' | 'caret' | 'selection', { ref, role, name, cell }: Element): string {
  const said = cell?.address ?? (name ? quote(name) : undefined);
  return `${what}: ${[ref, role, said].filter(Boolean).join(' ')}`;
}
