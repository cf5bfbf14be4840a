import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { X11Client } from '../x/x11-client.js';
import type { XWindow } from '../x/x-window.js';
import { askRedraw } from './ask-redraw.js';
import type { OwnPixels } from './own-pixels.js';

/** A program that draws all of itself does so within this; the others need their background from the server. */
const TOLD_MS = 200;
/** How long a program gets to draw what it was asked for. */
const REDRAW_MS = 1500;
/** Nothing drawn for so long: it has finished. */
const QUIET_MS = 40;

/**
 * Whether all of `part` is the window's own: at once, or after it was drawn again. The window manager is asked to draw
 * its frame, then, if that is not enough, the program its content. A stopped program is not asked: all that would
 * come is the bare background, and that would be a guess.
 */
export async function becomeSure(
  client: X11Client,
  own: OwnPixels,
  top: number,
  part: Box,
  { window, deadline }: { window: XWindow; deadline: Deadline },
): Promise<boolean> {
  const unsure = (): Box[] => own.unsureIn(top, part);
  if (unsure().length === 0) return true;
  const programOf = (xid: number): number => (xid & ~client.setup.resource_mask) >>> 0;
  const isApps = (xid: number): boolean => programOf(xid) === programOf(window.xid);
  const until = async (patience: Deadline): Promise<boolean> => {
    while (unsure().length > 0 && !patience.over) await own.next(patience.remaining());
    return unsure().length === 0;
  };
  await askRedraw(client, top, unsure(), 'clear', (xid) => !isApps(xid));
  if (!window.stopped) await askRedraw(client, top, unsure(), 'tell', isApps);
  if (!(await until(deadline.atMost(TOLD_MS)))) {
    if (window.stopped) return false;
    await askRedraw(client, top, unsure(), 'clear', isApps);
    if (!(await until(deadline.atMost(REDRAW_MS)))) return false;
  }
  await quiet(own, top, deadline.atMost(REDRAW_MS));
  return true;
}

/** A background that the server filled in counts as drawn; what belongs on it comes a moment later. */
async function quiet(own: OwnPixels, top: number, patience: Deadline): Promise<void> {
  let before: number;
  do {
    before = own.drawingsOf(top);
    await pause(QUIET_MS);
  } while (own.drawingsOf(top) !== before && !patience.over);
}
