import { estimateTokens } from '../../tree/index.js';

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

/** Something stands there in the place of a secret, longer or shorter than that. */
const MARK = /‹secret:/;

/** As much of a page as the budget holds, cut after a line or a word where one is near. */
export function pageOfText(page: TextPage, budget: number): TextPage {
  const points = [...page.text];
  const keep = mostThatFits(points, budget);
  if (keep === points.length) return page;
  const end = niceEnd(points, keep);
  return { ...page, text: points.slice(0, end).join(''), end: page.start + end };
}

/**
 * The same, of a text that `read` gives up to wherever it is asked to. Positions count the app's characters: where
 * cleaning or a mark has changed how many there are, what is kept is read once more by itself, so that it ends where
 * the app says. The next page then leaves nothing out and repeats nothing.
 */
export async function readPage(
  read: (end: number) => Promise<TextPage>,
  end: number,
  budget: number,
): Promise<TextPage> {
  let page = await read(end);
  for (;;) {
    const cut = pageOfText(page, budget);
    if (cut === page) return page;
    const span = page.end - page.start;
    const points = [...page.text].length;
    if (points === span && !MARK.test(page.text)) return cut;
    const share = ([...cut.text].length * span) / points;
    const less = page.start + Math.max(1, Math.min(Math.floor(share), span - 1));
    const shorter = await wordsOnly(read, await read(less));
    // One character is the least, and a field that is secret as a whole stays whole.
    if (shorter.end >= page.end) return shorter;
    page = shorter;
  }
}

const MOST_STEPS = 8;

/** Not beyond the last word that is whole: a secret that ends a page would begin the next one once more. */
async function wordsOnly(read: (end: number) => Promise<TextPage>, given: TextPage): Promise<TextPage> {
  let page = given;
  for (let steps = MOST_STEPS; steps > 0; steps--) {
    const points = [...page.text];
    const end = page.end - (points.length - niceEnd(points, points.length));
    if (end <= page.start || end >= page.end) return page;
    page = await read(end);
  }
  return page;
}

function mostThatFits(points: string[], budget: number): number {
  let keep = points.length;
  for (let cost = costOf(points, keep); cost > budget && keep > 1; cost = costOf(points, keep)) {
    keep = Math.max(1, Math.min(keep - 1, Math.floor((keep * budget) / cost)));
  }
  return keep;
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
