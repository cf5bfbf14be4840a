import type { Property } from 'x11';
import { cutMark } from '../../../../shared/index.js';
import { type Box, cleanName, intersect, TEXT_BOUNDS } from '../../../../tree/index.js';
import type { ListedWindow } from '../../processes.js';
import type { Atoms } from '../atoms.js';
import { type Monitor, monitorOf } from '../monitors.js';
import { readWmClass, readNumbers, readText } from '../property.js';
import type { TopLevel, WindowFacts } from './properties.js';
import { roleOf, typeOf, windowIdOf } from './window.js';

interface WindowContext {
  atoms: Atoms;
  active: boolean;
  frame?: TopLevel;
  monitors: readonly Monitor[];
  pid?: number;
}

const ICONIC = 3;
const VIEWABLE = 2;

export function describeWindow(
  facts: WindowFacts,
  { atoms, active, frame, monitors, pid }: WindowContext,
): ListedWindow {
  const states = new Set(readNumbers(facts.state));
  const is = (name: keyof Atoms): boolean => states.has(atoms[name]);
  const viewable = facts.attributes.mapState === VIEWABLE;
  const hidden = is('_NET_WM_STATE_HIDDEN') || readNumbers(facts.wmState)[0] === ICONIC;
  const client = {
    x: facts.origin.destX,
    y: facts.origin.destY,
    width: facts.geometry.width,
    height: facts.geometry.height,
  };
  const shadow = readExtents(readNumbers(facts.gtkExtents));
  const bounds = frameBox({
    client,
    border: facts.geometry.borderWidth,
    frame: frame?.box,
    decoration: readExtents(readNumbers(facts.frameExtents)),
    shadow,
  });
  const overrideRedirect = facts.attributes.overrideRedirect !== 0;
  const type = typeOf(readNumbers(facts.type), atoms);
  const transientFor = readNumbers(facts.transientFor)[0];
  const wmClass = readWmClass(facts.wmClass);
  const monitor = monitorOf(bounds, monitors);
  return {
    xid: facts.xid,
    id: windowIdOf(facts.xid),
    ...readTitle([facts.netName, facts.name], atoms),
    ...(wmClass && {
      wmClass: { instance: cleanName(wmClass.instance).text, name: cleanName(wmClass.name).text },
    }),
    ...(type && { type }),
    role: roleOf({ type, transient: transientFor !== undefined && transientFor !== 0, overrideRedirect }),
    ...(pid !== undefined && { pid }),
    bounds,
    client,
    ...(shadow && { shadow }),
    visible: viewable && monitor !== undefined,
    minimised: hidden && !viewable && !is('_NET_WM_STATE_SHADED'),
    maximised: is('_NET_WM_STATE_MAXIMIZED_HORZ') && is('_NET_WM_STATE_MAXIMIZED_VERT'),
    fullscreen: is('_NET_WM_STATE_FULLSCREEN'),
    active,
    modal: is('_NET_WM_STATE_MODAL'),
    above: is('_NET_WM_STATE_ABOVE'),
    skipTaskbar: is('_NET_WM_STATE_SKIP_TASKBAR'),
    overrideRedirect,
    ...(transientFor && { of: transientFor }),
    ...(monitor !== undefined && { monitor }),
  };
}

/** Left, right, top, bottom, the order that window managers and GTK use. */
type Extents = readonly [left: number, right: number, top: number, bottom: number];

export function readExtents(numbers: readonly number[]): Extents | undefined {
  const [left, right, top, bottom] = numbers;
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return undefined;
  return [left, right, top, bottom];
}

export interface FrameParts {
  /** The app's own window, without a border. */
  client: Box;
  /** The width of the border that the server draws around a window without a frame. */
  border?: number;
  /** The window manager's frame window around it, if there is one. */
  frame?: Box;
  /** _NET_FRAME_EXTENTS: what the window manager draws around it. */
  decoration?: Extents;
  /** _GTK_FRAME_EXTENTS: the shadow that the app draws inside its own window. */
  shadow?: Extents;
}

/**
 * The window as the user sees it: with title bar and border, without the invisible shadow. The app can set both
 * properties itself, so neither can make the window larger than its frame or give it a negative size.
 */
export function frameBox({ client, border = 0, frame, decoration, shadow }: FrameParts): Box {
  let box = frame ? client : expand(client, [border, border, border, border]);
  if (frame && decoration) {
    box = intersect(expand(client, decoration), frame) ?? box;
  }
  if (shadow) {
    const [left, right, top, bottom] = shadow;
    const width = box.width - left - right;
    const height = box.height - top - bottom;
    if (width > 0 && height > 0) box = { x: box.x + left, y: box.y + top, width, height };
  }
  return box;
}

function expand(box: Box, [left, right, top, bottom]: Extents): Box {
  return { x: box.x - left, y: box.y - top, width: box.width + left + right, height: box.height + top + bottom };
}

/** Longer text is not a useful title. */
const MAX_TITLE = 20_000;

interface Title {
  title: string;
  fullTitle?: string;
}

/** The first of these properties that contains a title. */
export function readTitle(
  properties: readonly (Property | undefined)[],
  atoms: Pick<Atoms, 'UTF8_STRING' | 'COMPOUND_TEXT'>,
): Title {
  for (const property of properties) {
    const text = readText(property, atoms);
    if (!text) continue;
    const title = cleanName(text).text;
    const whole = fullTitle(text, property!.bytesAfter);
    return whole === title ? { title } : { title, fullTitle: whole };
  }
  return { title: '' };
}

/**
 * The full title. If the server did not send all of it, the end of the text says so, as for truncated text. Padding
 * makes it as long as other truncated text.
 */
function fullTitle(text: string, missing: number): string {
  const whole = cleanName(text, MAX_TITLE).text;
  return missing > 0 ? whole.padEnd(TEXT_BOUNDS.title) + cutMark(missing) : whole;
}
