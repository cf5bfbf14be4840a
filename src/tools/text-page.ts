import { estimateTokens } from '../tree/index.js';

export interface TextPage {
  text: string;
  start: number;
  end: number;
  total: number;
}

/** Each line begins with a mark of ours, so that no line of an app can pass for one of ours. */
export function textLines(text: string): string[] {
  return text.split('\n').map((line) => (line === '' ? '|' : `| ${line}`));
}

/**
 * As much of a page as the budget holds, cut after a line or a word where one is near. Positions count the app's
 * characters, of which cleaning may have taken some: a page that is kept whole ends where it ended there, a cut one at
 * the earliest place that it can mean, so that the next page may repeat a little and never leaves anything out.
 */
export function pageOfText(page: TextPage, budget: number): TextPage {
  const points = [...page.text];
  let keep = points.length;
  for (let cost = costOf(points, keep); cost > budget && keep > 1; cost = costOf(points, keep)) {
    keep = Math.max(1, Math.min(keep - 1, Math.floor((keep * budget) / cost)));
  }
  if (keep === points.length) return page;
  keep = niceEnd(points, keep);
  return { ...page, text: points.slice(0, keep).join(''), end: page.start + keep };
}

function costOf(points: string[], keep: number): number {
  return estimateTokens(textLines(points.slice(0, keep).join('')).join('\n'));
}

function niceEnd(points: string[], keep: number): number {
  const near = Math.floor(keep * 0.8);
  for (const mark of ['\n', ' ']) {
    const at = points.lastIndexOf(mark, keep - 1);
    if (at >= near) return at + 1;
  }
  return keep;
}
