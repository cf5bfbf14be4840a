import type { Screen } from 'x11';
import { DesktopError } from '../../../shared/index.js';
import { intersect, type Box } from '../../../tree/index.js';
import type { XWindow } from '../x/x-window.js';

/** The window, if it is one of which a picture can be. */
export function checkShown(windows: readonly XWindow[], id: string, screen: Screen): XWindow {
  const window = windows.find((one) => one.id === id);
  if (!window) {
    throw new DesktopError('element_not_found', 'That window is closed.', { hint: 'List the windows again.' });
  }
  const desktop = { x: 0, y: 0, width: screen.pixel_width, height: screen.pixel_height };
  const why = window.minimised
    ? 'is minimised'
    : !window.visible
      ? 'is hidden'
      : !intersect(window.bounds, desktop)
        ? 'lies outside of the screen'
        : undefined;
  if (why === undefined) return window;
  throw new DesktopError('not_ready', `The window ${why}: there is no picture of it.`, {
    hint: window.minimised ? 'Restore it first.' : 'Bring it onto the screen first.',
    details: { why: window.minimised ? 'minimised' : window.visible ? 'outside' : 'hidden' },
  });
}

/** Those before it that overlap that part of the screen; `windows` is front to back. */
export function coversOf(window: XWindow, windows: readonly XWindow[], part: Box): XWindow[] {
  const at = windows.findIndex((one) => one.id === window.id);
  return windows
    .slice(0, at)
    .filter((other) => other.visible && !other.minimised && intersect(other.bounds, part) !== undefined);
}

/** The refusal where something in the picture could be of another window. */
export function notDrawn(window: XWindow, windows: readonly XWindow[], part: Box): DesktopError {
  const coveredBy = coversOf(window, windows, part).map(({ id }) => id);
  const covered = coveredBy.length > 0 ? 'is covered, and ' : '';
  const why = window.stopped ? 'its app is stopped' : 'its app does not draw it';
  return new DesktopError('not_ready', `The window ${covered}has not drawn all of itself yet: ${why}.`, {
    hint: 'Wait until its app answers, or bring the window to the front.',
    details: { why: 'undrawn', coveredBy },
  });
}
