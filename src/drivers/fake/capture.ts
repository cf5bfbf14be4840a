import { DesktopError } from '../../shared/index.js';
import { intersect, type Box, type Point } from '../../tree/index.js';
import type { Picture, PictureArea } from '../contract/index.js';
import { paint } from './paint.js';
import type { World } from './world.js';

/** A picture of the fake desktop, or of one of its windows as if nothing covered it. */
export function capture(world: World, area: PictureArea | undefined, pointer: Point | undefined): Picture {
  if (area && 'window' in area) return ofWindow(world, area.window, area.part, pointer);
  const shown = world.windows.filter(({ spec }) => !spec.minimised && !spec.hidden).reverse();
  const drawn = shown.map((window) => world.placed(window));
  if (!area || 'x' in area) return paint(drawn, world.screen, area, pointer);
  if (area.monitor === 1) return paint(drawn, world.screen, undefined, pointer);
  throw new DesktopError('bad_arguments', `There is no monitor ${area.monitor}.`, { hint: 'There is 1 monitor.' });
}

function ofWindow(world: World, id: string, part: Box | undefined, pointer: Point | undefined): Picture {
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
    throw new DesktopError('not_ready', `The window is ${why}: there is no picture of it.`, { details: { why } });
  }
  const wanted = intersect(part ?? window.bounds, window.bounds);
  if (wanted) return paint([world.placed(window)], window.bounds, wanted, pointer);
  throw new DesktopError('not_ready', 'That part is not in the window any more.', { hint: 'Look again.' });
}
