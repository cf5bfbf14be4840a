import type { Box, Span } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, COMPONENT, SCREEN, WINDOW } from './interfaces.js';
import { reportedArea, type Place } from './place.js';
import { asAddress, readChildAt, readExtents } from './raw-element.js';

/** More than any screen shows; an app that claims more is cut here. */
const MOST_SHOWN = 300;
/** So many in a row may be without a size before one gives up. */
const MOST_EMPTY = 8;

/** Which of very many items are on the screen, counted from 1; undefined where that cannot be told. */
export async function shownItems(
  calls: AppCalls,
  path: string,
  place: Place,
  count: number,
): Promise<Span | undefined> {
  const area = reportedArea(place);
  if (!area) return undefined;
  // A browser tells what lay at a point before the page was scrolled, and the innermost thing at that.
  if (calls.app.toolkit.name !== 'chromium') return byCorners(calls, path, area, count);
  return byPlaces(area, count, async (index) => {
    const item = await readChildAt(calls, path, index);
    return item && readExtents(calls, item[1]);
  });
}

async function byCorners(calls: AppCalls, path: string, area: Box, count: number): Promise<Span | undefined> {
  const x = area.x + Math.min(10, area.width / 2);
  const indexAt = async (y: number): Promise<number | undefined> => {
    const space = calls.app.toolkit.coordinates === 'window' ? WINDOW : SCREEN;
    const answer = await calls.maybe(
      calls.call(path, COMPONENT, 'GetAccessibleAtPoint', 'iiu', [Math.round(x), Math.round(y), space]),
    );
    const item = asAddress(answer?.[0]);
    if (!item || item[1] === path) return undefined;
    const index = await calls.maybe(calls.call(item[1], ACCESSIBLE, 'GetIndexInParent'));
    return typeof index?.[0] === 'number' && index[0] >= 0 && index[0] < count ? index[0] : undefined;
  };
  const [top, bottom] = await Promise.all([indexAt(area.y + 4), indexAt(area.y + area.height - 4)]);
  if (top === undefined || bottom === undefined || bottom < top) return undefined;
  return [top + 1, Math.min(bottom, top + MOST_SHOWN) + 1];
}

type BoxAt = (index: number) => Promise<Box | undefined>;

/** Items follow each other downwards, so that halving finds the first and the last that lie in the area. */
export async function byPlaces(area: Box, count: number, boxAt: BoxAt): Promise<Span | undefined> {
  const [first, after] = await Promise.all([
    firstThat(count, boxAt, (box) => box.y + box.height > area.y),
    firstThat(count, boxAt, (box) => box.y >= area.y + area.height),
  ]);
  if (first === undefined || after === undefined || after <= first) return undefined;
  return [first + 1, Math.min(after, first + MOST_SHOWN)];
}

/** The first index from which on it holds; `count` when it holds for none. */
async function firstThat(count: number, boxAt: BoxAt, holds: (box: Box) => boolean): Promise<number | undefined> {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = await withSize(middle, Math.min(high, middle + MOST_EMPTY), boxAt);
    if (!found && high - middle > MOST_EMPTY) return undefined;
    if (!found || holds(found.box)) high = middle;
    else low = found.index + 1;
  }
  return low;
}

/** The first item from there on that has a size: what is hidden between the others has none. */
async function withSize(from: number, to: number, boxAt: BoxAt): Promise<{ index: number; box: Box } | undefined> {
  for (let index = from; index < to; index++) {
    const box = await boxAt(index);
    if (box && box.width > 0 && box.height > 0) return { index, box };
  }
  return undefined;
}
