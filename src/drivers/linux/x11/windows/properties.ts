import type { Attributes, Geometry, Property, Translated, Tree } from 'x11';
import { type Box, cleanName } from '../../../../tree/index.js';
import type { Atoms } from '../atoms.js';
import type { X11Client } from '../client.js';
import { readNumbers, readText } from '../property.js';

/** The result of one batch of requests about a window; undefined if the window no longer exists. */
export interface WindowFacts extends Partial<Record<keyof typeof WINDOW_PROPERTIES, Property>> {
  xid: number;
  parent: number;
  attributes: Attributes;
  geometry: Geometry;
  origin: Translated;
}

/** A child of the root: a window manager's frame, a window without a frame, or a popup. */
export interface TopLevel {
  xid: number;
  attributes: Attributes;
  box: Box;
}

const TITLE_WORDS = 4096;
const LIST_WORDS = 64;

export function getProperty(client: X11Client, window: number, atom: number, readTitleProperty = LIST_WORDS) {
  return client.requestIfExists<Property>((x, reply) => x.GetProperty(0, window, atom, 0, 0, readTitleProperty, reply));
}

/** Every window property that a list depends on. They are read here, and their changes invalidate the list. */
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
const PROPERTY_NAMES = Object.keys(WINDOW_PROPERTIES) as PropertyName[];
const TITLE_PROPERTIES: ReadonlySet<PropertyName> = new Set(['netName', 'name']);

/** One round trip, no matter how many windows are read in the same tick. */
export async function readFacts(client: X11Client, atoms: Atoms, xid: number): Promise<WindowFacts | undefined> {
  const get = (name: PropertyName) =>
    getProperty(client, xid, atoms[WINDOW_PROPERTIES[name]], TITLE_PROPERTIES.has(name) ? TITLE_WORDS : LIST_WORDS);
  const [tree, attributes, geometry, origin, properties] = await Promise.all([
    client.requestIfExists<Tree>((x, reply) => x.QueryTree(xid, reply)),
    client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
    client.requestIfExists<Translated>((x, reply) => x.TranslateCoordinates(xid, client.root, 0, 0, reply)),
    Promise.all(PROPERTY_NAMES.map(get)),
  ]);
  if (!tree || !attributes || !geometry || !origin) return undefined;
  const values = Object.fromEntries(PROPERTY_NAMES.map((name, index) => [name, properties[index]]));
  return { xid, parent: tree.parent, attributes, geometry, origin, ...values };
}

export async function readTopLevel(client: X11Client, xid: number): Promise<TopLevel | undefined> {
  const [attributes, geometry] = await Promise.all([
    client.requestIfExists<Attributes>((x, reply) => x.GetWindowAttributes(xid, reply)),
    client.requestIfExists<Geometry>((x, reply) => x.GetGeometry(xid, reply)),
  ]);
  return attributes && geometry ? { xid, attributes, box: outerBox(geometry) } : undefined;
}

function outerBox({ xPos, yPos, width, height, borderWidth }: Geometry): Box {
  return { x: xPos, y: yPos, width: width + 2 * borderWidth, height: height + 2 * borderWidth };
}

const LOCAL_PID = 2;

/**
 * The process of each client, by the base of its resource ids. The server reads it from the socket, so an app cannot
 * claim another one's process.
 */
export async function readPids(client: X11Client, xids: readonly number[]): Promise<Map<number, number>> {
  const res = client.local ? await client.extension('res') : undefined;
  if (!res) return new Map();
  const bases = [...new Set(xids.filter(Boolean).map((xid) => ownerBase(client, xid)))];
  if (bases.length === 0) return new Map();
  const ids = await client.request<{ client: number; mask: number; value: number[] }[]>((_, reply) =>
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

/** The name of the running window manager; undefined if there is none that supports EWMH. */
export async function windowManagerName(client: X11Client, atoms: Atoms): Promise<string | undefined> {
  const window = readNumbers(await getProperty(client, client.root, atoms._NET_SUPPORTING_WM_CHECK))[0];
  if (!window) return undefined;
  const [self, name] = await Promise.all([
    getProperty(client, window, atoms._NET_SUPPORTING_WM_CHECK),
    getProperty(client, window, atoms._NET_WM_NAME),
  ]);
  if (readNumbers(self)[0] !== window) return undefined;
  return cleanName(readText(name, atoms) || 'without a name').text;
}
