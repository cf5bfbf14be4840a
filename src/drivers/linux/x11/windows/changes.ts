import { sameBox } from '../../../../tree/index.js';
import type { DriverEvent } from '../../../contract/index.js';
import type { XWindow } from './window.js';

type WindowEvent = Extract<DriverEvent, { type: 'window' }>;
type Change = WindowEvent['change'];

/** The differences between two lists as events: first closed windows, then opened ones, then changed ones. */
export function windowChanges(
  before: ReadonlyMap<number, XWindow>,
  after: ReadonlyMap<number, XWindow>,
  at: number,
): WindowEvent[] {
  const events: WindowEvent[] = [];
  const add = (window: XWindow, change: Change): void => {
    events.push(windowEvent(window, change, at));
  };
  const oldOf = (window: XWindow): XWindow | undefined => findSame(before, window);
  for (const window of before.values()) if (!findSame(after, window)) add(window, 'closed');
  for (const window of after.values()) if (!oldOf(window)) add(window, 'opened');
  for (const window of after.values()) {
    const old = oldOf(window);
    if (!old) continue;
    if (old.title !== window.title || old.fullTitle !== window.fullTitle) add(window, 'title');
    if (!isSamePlace(old, window)) add(window, 'moved');
  }
  for (const window of after.values()) {
    if (window.active && !oldOf(window)?.active) add(window, 'active');
  }
  return events;
}

/**
 * The same window in another list. Window numbers are reused, also between two lists, so a number that belongs to
 * another process is another window. The process may not be known at first.
 */
export function findSame(windows: ReadonlyMap<number, XWindow>, { xid, pid }: XWindow): XWindow | undefined {
  const found = windows.get(xid);
  const isOther = found?.pid !== undefined && pid !== undefined && found.pid !== pid;
  return isOther ? undefined : found;
}

function windowEvent(window: XWindow, change: Change, at: number): WindowEvent {
  return {
    type: 'window',
    at,
    window: window.id,
    change,
    title: window.title,
    ...(window.fullTitle !== undefined && { fullTitle: window.fullTitle }),
    app: window.app,
    ...(window.program !== undefined && { program: window.program }),
    role: window.role,
    ...(window.pid !== undefined && { pid: window.pid }),
  };
}

/** Minimised, maximised and hidden windows count as moved, even if their coordinates are equal. */
function isSamePlace(a: XWindow, b: XWindow): boolean {
  return (
    sameBox(a.bounds, b.bounds) &&
    a.visible === b.visible &&
    a.minimised === b.minimised &&
    a.maximised === b.maximised &&
    a.fullscreen === b.fullscreen
  );
}
