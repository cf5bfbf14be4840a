import { DesktopError } from '../../shared/index.js';
import { type Box, intersect, type Point } from '../../tree/index.js';
import type { Screenshot, CaptureArea } from '../contract/index.js';
import type { PlacedWidget } from './layout.js';
import type { World } from './world.js';

/** A screenshot of the fake desktop, or of one window as if nothing covered it. */
export function capture(world: World, area: CaptureArea | undefined, pointer: Point | undefined): Screenshot {
  if (area && 'window' in area) return captureWindow(world, area.window, area.part, pointer);
  const shown = world.windows.filter(({ spec }) => !spec.minimised && !spec.hidden).reverse();
  const drawn = shown.map((window) => world.placed(window));
  if (!area || 'x' in area) return paint(drawn, world.screen, area, pointer);
  if (area.monitor === 1) return paint(drawn, world.screen, undefined, pointer);
  throw new DesktopError('bad_arguments', `There is no monitor ${area.monitor}.`, { hint: 'There is 1 monitor.' });
}

function captureWindow(world: World, id: string, part: Box | undefined, pointer: Point | undefined): Screenshot {
  const window = world.window(id);
  const { minimised, hidden } = window.spec;
  const why = minimised
    ? 'minimised'
    : hidden
      ? 'hidden'
      : intersect(window.bounds, world.screen)
        ? undefined
        : 'outside';
  if (why !== undefined) {
    throw new DesktopError('not_ready', `The window is ${why}, so there is no picture of it.`, { details: { why } });
  }
  const wanted = intersect(part ?? window.bounds, window.bounds);
  if (wanted) return paint([world.placed(window)], window.bounds, wanted, pointer);
  throw new DesktopError('not_ready', 'That part is no longer in the window.', { hint: 'Take a new snapshot.' });
}

type Colour = [red: number, green: number, blue: number];

const BACKDROP: Colour = [40, 44, 52];
const EDGE: Colour = [120, 120, 120];
const POINTER: Colour = [255, 255, 255];

/**
 * A simple drawing: every element is a filled box whose colour depends on its name and value, so that changes are
 * visible.
 */
function paint(windows: PlacedWidget[], screen: Box, area: Box = screen, pointer?: Point): Screenshot {
  const seen = intersect(area, screen);
  if (!seen) {
    throw new DesktopError('bad_arguments', 'That area is not on the screen.', {
      hint: `The screen is ${screen.width}x${screen.height}.`,
    });
  }
  const picture: Screenshot = {
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

function draw(picture: Screenshot, placed: PlacedWidget): void {
  const { visibleBox, widget } = placed;
  if (visibleBox) {
    fill(picture, visibleBox, EDGE);
    const inner = {
      x: visibleBox.x + 1,
      y: visibleBox.y + 1,
      width: visibleBox.width - 2,
      height: visibleBox.height - 2,
    };
    fill(picture, inner, colourOf(`${widget.role} ${widget.name ?? ''} ${String(widget.value ?? '').length}`));
  }
  for (const child of placed.children) draw(picture, child);
}

function fill(picture: Screenshot, box: Box, [red, green, blue]: Colour): void {
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
