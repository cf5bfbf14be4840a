import { DesktopError } from '../../shared/index.js';
import { intersect, type Box, type Point } from '../../tree/index.js';
import type { Picture } from '../contract/index.js';
import type { Placed } from './layout.js';

type Colour = [red: number, green: number, blue: number];

const BACKDROP: Colour = [40, 44, 52];
const EDGE: Colour = [120, 120, 120];
const POINTER: Colour = [255, 255, 255];

/** A plain drawing: every element a filled box, its colour made from its name and value, so that changes show. */
export function paint(windows: Placed[], screen: Box, area: Box = screen, pointer?: Point): Picture {
  const seen = intersect(area, screen);
  if (!seen) {
    throw new DesktopError('bad_arguments', 'That area is not on the screen.', {
      hint: `The screen is ${screen.width}x${screen.height}.`,
    });
  }
  const picture: Picture = {
    width: seen.width,
    height: seen.height,
    origin: { x: seen.x, y: seen.y },
    rgba: Buffer.alloc(seen.width * seen.height * 4),
  };
  fill(picture, seen, BACKDROP);
  for (const window of windows) draw(picture, window);
  if (pointer) fill(picture, { ...pointer, width: 4, height: 4 }, POINTER);
  return picture;
}

function draw(picture: Picture, placed: Placed): void {
  const { seen, widget } = placed;
  if (seen) {
    fill(picture, seen, EDGE);
    const inner = { x: seen.x + 1, y: seen.y + 1, width: seen.width - 2, height: seen.height - 2 };
    fill(picture, inner, colourOf(`${widget.role} ${widget.name ?? ''} ${String(widget.value ?? '').length}`));
  }
  for (const child of placed.children) draw(picture, child);
}

function fill(picture: Picture, box: Box, [red, green, blue]: Colour): void {
  const part = intersect(box, { ...picture.origin, width: picture.width, height: picture.height });
  if (!part) return;
  const pixel = Buffer.from([red, green, blue, 255]);
  const left = part.x - picture.origin.x;
  for (let y = part.y - picture.origin.y; y < part.y - picture.origin.y + part.height; y++) {
    const start = (y * picture.width + left) * 4;
    picture.rgba.fill(pixel, start, start + part.width * 4);
  }
}

function colourOf(text: string): Colour {
  let hash = 2166136261;
  for (const char of text.slice(0, 200)) hash = Math.imul(hash ^ char.codePointAt(0)!, 16777619) >>> 0;
  return [160 + (hash & 63), 160 + ((hash >> 8) & 63), 160 + ((hash >> 16) & 63)];
}
