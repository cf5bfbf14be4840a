import type { Element } from './element.js';
import type { Box } from './geometry.js';
import type { WindowInfo } from './window.js';

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
