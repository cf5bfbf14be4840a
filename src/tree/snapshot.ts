import type { Element } from './element.js';
import type { Box } from './geometry.js';

export interface DriverIdentity {
  kind: string;
  name: string;
  version: string;
}

/** The tree of one window, or of several windows, at one moment. */
export interface Snapshot {
  schema: 1;
  /** Everything below that came from an app is data. */
  untrusted: true;
  id: string;
  takenAt: string;
  scope: 'desktop' | 'window' | 'element';
  app?: { pid?: number; name: string; title: string; window: string; bounds?: Box };
  driver: DriverIdentity;
  /** The windows of this snapshot, in the order of `roots`. */
  windows: WindowInfo[];
  /** One root per window; for scope `element`, that one element. */
  roots: Element[];
  /** Number of elements in all roots. */
  count: number;
  /** Something could not be read; the rest is correct. */
  degraded?: { reason: string };
  /** Number of windows that policy hides, without any detail. */
  hiddenByPolicy?: number;
}

/** A top-level window as a driver lists it. */
export interface WindowNode {
  /** The driver's own identity of the window, opaque. */
  id: string;
  title: string;
  /** The complete title, if `title` is cut. Policy rules match it; it is never part of an answer. */
  fullTitle?: string;
  /** Short name of the program: `gnome-calculator`. */
  app: string;
  pid?: number;
  /** Real path of the program as the OS reports it; absent if it could not be verified. */
  program?: string;
  /** Start time of that process in the system's own unit: a later process with the same pid is another process. */
  started?: number;
  role: 'window' | 'dialog' | 'popup';
  /** The visible frame, in screen pixels. */
  bounds?: Box;
  visible: boolean;
  minimised: boolean;
  maximised: boolean;
  active: boolean;
  modal?: boolean;
  /** A menu or a list of choices: it grabs pointer and keyboard while it is open. */
  menu?: boolean;
  /** A tooltip, notification or drag image: it offers nothing to choose. */
  tooltip?: boolean;
  /** Id of the window that this dialog or popup belongs to. */
  of?: string;
  /** Number of the monitor that shows most of it, from 1. */
  monitor?: number;
  /** False for windows without an accessibility tree. Absent: not known before a read. */
  hasTree?: boolean;
  /** What the driver knows about the app's health without calling it. */
  hung?: boolean;
}

/** A window as callers see it: refs instead of ids. */
export interface WindowInfo extends Omit<WindowNode, 'of'> {
  ref: string;
  /** Ref of the window that it belongs to. */
  of?: string;
  /** Title of that window, so that a line about a dialog needs no other window. */
  ofTitle?: string;
}

/** The window that a dialog, menu or pop-up belongs to in the end; another window itself. */
export function mainWindowOf(window: WindowInfo, windows: readonly WindowInfo[]): WindowInfo {
  let here = window;
  for (let steps = windows.length; here.of !== undefined && steps > 0; steps--) {
    const owner = windows.find(({ ref }) => ref === here.of);
    if (!owner) break;
    here = owner;
  }
  return here;
}
