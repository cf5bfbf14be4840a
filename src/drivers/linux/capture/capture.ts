import type { CursorImage } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { Screenshot, CaptureArea, ScreenshotOptions } from '../../contract/index.js';
import type { XDisplay } from '../x11/display.js';
import { uncoveredPicture, windowPicture } from './window-capture.js';
import type { OwnPixels } from './window-pixels.js';

export interface CaptureSources {
  display: XDisplay;
  /** Who keeps windows apart; undefined where the server cannot. */
  own: () => Promise<OwnPixels | undefined>;
}

/** Pixels of the screen, of a part of it, or of one window alone. */
export async function capture(
  sources: CaptureSources,
  area: CaptureArea | undefined,
  { deadline, cursor }: ScreenshotOptions,
): Promise<Screenshot> {
  const { display } = sources;
  const picture = await deadline.race(take(sources, area, deadline), 'Taking the picture');
  if (!cursor) return picture;
  const pointer = await deadline.race(pointerOf(display), 'Looking at the mouse pointer');
  if (pointer) drawCursor(picture, pointer);
  return picture;
}

async function take(
  { display, own }: CaptureSources,
  area: CaptureArea | undefined,
  deadline: ScreenshotOptions['deadline'],
): Promise<Screenshot> {
  if (!area || 'x' in area) return display.picture(area, deadline);
  if ('monitor' in area) return display.picture(await monitorBox(display, area.monitor, deadline), deadline);
  const { window: id, part } = area;
  const windows = () => display.windows(deadline);
  const request = { client: display.client, shared: display.shared, windows, id, deadline, ...(part && { part }) };
  const kept = await own();
  return kept ? windowPicture({ ...request, own: kept }) : uncoveredPicture(request);
}

async function monitorBox(display: XDisplay, number: number, deadline: ScreenshotOptions['deadline']): Promise<Box> {
  const monitors = await display.monitors(deadline);
  const found = monitors.find((monitor) => monitor.number === number);
  if (found) return found.bounds;
  const count = monitors.length === 1 ? 'There is 1 monitor' : `There are ${monitors.length} monitors`;
  throw new DesktopError('bad_arguments', `There is no monitor ${number}.`, { hint: `${count}, counted from 1.` });
}

async function pointerOf({ client }: XDisplay): Promise<CursorImage | undefined> {
  const fixes = await client.extension('fixes');
  return fixes && client.request<CursorImage>((_, reply) => fixes.GetCursorImage(reply));
}

/** Puts the mouse pointer where it is, as far as it is in the picture. */
export function drawCursor(picture: Screenshot, cursor: CursorImage): void {
  const left = cursor.x - cursor.xhot - picture.origin.x;
  const top = cursor.y - cursor.yhot - picture.origin.y;
  for (let row = Math.max(0, -top); row < Math.min(cursor.height, picture.height - top); row += 1) {
    for (let column = Math.max(0, -left); column < Math.min(cursor.width, picture.width - left); column += 1) {
      const from = (row * cursor.width + column) * 4;
      const to = ((top + row) * picture.width + left + column) * 4;
      const behind = 255 - cursor.cursorImage[from + 3]!;
      for (let channel = 0; channel < 3; channel += 1) {
        // The pointer is blue first, the picture red first.
        const over = cursor.cursorImage[from + 2 - channel]! + (picture.rgba[to + channel]! * behind) / 255;
        picture.rgba[to + channel] = Math.min(255, Math.round(over));
      }
    }
  }
}
