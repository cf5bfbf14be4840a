import { DesktopError } from '../../../shared/index.js';
import type { X11Client } from '../x/x11-client.js';
import type { PixelFormat } from './pixels.js';

/** How the server lays out what has this depth and visual; of the screen itself when nothing is said. */
export function pixelFormat(
  client: X11Client,
  { depth, visual }: { depth: number; visual: number } = {
    depth: client.screen.root_depth,
    visual: client.screen.root_visual,
  },
): PixelFormat {
  const layout = client.setup.format[depth];
  const masks = client.screen.depths[depth]?.[visual];
  if (!layout || !masks || !masks.red_mask || (layout.bits_per_pixel !== 32 && layout.bits_per_pixel !== 16)) {
    throw new DesktopError('not_supported', `Display ${client.name.text} has ${depth}-bit colours.`, {
      hint: 'Pictures need a display with 16, 24 or 32 bits: Xvfb -screen 0 1280x800x24',
      retry: 'no',
    });
  }
  return {
    bytes: layout.bits_per_pixel === 32 ? 4 : 2,
    rowPad: layout.scanline_pad / 8,
    bigEndian: client.setup.image_byte_order === 1,
    red: masks.red_mask,
    green: masks.green_mask,
    blue: masks.blue_mask,
  };
}
