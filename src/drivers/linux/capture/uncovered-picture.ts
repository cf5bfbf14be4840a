import { DesktopError } from '../../../shared/index.js';
import { intersect, sameBox, type Box } from '../../../tree/index.js';
import type { Picture } from '../../contract/index.js';
import { takePicture } from './picture.js';
import { checkShown, coversOf } from './shown.js';
import type { WindowPictureRequest } from './window-picture.js';

/**
 * For a server that cannot keep windows apart: cut out of the screen, when nothing covered the window before and
 * nothing does after.
 */
export async function uncoveredPicture(request: Omit<WindowPictureRequest, 'own'>): Promise<Picture> {
  const { client, shared, id, part, deadline } = request;
  for (;;) {
    deadline.throwIfOver('A picture of a window that keeps changing');
    const before = await bare(request);
    const picture = await takePicture(client, shared, part ? (intersect(part, before) ?? before) : before);
    if (sameBox(before, await bare(request))) return picture;
  }

  async function bare({ windows }: Pick<WindowPictureRequest, 'windows'>): Promise<Box> {
    const all = await windows();
    const window = checkShown(all, id, client.screen);
    const coveredBy = coversOf(window, all, part ?? window.bounds).map((cover) => cover.id);
    if (coveredBy.length === 0) return window.bounds;
    throw new DesktopError('not_ready', 'The window is covered, and this display shows only what is in front.', {
      hint: 'Bring the window to the front first.',
      details: { why: 'covered', coveredBy },
    });
  }
}
