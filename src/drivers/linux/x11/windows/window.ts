import type { Box } from '../../../../tree/index.js';
import type { Atoms } from '../atoms.js';

const WINDOW_TYPES = {
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

type WindowType = keyof typeof WINDOW_TYPES;

/** A top-level window as the X server and the window manager report it. Nothing here comes from requests to the app. */
export interface XWindow {
  xid: number;
  /** `x:0x1a00007`. */
  id: string;
  /** Cleaned text. */
  title: string;
  fullTitle?: string;
  /** WM_CLASS, which the app sets itself. */
  wmClass?: { instance: string; name: string };
  /** The window's purpose as the app declares it; absent if the app declares none. */
  type?: WindowType;
  role: 'window' | 'dialog' | 'popup';
  /** From the server (XRes), never from _NET_WM_PID; absent for programs on other machines. */
  pid?: number;
  program?: string;
  programDeleted?: boolean;
  /** The short name of the program. If the process is unknown, the name from WM_CLASS. */
  app: string;
  /** Kernel start time of the process. */
  started?: number;
  /** The process is stopped (SIGSTOP, a debugger). */
  stopped: boolean;
  /** The frame as the user sees it: with decoration, without the invisible shadow. */
  bounds: Box;
  /** The app's own window in screen coordinates, the origin of window-relative extents. */
  client: Box;
  /** The shadow that the app draws inside `client`: left, right, top, bottom. */
  shadow?: readonly [number, number, number, number];
  /** Known only from its app (Wayland): its position on the screen is unknown, and `bounds` contains only its size. */
  placeless?: boolean;
  visible: boolean;
  minimised: boolean;
  maximised: boolean;
  fullscreen: boolean;
  active: boolean;
  modal: boolean;
  above: boolean;
  skipTaskbar: boolean;
  /** Placed by the app itself, bypassing the window manager: menus, tooltips, lists of combo boxes. */
  overrideRedirect: boolean;
  /** The xid of the window that it belongs to; always in the same list. */
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
const TOOLTIP_TYPES: ReadonlySet<WindowType> = new Set<WindowType>(['tooltip', 'notification', 'dnd']);

/** It takes no keys and offers nothing to choose. The list of a Qt completer is a popup without such a type. */
export function isTooltip({ role, type }: Pick<XWindow, 'role' | 'type'>): boolean {
  return role === 'popup' && type !== undefined && TOOLTIP_TYPES.has(type);
}

/** Every toolkit that was measured sets these types on windows that grab pointer and keyboard, and on no others. */
export function isMenu({ role, type }: Pick<XWindow, 'role' | 'type'>): boolean {
  return role === 'popup' && type !== undefined && MENU_TYPES.has(type);
}

/** The first known type; apps list them by preference. */
export function typeOf(types: readonly number[], atoms: Atoms): WindowType | undefined {
  for (const atom of types) {
    for (const [type, name] of Object.entries(WINDOW_TYPES)) if (atoms[name] === atom) return type as WindowType;
  }
  return undefined;
}

export function roleOf(facts: { type?: WindowType; transient: boolean; overrideRedirect: boolean }): XWindow['role'] {
  if (facts.overrideRedirect || (facts.type && POPUP_TYPES.has(facts.type))) return 'popup';
  if (facts.type === 'dialog') return 'dialog';
  // A transient window without a type is a dialog (EWMH).
  return facts.transient && facts.type === undefined ? 'dialog' : 'window';
}

/** The window id that the rest of the code uses: `x:0x1a00007`. */
export function windowIdOf(xid: number): string {
  return `x:0x${xid.toString(16)}`;
}

/** @internal */
export function xidOf(windowId: string): number | undefined {
  const digits = /^x:0x([0-9a-f]{1,8})$/.exec(windowId)?.[1];
  return digits === undefined ? undefined : parseInt(digits, 16);
}
