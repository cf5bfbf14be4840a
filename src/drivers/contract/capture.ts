import type { Box, Point, Size } from '../../tree/index.js';
import type { CallOptions } from './call.js';

export interface Screenshot extends Size {
  /** 4 bytes per pixel: red, green, blue, 255. */
  rgba: Buffer;
  /** Position of the first pixel on the virtual desktop. It can be negative for a window that is partly off-screen. */
  origin: Point;
}

/** The area of a screenshot; the whole virtual desktop if absent. Boxes are in desktop coordinates. */
export type CaptureArea =
  /** The part of the box that is on the desktop, as the user sees it. */
  | Box
  /** Counted from 1. */
  | { monitor: number }
  /**
   * The pixels that this window itself has drawn, `part` of it or all within its frame, even where other windows cover
   * it. Never a pixel of another window: if the driver cannot guarantee that, it throws `not_ready` with the ids of the
   * covering windows in `details.coveredBy`. A window that is minimised, hidden or completely off-screen is `not_ready`
   * too.
   */
  | { window: string; part?: Box };

interface ScreenshotRequest {
  /** Includes the mouse pointer. */
  cursor?: boolean;
  /**
   * Only for a window, and only to compare it with another passive screenshot: nothing is made to draw for it. Parts that
   * the window has not drawn yet may hold remains of other windows, so it is never shown to anyone. `not_ready` if it is
   * not possible.
   */
  passive?: boolean;
}

export type ScreenshotOptions = ScreenshotRequest & CallOptions;
