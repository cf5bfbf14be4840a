import { intersect, type Box } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/**
 * Where an element is on the screen, from what its toolkit says. A place is handed from parent to child, since shifts
 * and clips come from above.
 */
export interface Place {
  /** What the toolkit said; undefined without a place of its own. */
  reported?: Box;
  /** What to add to reported coordinates of this element and its children. */
  shift: { x: number; y: number };
  /** Inside a scrolling ancestor only this part of the screen can show it. */
  clip?: Box;
  /** On the screen, whole, not clipped. */
  whole?: Box;
  /** The place that it was made from. */
  parent?: Place;
  /** Where the app's open menus and tool tips are on the screen. */
  popups?: readonly Box[];
}

const ROOT_PANE = 46;
const MENUS = new Set([33, 41]); // menu, popup menu
const FILLER = 20;
/** Above the list of a drop-down, in the same window. */
const MAX_POPUP_MARGIN = 12;
const SCROLLING = new Set([49, 68, 95]); // scroll pane, viewport, web page

export function childPlace(
  toolkit: Toolkit,
  parent: Place,
  role: number,
  reported: Box | undefined,
  /** Known to report the truth. */
  native = false,
): Place {
  const inPopup = toolkit.coordinates === 'window' && reported && popupShift(parent, role, reported);
  if (inPopup) {
    const { x, y } = inPopup;
    const box = { ...reported, x: reported.x + x, y: reported.y + y };
    return { reported, shift: inPopup, clip: outermost(parent).clip, whole: box, parent, popups: parent.popups };
  }
  const shift = native ? { x: 0, y: 0 } : shiftOf(toolkit, parent, role, reported);
  const whole = reported && { ...reported, x: reported.x + shift.x, y: reported.y + shift.y };
  // A menu opens in a window of its own, wherever its menu bar may be scrolled.
  let clip = MENUS.has(role) ? outermost(parent).clip : parent.clip;
  const clips = SCROLLING.has(role) || (toolkit.fillersClip && role === FILLER);
  if (whole && clips && whole.width > 0 && whole.height > 0) {
    // A scrolling area that is itself scrolled out shows nothing: an empty clip, not none.
    clip = clip ? (intersect(clip, whole) ?? { x: whole.x, y: whole.y, width: 0, height: 0 }) : whole;
  }
  return { reported, shift, clip, whole, parent, ...(parent.popups && { popups: parent.popups }) };
}

/**
 * What GTK 4 shows in a window of its own, it reports as if it lay in its owner: a menu at the corner of its button, a
 * tool tip's text at its distance from the tip's edge. Its size tells which window it is.
 */
function popupShift(parent: Place, role: number, reported: Box): { x: number; y: number } | undefined {
  if (!parent.parent || !parent.popups) return undefined;
  const margin = role === FILLER ? MAX_POPUP_MARGIN : 0;
  const menu = parent.popups.find(
    ({ width, height }) => width === reported.width && height >= reported.height && height <= reported.height + margin,
  );
  if (menu) return { x: menu.x - reported.x, y: menu.y + menu.height - reported.height - reported.y };
  const isTopChild = !parent.parent.parent;
  const tip =
    isTopChild &&
    parent.popups.find(
      ({ width, height }) =>
        near(2 * reported.x + reported.width, width) && near(2 * reported.y + reported.height, height),
    );
  return tip ? { x: tip.x, y: tip.y } : undefined;
}

function outermost(place: Place): Place {
  return place.parent ? outermost(place.parent) : place;
}

/**
 * LibreOffice draws inside a GTK window: from its root pane on, what it reports is too high by the menu bar's height,
 * but native GTK widgets inside that (the name box, the font list) report the truth. Both borders are found by
 * comparing a child with a parent of the same size.
 */
function shiftOf(toolkit: Toolkit, parent: Place, role: number, reported: Box | undefined): { x: number; y: number } {
  if (toolkit.name !== 'libreoffice' || !reported || !parent.reported) return parent.shift;
  const sameSize = near(reported.width, parent.reported.width) && near(reported.height, parent.reported.height);
  if (!sameSize) return parent.shift;
  if (role === ROOT_PANE) return { x: parent.reported.x - reported.x, y: parent.reported.y - reported.y };
  const moved = { x: reported.x - parent.reported.x, y: reported.y - parent.reported.y };
  const native = (moved.x !== 0 || moved.y !== 0) && moved.x === parent.shift.x && moved.y === parent.shift.y;
  return native ? { x: 0, y: 0 } : parent.shift;
}

/** The part that can be seen; undefined when no part can, or less than 2 pixels of it. */
export function visiblePart(place: Place): Box | undefined {
  if (!place.whole || place.whole.width < 1 || place.whole.height < 1) return undefined;
  const visible = place.clip ? intersect(place.whole, place.clip) : place.whole;
  if (!visible) return undefined;
  const thin = (visible.width < 2 && place.whole.width >= 2) || (visible.height < 2 && place.whole.height >= 2);
  return thin ? undefined : visible;
}

/** The part of `box`, which lies in this place (a table's cell), that can be seen. */
export function visibleInside(place: Place, box: Box): Box | undefined {
  return visiblePart({ shift: place.shift, whole: box, clip: visiblePart(place) ?? place.clip });
}

/** What can be seen of it, in the toolkit's own coordinates. */
export function reportedArea(place: Place): Box | undefined {
  const visible = visiblePart(place);
  return visible && { ...visible, x: visible.x - place.shift.x, y: visible.y - place.shift.y };
}

/** A native widget may be a pixel larger than the box that LibreOffice thinks it fills. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2;
}
