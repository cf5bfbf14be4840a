import { DesktopError } from '../../../shared/index.js';
import { intersect, type Box } from '../../../tree/index.js';
import type { Picture } from '../../contract/index.js';
import { rowBytes, toRgba, type PixelFormat } from './pixels.js';
import type { SharedPicture } from './shared-picture.js';
import type { X11Client } from './x11-client.js';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
/** About 1 MB a strip at 1920 wide: big enough to be quick, small enough not to hold up other answers. */
const STRIP_BYTES = 1 << 20;

/** Shared memory where the server is on this machine and allows it, else strips over the connection. */
export async function takePicture(client: X11Client, shared: SharedPicture, area: Box | undefined): Promise<Picture> {
  const { pixel_width: width, pixel_height: height } = client.screen;
  const whole = { x: 0, y: 0, width, height };
  const box = area ? intersect(area, whole) : whole;
  if (!box) {
    throw new DesktopError('bad_arguments', 'The area lies outside of the desktop.', {
      hint: `The desktop is ${width}x${height} pixels.`,
    });
  }
  const format = pixelFormat(client);
  const convert = (pixels: Buffer): Buffer => toRgba(pixels, box, format);
  const rgba =
    (await shared.read(box, rowBytes(box.width, format) * box.height, convert)) ??
    convert(await readStrips(client, box, format));
  return { rgba, width: box.width, height: box.height, origin: { x: box.x, y: box.y } };
}

function pixelFormat(client: X11Client): PixelFormat {
  const { root_depth: depth, root_visual: visual, depths } = client.screen;
  const layout = client.setup.format[depth];
  const masks = depths[depth]?.[visual];
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

async function readStrips(client: X11Client, box: Box, format: PixelFormat): Promise<Buffer> {
  const rows = Math.max(1, Math.floor(STRIP_BYTES / rowBytes(box.width, format)));
  const strips: Promise<{ data: Buffer }>[] = [];
  for (let top = 0; top < box.height; top += rows) {
    const height = Math.min(rows, box.height - top);
    strips.push(
      client.ask((x, reply) =>
        x.GetImage(Z_PIXMAP, client.root, box.x, box.y + top, box.width, height, ALL_PLANES, reply),
      ),
    );
  }
  const size = rowBytes(box.width, format) * box.height;
  return Buffer.concat((await Promise.all(strips)).map((strip) => strip.data)).subarray(0, size);
}
