import type { Box, WHOLE } from '../../../../tree/index.js';
import type { Atoms } from '../atoms.js';

export const WINDOW_TYPES = {
  desktop: '_NET_WM_WINDOW_TYPE_DESKTOP',
  dock: '_NET_WM_WINDOW_TYPE_DOCK',
  toolbar: '_NET_WM_WINDOW_TYPE_TOOLBAR',
  menu: '_NET_WM_WINDOW_TYPE_MENU',
  utility: '_NET_WM_WINDOW_TYPE_UTILITY',
  splash: '_NET_WM_WINDOW_TYPE_SPLASH',
  dialog: '_NET_WM_WINDOW_TYPE_DIALOG',
  dropdown: '_NET_WM_WINDOW_TYPE_DROPDOWN_MENU',
  popupmenu: '_NET_WM_WINDOW_TYPE_POPUP_MENU',
  tooltip: '_NET_WM_WINDOW_TYPE_TOOLTIP',
  notification: '_NET_WM_WINDOW_TYPE_NOTIFICATION',
  combo: '_NET_WM_WINDOW_TYPE_COMBO',
  dnd: '_NET_WM_WINDOW_TYPE_DND',
  normal: '_NET_WM_WINDOW_TYPE_NORMAL',
} as const satisfies Record<string, keyof Atoms>;

export type WindowType = keyof typeof WINDOW_TYPES;

/** A top-level window as the X server and the window manager tell it. Nothing of this asks the app. */
export interface XWindow {
  xid: number;
  /** `x:0x1a00007`. */
  id: string;
  /** Cleaned. */
  title: string;
  [WHOLE]?: string;
  /** WM_CLASS: the app's own claim. */
  wmClass?: { instance: string; name: string };
  /** The app's own claim of what the window is for; absent when it says nothing. */
  type?: WindowType;
  role: 'window' | 'dialog' | 'popup';
  /** From the server (XRes), never from _NET_WM_PID; absent for programs of other machines. */
  pid?: number;
  program?: string;
  programDeleted?: boolean;
  /** Short name: of the program; without a process to look at, what WM_CLASS claims. */
  app: string;
  /** Kernel start time of the process. */
  started?: number;
  /** The process is stopped (SIGSTOP, a debugger). */
  stopped: boolean;
  /** Frame as a person sees it: decoration in, invisible shadow out. */
  bounds: Box;
  /** The app's own window in screen coordinates: what window-relative extents count from. */
  client: Box;
  /** Shadow that the app draws inside `client`: left, right, top, bottom. */
  shadow?: readonly [number, number, number, number];
  /** Known from its app only (Wayland): where it is on the screen nobody tells, `bounds` has its size alone. */
  placeless?: boolean;
  visible: boolean;
  minimised: boolean;
  maximised: boolean;
  fullscreen: boolean;
  active: boolean;
  modal: boolean;
  above: boolean;
  skipTaskbar: boolean;
  /** Placed by the app itself, past the window manager: menus, tooltips, lists of combo boxes. */
  overrideRedirect: boolean;
  /** Xid of the window that it belongs to; always one of the same listing. */
  of?: number;
  monitor?: number;
}

const POPUP_TYPES: ReadonlySet<WindowType> = new Set<WindowType>([
  'menu',
  'dropdown',
  'popupmenu',
  'tooltip',
  'notification',
  'combo',
  'dnd',
]);

const MENU_TYPES: ReadonlySet<WindowType> = new Set<WindowType>(['menu', 'dropdown', 'popupmenu', 'combo']);

/** Every toolkit that was measured says so of what takes pointer and keyboard, and of nothing else. */
export function isMenu({ role, type }: Pick<XWindow, 'role' | 'type'>): boolean {
  return role === 'popup' && type !== undefined && MENU_TYPES.has(type);
}

/** The first type that we know; apps list them by preference. */
export function typeOf(types: readonly number[], atoms: Atoms): WindowType | undefined {
  for (const atom of types) {
    for (const [type, name] of Object.entries(WINDOW_TYPES)) if (atoms[name] === atom) return type as WindowType;
  }
  return undefined;
}

export function roleOf(facts: { type?: WindowType; transient: boolean; overrideRedirect: boolean }): XWindow['role'] {
  if (facts.overrideRedirect || (facts.type && POPUP_TYPES.has(facts.type))) return 'popup';
  if (facts.type === 'dialog') return 'dialog';
  // A window that belongs to another and says nothing about itself is a dialog (EWMH).
  return facts.transient && facts.type === undefined ? 'dialog' : 'window';
}

/** A window's id as the rest of the house knows it: `x:0x1a00007`. */
export function windowIdOf(xid: number): string {
  return `x:0x${xid.toString(16)}`;
}

export function xidOf(windowId: string): number | undefined {
  const digits = /^x:0x([0-9a-f]{1,8})$/.exec(windowId)?.[1];
  return digits === undefined ? undefined : parseInt(digits, 16);
}
