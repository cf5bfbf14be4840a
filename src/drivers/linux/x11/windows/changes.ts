import { sameBox, WHOLE } from '../../../../tree/index.js';
import type { DriverEvent } from '../../../contract/index.js';
import type { XWindow } from './window.js';

type WindowEvent = Extract<DriverEvent, { type: 'window' }>;
type Change = WindowEvent['change'];

/** What changed between two listings, as events: what went first, then what came, then what is different. */
export function windowChanges(
  before: ReadonlyMap<number, XWindow>,
  after: ReadonlyMap<number, XWindow>,
  at: number,
): WindowEvent[] {
  const events: WindowEvent[] = [];
  const say = (window: XWindow, change: Change): void => {
    events.push(windowEvent(window, change, at));
  };
  const oldOf = (window: XWindow): XWindow | undefined => sameIn(before, window);
  for (const window of before.values()) if (!sameIn(after, window)) say(window, 'closed');
  for (const window of after.values()) if (!oldOf(window)) say(window, 'opened');
  for (const window of after.values()) {
    const old = oldOf(window);
    if (!old) continue;
    if (old.title !== window.title || old[WHOLE] !== window[WHOLE]) say(window, 'title');
    if (!samePlace(old, window)) say(window, 'moved');
  }
  for (const window of after.values()) {
    if (window.active && !oldOf(window)?.active) say(window, 'active');
  }
  return events;
}

/**
 * This window in another listing. Numbers of windows are used again, also between two listings: one of another process
 * is another window. Whose it is may not be known at once.
 */
export function sameIn(windows: ReadonlyMap<number, XWindow>, { xid, pid }: XWindow): XWindow | undefined {
  const there = windows.get(xid);
  const isOther = there?.pid !== undefined && pid !== undefined && there.pid !== pid;
  return isOther ? undefined : there;
}

export function windowEvent(window: XWindow, change: Change, at: number): WindowEvent {
  return {
    type: 'window',
    at,
    window: window.id,
    change,
    title: window.title,
    ...(window[WHOLE] !== undefined && { [WHOLE]: window[WHOLE] }),
    app: window.app,
    ...(window.program !== undefined && { program: window.program }),
    role: window.role,
    ...(window.pid !== undefined && { pid: window.pid }),
  };
}

/** Minimised, maximised and hidden windows are elsewhere too, whatever their numbers say. */
function samePlace(a: XWindow, b: XWindow): boolean {
  return (
    sameBox(a.bounds, b.bounds) &&
    a.visible === b.visible &&
    a.minimised === b.minimised &&
    a.maximised === b.maximised &&
    a.fullscreen === b.fullscreen
  );
}
