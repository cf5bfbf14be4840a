import type { Attributes, Geometry, Property, Translated, Tree } from 'x11';
import type { Box } from '../../../tree/index.js';
import type { Atoms } from './atoms.js';
import type { X11Client } from './x11-client.js';

/** What one batch of requests tells about a window; undefined for a window that has gone. */
export interface WindowFacts {
  xid: number;
  parent: number;
  attributes: Attributes;
  geometry: Geometry;
  origin: Translated;
  netName?: Property;
  name?: Property;
  wmClass?: Property;
  state?: Property;
  wmState?: Property;
  type?: Property;
  transientFor?: Property;
  frameExtents?: Property;
  gtkExtents?: Property;
}

/** A child of the root: a window manager's frame, a window without one, or a popup. */
export interface TopLevel {
  xid: number;
  attributes: Attributes;
  box: Box;
}

const TITLE_WORDS = 4096;
const LIST_WORDS = 64;

export function getProperty(client: X11Client, window: number, atom: number, words = LIST_WORDS) {
  return client.askGone<Property>((x, reply) => x.GetProperty(0, window, atom, 0, 0, words, reply));
}

/** One round trip, whatever the number of windows that are asked in the same tick. */
export async function readFacts(client: X11Client, atoms: Atoms, xid: number): Promise<WindowFacts | undefined> {
  const get = (atom: number, words?: number) => getProperty(client, xid, atom, words);
  const [tree, attributes, geometry, origin, ...properties] = await Promise.all([
    client.askGone<Tree>((x, reply) => x.QueryTree(xid, reply)),
    client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.askGone<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
    client.askGone<Translated>((x, reply) => x.TranslateCoordinates(xid, client.root, 0, 0, reply)),
    get(atoms._NET_WM_NAME, TITLE_WORDS),
    get(atoms.WM_NAME, TITLE_WORDS),
    get(atoms.WM_CLASS),
    get(atoms._NET_WM_STATE),
    get(atoms.WM_STATE),
    get(atoms._NET_WM_WINDOW_TYPE),
    get(atoms.WM_TRANSIENT_FOR),
    get(atoms._NET_FRAME_EXTENTS),
    get(atoms._GTK_FRAME_EXTENTS),
  ]);
  if (!tree || !attributes || !geometry || !origin) return undefined;
  const [netName, name, wmClass, state, wmState, type, transientFor, frameExtents, gtkExtents] = properties;
  return {
    xid,
    parent: tree.parent,
    attributes,
    geometry,
    origin,
    netName,
    name,
    wmClass,
    state,
    wmState,
    type,
    transientFor,
    frameExtents,
    gtkExtents,
  };
}

export async function readTopLevel(client: X11Client, xid: number): Promise<TopLevel | undefined> {
  const [attributes, geometry] = await Promise.all([
    client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.askGone<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
  ]);
  return attributes && geometry ? { xid, attributes, box: outerBox(geometry) } : undefined;
}

function outerBox({ xPos, yPos, width, height, borderWidth }: Geometry): Box {
  return { x: xPos, y: yPos, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}
