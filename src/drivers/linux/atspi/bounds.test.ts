import { describe, expect, test } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { childPlace, reportedArea, visibleInside, visiblePart, type Place } from './bounds.js';
import { toolkitFrom } from './toolkit.js';

const GTK3 = toolkitFrom('gtk', 'mousepad');
const OFFICE = toolkitFrom('gtk', 'soffice');
const GTK4 = toolkitFrom('GTK', 'gnome-calculator');
const QT = toolkitFrom('Qt', 'kcalc');
const FILLER = 20;
const FRAME = 23;
const MENU = 33;
const PANEL = 39;
const SCROLL_PANE = 49;
const VIEWPORT = 68;
const ROOT_PANE = 46;

const box = (x: number, y: number, width: number, height: number): Box => ({ x, y, width, height });
const SCREEN: Place = { shift: { x: 0, y: 0 }, clip: box(0, 0, 1000, 800) };

describe('childPlace', () => {
  test('an element without bounds inherits the placement of its parent', () => {
    const parent: Place = { ...SCREEN, shift: { x: 5, y: 7 } };
    const place = childPlace(GTK3, parent, PANEL, undefined);
    expect(place).toMatchObject({ shift: { x: 5, y: 7 }, clip: SCREEN.clip });
    expect(place.whole).toBeUndefined();
  });

  test('applies a shift only once at any depth', () => {
    const root: Place = { shift: { x: 100, y: 50 }, clip: SCREEN.clip };
    const outer = childPlace(GTK3, root, PANEL, box(10, 10, 200, 200));
    const inner = childPlace(GTK3, outer, PANEL, box(20, 30, 50, 20));
    expect(inner.whole).toEqual(box(120, 80, 50, 20));
    expect(reportedArea(inner)).toEqual(box(20, 30, 50, 20));
  });

  test('only scrolling areas clip', () => {
    const reported = box(100, 100, 200, 100);
    expect(childPlace(GTK3, SCREEN, PANEL, reported).clip).toEqual(SCREEN.clip);
    expect(childPlace(GTK3, SCREEN, SCROLL_PANE, reported).clip).toEqual(reported);
    expect(childPlace(GTK3, SCREEN, VIEWPORT, reported).clip).toEqual(reported);
  });

  test('in Qt every widget clips its content, and a scrolling area is a filler like any other', () => {
    const reported = box(100, 100, 200, 100);
    expect(childPlace(QT, SCREEN, FILLER, reported).clip).toEqual(reported);
    expect(childPlace(GTK3, SCREEN, FILLER, reported).clip).toEqual(SCREEN.clip);
  });

  test('nested scrolling areas show their intersection', () => {
    const outer = childPlace(GTK3, SCREEN, SCROLL_PANE, box(0, 0, 300, 300));
    expect(childPlace(GTK3, outer, SCROLL_PANE, box(200, 200, 300, 300)).clip).toEqual(box(200, 200, 100, 100));
  });

  test('a scrolling area that is scrolled out hides its content', () => {
    const outer = childPlace(GTK3, SCREEN, SCROLL_PANE, box(0, 0, 300, 300));
    const gone = childPlace(GTK3, outer, SCROLL_PANE, box(0, 500, 300, 300));
    expect(visiblePart(childPlace(GTK3, gone, PANEL, box(0, 510, 50, 20)))).toBeUndefined();
  });

  test('a scrolling area without an outer clip sets the first clip', () => {
    const place = childPlace(GTK3, { shift: { x: 0, y: 0 } }, SCROLL_PANE, box(1, 2, 3, 4));
    expect(place.clip).toEqual(box(1, 2, 3, 4));
  });
});

describe('LibreOffice draws 25 pixels lower than it reports', () => {
  const frame = childPlace(OFFICE, SCREEN, 23, box(0, 0, 800, 600));
  const inner = childPlace(OFFICE, frame, PANEL, box(0, 25, 800, 575));
  const pane = childPlace(OFFICE, inner, ROOT_PANE, box(0, 0, 800, 575));

  test('corrects the root pane by comparing it with the box that it fills', () => {
    expect(inner.whole).toEqual(box(0, 25, 800, 575));
    expect(pane.shift).toEqual({ x: 0, y: 25 });
    expect(pane.whole).toEqual(box(0, 25, 800, 575));
  });

  test('applies the correction to everything inside the pane', () => {
    const bar = childPlace(OFFICE, pane, 63, box(0, 10, 800, 40));
    const button = childPlace(OFFICE, bar, 43, box(5, 15, 30, 30));
    expect(button.whole).toEqual(box(5, 40, 30, 30));
    expect(reportedArea(button)).toEqual(box(5, 15, 30, 30));
  });

  test('does not apply it to a native widget, which reports correct bounds and fills its box', () => {
    const slot = childPlace(OFFICE, pane, PANEL, box(100, 60, 120, 30));
    const native = childPlace(OFFICE, slot, 11, box(100, 85, 121, 31));
    expect(slot.whole).toEqual(box(100, 85, 120, 30));
    expect(native.whole).toEqual(box(100, 85, 121, 31));
    const inside = childPlace(OFFICE, native, 79, box(104, 88, 90, 24));
    expect(inside.whole).toEqual(box(104, 88, 90, 24));
  });

  test('a box of the same size and position is not a native widget', () => {
    const slot = childPlace(OFFICE, pane, PANEL, box(100, 60, 120, 30));
    expect(childPlace(OFFICE, slot, PANEL, box(100, 60, 120, 30)).whole).toEqual(box(100, 85, 120, 30));
  });

  test('does not correct a root pane that differs in size from its parent', () => {
    expect(childPlace(OFFICE, inner, ROOT_PANE, box(0, 0, 400, 300)).shift).toEqual({ x: 0, y: 0 });
  });

  test('does not correct other toolkits', () => {
    const outer = childPlace(GTK3, SCREEN, PANEL, box(0, 25, 800, 575));
    expect(childPlace(GTK3, outer, ROOT_PANE, box(0, 0, 800, 575)).whole).toEqual(box(0, 0, 800, 575));
  });
});

describe('seenPart', () => {
  const at = (whole: Box | undefined, clip: Box | undefined = box(0, 0, 100, 100)): Box | undefined =>
    visiblePart({ shift: { x: 0, y: 0 }, whole, clip });

  test.each([
    ['an element inside the clip', box(10, 10, 20, 20), box(10, 10, 20, 20)],
    ['the part inside the clip', box(90, -10, 20, 20), box(90, 0, 10, 10)],
    ['nothing outside the clip', box(200, 0, 20, 20), undefined],
    ['nothing beside the clip', box(100, 0, 20, 20), undefined],
    ['nothing for a sliver of one pixel', box(99, 0, 20, 20), undefined],
    ['a strip of two pixels', box(98, 0, 20, 20), box(98, 0, 2, 20)],
    ['a line that is one pixel thick', box(10, 10, 1, 50), box(10, 10, 1, 50)],
    ['nothing without a width', box(10, 10, 0, 50), undefined],
    ['nothing without a position', undefined, undefined],
  ])('%s', (_, whole, seen) => expect(at(whole)).toEqual(seen));

  test('everything without a clip', () =>
    expect(visiblePart({ shift: { x: 0, y: 0 }, whole: box(-5, -5, 9, 9) })).toEqual(box(-5, -5, 9, 9)));
});

describe('popups in their own window', () => {
  test('a menu is not clipped with its menu bar', () => {
    const view = childPlace(GTK3, SCREEN, VIEWPORT, box(0, 20, 1000, 25));
    const item = box(0, 60, 40, 20);
    expect(visiblePart(childPlace(GTK3, view, PANEL, item))).toBeUndefined();
    const menu = childPlace(GTK3, view, MENU, box(0, 20, 40, 25));
    expect(visiblePart(childPlace(GTK3, menu, PANEL, item))).toEqual(item);
  });

  test('places a GTK 4 menu and a tooltip in their own window', () => {
    const popups = [box(300, 200, 285, 418), box(40, 30, 114, 30)];
    const frame = childPlace(GTK4, { shift: { x: 100, y: 50 }, clip: SCREEN.clip, popups }, FRAME, box(0, 0, 355, 486));
    const button = childPlace(GTK4, frame, PANEL, box(201, 6, 34, 34));
    expect(button.whole).toEqual(box(301, 56, 34, 34));
    const menu = childPlace(GTK4, button, MENU, box(201, 6, 285, 418));
    expect(menu.whole).toEqual(popups[0]);
    expect(childPlace(GTK4, menu, PANEL, box(211, 16, 200, 32)).whole).toEqual(box(310, 210, 200, 32));
    expect(childPlace(GTK4, frame, PANEL, box(11, 7, 92, 16)).whole).toEqual(box(51, 37, 92, 16));
  });

  test('places the list of a drop-down below the top margin of its window', () => {
    const popups = [box(98, 168, 406, 94)];
    const frame = childPlace(
      GTK4,
      { shift: { x: 101, y: 120 }, clip: SCREEN.clip, popups },
      FRAME,
      box(0, 0, 400, 300),
    );
    const popover = childPlace(GTK4, frame, FILLER, box(0, 22, 406, 88));
    expect(popover.whole).toEqual(box(98, 174, 406, 88));
    expect(childPlace(GTK4, popover, PANEL, box(12, 73, 382, 16)).whole).toEqual(box(110, 225, 382, 16));
    // Another element of nearly that size keeps its reported position.
    expect(childPlace(GTK4, frame, PANEL, box(0, 22, 406, 88)).whole).toEqual(box(101, 142, 406, 88));
  });
});

test('trusts the bounds of a widget known to be native', () => {
  const around = childPlace(OFFICE, SCREEN, PANEL, box(0, 44, 1000, 700));
  const pane = childPlace(OFFICE, around, ROOT_PANE, box(0, 19, 1000, 700));
  expect(childPlace(OFFICE, pane, PANEL, box(10, 90, 20, 20)).whole).toEqual(box(10, 115, 20, 20));
  expect(childPlace(OFFICE, pane, PANEL, box(10, 90, 20, 20), true).whole).toEqual(box(10, 90, 20, 20));
});

test('clips a cell to the visible part of its table', () => {
  const table = childPlace(GTK3, SCREEN, PANEL, box(900, 100, 300, 200));
  expect(visibleInside(table, box(980, 120, 60, 20))).toEqual(box(980, 120, 20, 20));
  expect(visibleInside(table, box(1010, 120, 60, 20))).toBeUndefined();
});
