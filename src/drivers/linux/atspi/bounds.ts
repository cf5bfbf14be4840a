import { intersect, type Box } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/**
 * Placement of an element on the screen, computed from the toolkit's bounds. A child derives its placement from its
 * parent, because shifts and clips are inherited.
 */
export interface Place {
  /** Bounds from the toolkit. Undefined for an element without bounds. */
  reported?: Box;
  /** Offset to add to the reported coordinates of this element and its children. */
  shift: { x: number; y: number };
  /** Inside a scrolling ancestor, the only part of the screen that can show the element. */
  clip?: Box;
  /** Screen bounds of the whole element, not clipped. */
  whole?: Box;
  /** The parent's placement. */
  parent?: Place;
  /** Screen bounds of the app's open menus and tooltips. */
  popups?: readonly Box[];
}

const ROOT_PANE = 46;
const MENUS = new Set([33, 41]); // menu, popup menu
const FILLER = 20;
/** Largest margin above the list of a drop-down, in the same window. */
const MAX_POPUP_MARGIN = 12;
const SCROLLING = new Set([49, 68, 95]); // scroll pane, viewport, web page

export function childPlace(
  toolkit: Toolkit,
  parent: Place,
  role: number,
  reported: Box | undefined,
  /** The widget is known to report correct bounds. */
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
  // A menu opens in its own window, however far its menu bar is scrolled.
  let clip = MENUS.has(role) ? outermost(parent).clip : parent.clip;
  const clips = SCROLLING.has(role) || (toolkit.fillersClip && role === FILLER);
  if (whole && clips && whole.width > 0 && whole.height > 0) {
    // A scrolling area that is itself scrolled out shows nothing: use an empty clip, not none.
    clip = clip ? (intersect(clip, whole) ?? { x: whole.x, y: whole.y, width: 0, height: 0 }) : whole;
  }
  return { reported, shift, clip, whole, parent, ...(parent.popups && { popups: parent.popups }) };
}

/**
 * GTK 4 reports the content of a popup window as if it lay in the owner window: a menu at the corner of its button, the
 * text of a tooltip at its distance from the tooltip's edge. The size identifies the popup window.
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
 * LibreOffice draws inside a GTK window. From its root pane on, reported positions are too high by the height of the
 * menu bar, but native GTK widgets inside it (the name box, the font list) report correct positions. Both transitions
 * are found by comparing a child with a parent of the same size.
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

/** The visible part. Undefined when nothing is visible, or less than 2 pixels. */
export function visiblePart(place: Place): Box | undefined {
  if (!place.whole || place.whole.width < 1 || place.whole.height < 1) return undefined;
  const visible = place.clip ? intersect(place.whole, place.clip) : place.whole;
  if (!visible) return undefined;
  const thin = (visible.width < 2 && place.whole.width >= 2) || (visible.height < 2 && place.whole.height >= 2);
  return thin ? undefined : visible;
}

/** The visible part of `box`, which lies inside this placement (for example a table cell). */
export function visibleInside(place: Place, box: Box): Box | undefined {
  return visiblePart({ shift: place.shift, whole: box, clip: visiblePart(place) ?? place.clip });
}

/** The visible part in the toolkit's own coordinates. */
export function reportedArea(place: Place): Box | undefined {
  const visible = visiblePart(place);
  return visible && { ...visible, x: visible.x - place.shift.x, y: visible.y - place.shift.y };
}

/** A native widget may be a pixel larger than the LibreOffice box that it fills. */
function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 2;
}
