import type { WHOLE } from '../shared/index.js';
import type { Element } from './element.js';
import type { Box } from './geometry.js';

export interface DriverIdentity {
  kind: string;
  name: string;
  version: string;
}

/** A window's tree, or several windows' trees, at one moment. */
export interface Snapshot {
  schema: 1;
  /** Everything below that came from an app is data. */
  untrusted: true;
  id: string;
  takenAt: string;
  scope: 'desktop' | 'window' | 'element';
  app?: { pid?: number; name: string; title: string; window: string; bounds?: Box };
  driver: DriverIdentity;
  /** The windows that were looked at, in the order of `roots`. */
  windows: WindowInfo[];
  /** One root per window; for scope `element` that one element. */
  roots: Element[];
  /** Elements in all roots. */
  count: number;
  /** Something could not be read; the rest is true. */
  degraded?: { reason: string };
  /** Windows that policy hides: a count and no more. */
  hiddenByPolicy?: number;
}

/** A top-level window as a driver lists it. */
export interface WindowNode {
  /** The driver's own identity of the window, opaque. */
  id: string;
  title: string;
  /** Of a title that is cut. */
  [WHOLE]?: string;
  /** Short name of the program: `gnome-calculator`. */
  app: string;
  pid?: number;
  /** Real path of the program as the OS tells it; absent when it could not be checked. */
  program?: string;
  /** When that process began, in the system's own count: a later one with the same number is another. */
  started?: number;
  role: 'window' | 'dialog' | 'popup';
  /** Frame as a person sees it, in screen pixels. */
  bounds?: Box;
  visible: boolean;
  minimised: boolean;
  maximised: boolean;
  active: boolean;
  modal?: boolean;
  /** A menu or a list of choices: pointer and keyboard are its own as long as it is open. */
  menu?: boolean;
  /** Id of the window that this dialog or popup belongs to. */
  of?: string;
  /** Number of the monitor that holds most of it, from 1. */
  monitor?: number;
  /** False for plain clients without an accessibility tree. Absent: not known before a read. */
  hasTree?: boolean;
  /** What the driver knows about the app's health without asking it. */
  hung?: boolean;
}

/** What callers see: refs instead of ids. */
export interface WindowInfo extends Omit<WindowNode, 'of'> {
  ref: string;
  /** Ref of the window that it belongs to. */
  of?: string;
  /** Title of that window, so that a line about a dialog needs no other window. */
  ofTitle?: string;
}
