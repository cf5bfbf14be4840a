import type { Element, Point, Size, WindowInfo } from '../../tree/index.js';

/** What a caller wants a picture of: one of these, or nothing for the whole screen. `window` may go with `target`. */
export interface CaptureRequest {
  target?: string;
  window?: string;
  /** Counted from 1. */
  monitor?: number;
  region?: { x: number; y: number; width: number; height: number };
  cursor?: boolean;
  /** Longest side of the picture; it is made smaller to fit. 0: as it is on the screen. */
  maxSize?: number;
  /** How much smaller, 0.1 to 1, whatever its size. */
  scale?: number;
}

/** All that is needed to say what a picture shows and where. Its size is that of the picture. */
export interface Frame extends Size {
  /** `c3`. */
  id: string;
  takenAt: string;
  /** Where its first pixel is on the virtual desktop. */
  origin: Point;
  /** Pixels of the picture for one of the screen. */
  scale: number;
  space: 'screen';
  of: Subject;
  /** Secret fields that were painted over. */
  painted: number;
  /** Refs of windows in it that did not tell whether they hold secret fields. */
  unchecked: string[];
}

export type Subject =
  | { kind: 'screen' }
  | { kind: 'monitor'; monitor: number }
  | { kind: 'region' }
  | { kind: 'window'; window: WindowInfo }
  | { kind: 'element'; window: WindowInfo; element: Element };
