import { DesktopError } from '../../../shared/index.js';
import { intersect, type Box } from '../../../tree/index.js';
import type { Picture } from '../../contract/index.js';
import type { X11Client } from '../x/x11-client.js';
import { pixelFormat } from './pixel-format.js';
import { readDrawable } from './read-drawable.js';
import type { SharedPicture } from './shared-picture.js';

/** The screen as a person sees it, or the part of `area` that lies on it. */
export async function takePicture(client: X11Client, shared: SharedPicture, area: Box | undefined): Promise<Picture> {
  const { pixel_width: width, pixel_height: height } = client.screen;
  const whole = { x: 0, y: 0, width, height };
  const box = area ? intersect(area, whole) : whole;
  if (!box) {
    throw new DesktopError('bad_arguments', 'The area lies outside of the desktop.', {
      hint: `The desktop is ${width}x${height} pixels.`,
    });
  }
  const rgba = await readDrawable(client, shared, client.root, box, pixelFormat(client));
  return {
    rgba,
    width: box.width,
    height: box.height,
    origin: { x: box.x, y: box.y },
    release: shared.releaseOf(rgba),
  };
}
