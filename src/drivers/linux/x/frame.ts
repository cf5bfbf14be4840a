import { intersect, type Box } from '../../../tree/index.js';

/** Left, right, top, bottom, as window managers and GTK write them. */
export type Extents = readonly [left: number, right: number, top: number, bottom: number];

export function extentsOf(numbers: readonly number[]): Extents | undefined {
  const [left, right, top, bottom] = numbers;
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return undefined;
  return [left, right, top, bottom];
}

export interface FrameParts {
  /** The app's own window, without any border. */
  client: Box;
  /** Width of the border that the server draws around a window without a frame. */
  border?: number;
  /** The window manager's window around it, when there is one. */
  frame?: Box;
  /** _NET_FRAME_EXTENTS: what the window manager draws around it. */
  decoration?: Extents;
  /** _GTK_FRAME_EXTENTS: shadow that the app draws inside its own window. */
  shadow?: Extents;
}

/**
 * The window as a person sees it: title bar and border included, invisible shadow left out. Both properties can be
 * written by the app itself, so neither can make the window larger than its frame nor turn it inside out.
 */
export function frameBox({ client, border = 0, frame, decoration, shadow }: FrameParts): Box {
  let box = frame ? client : around(client, [border, border, border, border]);
  if (frame && decoration) {
    box = intersect(around(client, decoration), frame) ?? box;
  }
  if (shadow) {
    const [left, right, top, bottom] = shadow;
    const width = box.width - left - right;
    const height = box.height - top - bottom;
    if (width > 0 && height > 0) box = { x: box.x + left, y: box.y + top, width, height };
  }
  return box;
}

function around(box: Box, [left, right, top, bottom]: Extents): Box {
  return { x: box.x - left, y: box.y - top, width: box.width + left + right, height: box.height + top + bottom };
}
