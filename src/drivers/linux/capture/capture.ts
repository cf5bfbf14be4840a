import type { CursorImage } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { Screenshot, CaptureArea, ScreenshotOptions } from '../../contract/index.js';
import type { XDisplay } from '../x11/display.js';
import { captureUncoveredWindow, captureWindow } from './window-capture.js';
import type { WindowPixels } from './window-pixels.js';

interface CaptureSources {
  display: XDisplay;
  /**
   * The separate pixels of each window; undefined if the server does not support that, or with `passive`, if it does not
   * keep them yet.
   */
  own: (passive: boolean) => Promise<WindowPixels | undefined>;
}

/** Captures the screen, a part of it, or one window alone. */
export async function capture(
  sources: CaptureSources,
  area: CaptureArea | undefined,
  { deadline, cursor, passive }: ScreenshotOptions,
): Promise<Screenshot> {
  const { display } = sources;
  const screenshot = await deadline.race(
    takeScreenshot(sources, area, deadline, passive === true),
    'Taking the screenshot',
  );
  if (!cursor) return screenshot;
  const pointer = await deadline.race(readCursor(display), 'Reading the mouse pointer');
  if (pointer) drawCursor(screenshot, pointer);
  return screenshot;
}

async function takeScreenshot(
  { display, own }: CaptureSources,
  area: CaptureArea | undefined,
  deadline: ScreenshotOptions['deadline'],
  passive: boolean,
): Promise<Screenshot> {
  if (!area || 'x' in area) return display.screenshot(area, deadline);
  if ('monitor' in area) return display.screenshot(await monitorBox(display, area.monitor, deadline), deadline);
  const { window: id, part } = area;
  const windows = () => display.windows(deadline);
  const request = {
    client: display.client,
    shared: display.shared,
    windows,
    id,
    deadline,
    passive,
    ...(part && { part }),
  };
  const pixels = await own(passive);
  return pixels ? captureWindow({ ...request, own: pixels }) : captureUncoveredWindow(request);
}

async function monitorBox(display: XDisplay, number: number, deadline: ScreenshotOptions['deadline']): Promise<Box> {
  const monitors = await display.monitors(deadline);
  const found = monitors.find((monitor) => monitor.number === number);
  if (found) return found.bounds;
  const count = monitors.length === 1 ? 'There is 1 monitor' : `There are ${monitors.length} monitors`;
  throw new DesktopError('bad_arguments', `There is no monitor ${number}.`, { hint: `${count}, numbered from 1.` });
}

async function readCursor({ client }: XDisplay): Promise<CursorImage | undefined> {
  const fixes = await client.extension('fixes');
  return fixes && client.request<CursorImage>((_, reply) => fixes.GetCursorImage(reply));
}

/** Draws the part of the mouse pointer that is inside the image. */
export function drawCursor(screenshot: Screenshot, cursor: CursorImage): void {
  const left = cursor.x - cursor.xhot - screenshot.origin.x;
  const top = cursor.y - cursor.yhot - screenshot.origin.y;
  for (let row = Math.max(0, -top); row < Math.min(cursor.height, screenshot.height - top); row += 1) {
    for (let column = Math.max(0, -left); column < Math.min(cursor.width, screenshot.width - left); column += 1) {
      const from = (row * cursor.width + column) * 4;
      const to = ((top + row) * screenshot.width + left + column) * 4;
      const behind = 255 - cursor.cursorImage[from + 3]!;
      for (let channel = 0; channel < 3; channel += 1) {
        // The pointer is in BGRA order, the image in RGBA.
        const over = cursor.cursorImage[from + 2 - channel]! + (screenshot.rgba[to + channel]! * behind) / 255;
        screenshot.rgba[to + channel] = Math.min(255, Math.round(over));
      }
    }
  }
}
