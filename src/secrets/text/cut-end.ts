import { MARK } from './redact-values.js';

/** How a driver ends a text that it cut. */
const CUT = /…\(\+(\d+)\)$/;
/** Of a value that the cut went through, fewer than 8 characters are left, each written in some: more is known again. */
const LEFT = 64;

/**
 * The same text cut a little earlier: its last characters may be the first ones of a value, too few of them to be known
 * again. All cut texts lose them, so that nobody can try out beginnings.
 */
export function withoutCutEnd(text: string): string {
  const cut = CUT.exec(text);
  if (!cut) return text;
  const marked = [...text.matchAll(MARK)].at(-1);
  const from = marked ? marked.index + marked[0].length : 0;
  const end = [...text.slice(from, cut.index)];
  const dropped = Math.min(LEFT, end.length);
  const kept = text.slice(0, from) + end.slice(0, end.length - dropped).join('');
  return `${kept}…(+${Number(cut[1]) + dropped})`;
}
