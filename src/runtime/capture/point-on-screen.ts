import { DesktopError } from '../../shared/index.js';
import { sameBox, type Point, type WindowInfo } from '../../tree/index.js';
import type { KeptCapture } from './captures.js';

/** A point of a picture as a point of the screen. A picture of a window is worth nothing once the window has moved. */
export function pointOnScreen(
  capture: KeptCapture | undefined,
  id: string,
  { x, y }: Point,
  windows: readonly WindowInfo[],
): Point {
  if (!capture) {
    throw new DesktopError('element_not_found', `There is no capture ${id} any more.`, {
      retry: 'no',
      hint: 'take a new one: ui_capture.',
    });
  }
  const { origin, scale, width, height, window } = capture;
  if (x < 0 || y < 0 || x >= width || y >= height) {
    throw new DesktopError('bad_arguments', `${x},${y} is not in ${id}: that is ${width}x${height}.`, { retry: 'no' });
  }
  if (window && !sameBox(windows.find(({ id: one }) => one === window.id)?.bounds, window.bounds)) {
    throw new DesktopError('target_changed', `${window.ref} is not where it was when ${id} was taken.`, {
      retry: 'no',
      hint: `take a new one: ui_capture ${window.ref}.`,
    });
  }
  // The middle of what the pixel shows.
  return { x: origin.x + Math.floor((x + 0.5) / scale), y: origin.y + Math.floor((y + 0.5) / scale) };
}
