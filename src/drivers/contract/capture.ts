import type { Box, Point, Size } from '../../tree/index.js';
import type { CallOptions } from './driver.js';

export interface Picture extends Size {
  /** 4 bytes a pixel: red, green, blue, 255. */
  rgba: Buffer;
  /** Where the picture's first pixel is on the virtual desktop. Left of it or above it for a window that sticks out. */
  origin: Point;
  /** Nobody looks at its pixels any more, so that the next picture can have their memory. */
  release?(): void;
}

/** What a picture is taken of; all of the virtual desktop when nothing is said. Boxes are places on it. */
export type PictureArea =
  /** As a person sees it. The part of it that lies on the desktop. */
  | Box
  /** Counted from 1. */
  | { monitor: number }
  /**
   * What this window itself has drawn, whatever covers it, `part` of it or all within its frame. Never a pixel of
   * another window: where the driver cannot be sure of that, it throws `not_ready` with the ids of the windows that
   * cover it in `details.coveredBy`. Minimised, hidden or wholly outside of the screen is `not_ready` too.
   */
  | { window: string; part?: Box };

export interface PictureOptions extends CallOptions {
  /** With the mouse pointer drawn in. */
  cursor?: boolean;
}
