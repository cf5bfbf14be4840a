import type { X11Client } from './client.js';
import { internAtomRequest } from './wire.js';

const ATOM_NAMES = [
  'UTF8_STRING',
  'COMPOUND_TEXT',
  'WM_STATE',
  '_NET_SUPPORTING_WM_CHECK',
  '_NET_CLIENT_LIST',
  '_NET_CLIENT_LIST_STACKING',
  '_NET_ACTIVE_WINDOW',
  '_NET_WM_NAME',
  '_NET_WM_STATE',
  '_NET_WM_STATE_HIDDEN',
  '_NET_WM_STATE_SHADED',
  '_NET_WM_STATE_MAXIMIZED_HORZ',
  '_NET_WM_STATE_MAXIMIZED_VERT',
  '_NET_WM_STATE_MODAL',
  '_NET_WM_STATE_FULLSCREEN',
  '_NET_WM_STATE_ABOVE',
  '_NET_WM_STATE_SKIP_TASKBAR',
  '_NET_WM_WINDOW_TYPE',
  '_NET_WM_WINDOW_TYPE_DESKTOP',
  '_NET_WM_WINDOW_TYPE_DOCK',
  '_NET_WM_WINDOW_TYPE_TOOLBAR',
  '_NET_WM_WINDOW_TYPE_MENU',
  '_NET_WM_WINDOW_TYPE_UTILITY',
  '_NET_WM_WINDOW_TYPE_SPLASH',
  '_NET_WM_WINDOW_TYPE_DIALOG',
  '_NET_WM_WINDOW_TYPE_DROPDOWN_MENU',
  '_NET_WM_WINDOW_TYPE_POPUP_MENU',
  '_NET_WM_WINDOW_TYPE_TOOLTIP',
  '_NET_WM_WINDOW_TYPE_NOTIFICATION',
  '_NET_WM_WINDOW_TYPE_COMBO',
  '_NET_WM_WINDOW_TYPE_DND',
  '_NET_WM_WINDOW_TYPE_NORMAL',
  '_NET_FRAME_EXTENTS',
  '_GTK_FRAME_EXTENTS',
] as const;

/** Predefined atoms, which are the same on every server. */
const PREDEFINED = {
  ATOM: 4,
  CARDINAL: 6,
  STRING: 31,
  WINDOW: 33,
  WM_NAME: 39,
  WM_CLASS: 67,
  WM_TRANSIENT_FOR: 68,
} as const;

export type Atoms = Record<(typeof ATOM_NAMES)[number] | keyof typeof PREDEFINED, number>;

/**
 * Does not use the package's InternAtom: it caches the atoms of all connections in one table, but every server assigns
 * its own numbers.
 */
export async function internAtoms(client: X11Client): Promise<Atoms> {
  return { ...PREDEFINED, ...(await internNames(client, ATOM_NAMES)) };
}

/** More atoms, for rare uses. */
export async function internNames<Name extends string>(
  client: X11Client,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const numbers = await Promise.all(names.map((name) => internAtom(client, name)));
  return Object.fromEntries(names.map((name, index) => [name, numbers[index]])) as Record<Name, number>;
}

/** The atom of a name; 0 if `onlyIfExists` is set and no client has interned that name yet. */
export function internAtom(client: X11Client, name: string, onlyIfExists = false): Promise<number> {
  return client.requestRaw(internAtomRequest(name, onlyIfExists), (body) => body.readUInt32LE(0));
}
