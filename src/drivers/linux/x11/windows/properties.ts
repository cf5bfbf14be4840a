import type { Attributes, Geometry, Property, Translated, Tree } from 'x11';
import { type Box, cleanName } from '../../../../tree/index.js';
import type { Atoms } from '../atoms.js';
import type { X11Client } from '../client.js';
import { numbersOf, textOf } from '../property.js';

/** What one batch of requests tells about a window; undefined for a window that has gone. */
export interface WindowFacts extends Partial<Record<keyof typeof WINDOW_PROPERTIES, Property>> {
  xid: number;
  parent: number;
  attributes: Attributes;
  geometry: Geometry;
  origin: Translated;
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

/** Every property that a list depends on: what is read of a window here, and what its watcher must hear of. */
export const WINDOW_PROPERTIES = {
  netName: '_NET_WM_NAME',
  name: 'WM_NAME',
  wmClass: 'WM_CLASS',
  state: '_NET_WM_STATE',
  wmState: 'WM_STATE',
  type: '_NET_WM_WINDOW_TYPE',
  transientFor: 'WM_TRANSIENT_FOR',
  frameExtents: '_NET_FRAME_EXTENTS',
  gtkExtents: '_GTK_FRAME_EXTENTS',
} as const satisfies Record<string, keyof Atoms>;

type PropertyName = keyof typeof WINDOW_PROPERTIES;
const NAMES = Object.keys(WINDOW_PROPERTIES) as PropertyName[];
const TITLES: ReadonlySet<PropertyName> = new Set(['netName', 'name']);

/** One round trip, whatever the number of windows that are asked in the same tick. */
export async function readFacts(client: X11Client, atoms: Atoms, xid: number): Promise<WindowFacts | undefined> {
  const get = (name: PropertyName) =>
    getProperty(client, xid, atoms[WINDOW_PROPERTIES[name]], TITLES.has(name) ? TITLE_WORDS : LIST_WORDS);
  const [tree, attributes, geometry, origin, properties] = await Promise.all([
    client.askGone<Tree>((x, reply) => x.QueryTree(xid, reply)),
    client.askGone<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.askGone<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
    client.askGone<Translated>((x, reply) => x.TranslateCoordinates(xid, client.root, 0, 0, reply)),
    Promise.all(NAMES.map(get)),
  ]);
  if (!tree || !attributes || !geometry || !origin) return undefined;
  const told = Object.fromEntries(NAMES.map((name, index) => [name, properties[index]]));
  return { xid, parent: tree.parent, attributes, geometry, origin, ...told };
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

const LOCAL_PID = 2;

/** Process of each client, by the base of its ids. The server asks the socket, so no app can claim another's. */
export async function readPids(client: X11Client, xids: readonly number[]): Promise<Map<number, number>> {
  const res = client.local ? await client.extension('res') : undefined;
  if (!res) return new Map();
  const bases = [...new Set(xids.filter(Boolean).map((xid) => ownerBase(client, xid)))];
  if (bases.length === 0) return new Map();
  const ids = await client.ask<{ client: number; mask: number; value: number[] }[]>((_, reply) =>
    res.QueryClientIds(
      bases.map((base) => ({ client: base, mask: LOCAL_PID })),
      reply,
    ),
  );
  const pids = new Map<number, number>();
  for (const { client: base, mask, value } of ids) if (mask === LOCAL_PID && value[0]) pids.set(base, value[0]);
  return pids;
}

export function ownerBase(client: X11Client, xid: number): number {
  return (xid & ~client.setup.resource_mask) >>> 0;
}

/** Name of the window manager that runs now; undefined when there is none that follows EWMH. */
export async function windowManagerName(client: X11Client, atoms: Atoms): Promise<string | undefined> {
  const window = numbersOf(await getProperty(client, client.root, atoms._NET_SUPPORTING_WM_CHECK))[0];
  if (!window) return undefined;
  const [self, name] = await Promise.all([
    getProperty(client, window, atoms._NET_SUPPORTING_WM_CHECK),
    getProperty(client, window, atoms._NET_WM_NAME),
  ]);
  if (numbersOf(self)[0] !== window) return undefined;
  return cleanName(textOf(name, atoms) || 'without a name').text;
}
