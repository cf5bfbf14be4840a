import { DesktopError, type Deadline } from '../../../shared/index.js';
import type { WindowChange } from '../../contract/index.js';
import type { XDisplay, XWindow } from '../x11/index.js';
import { windowManagerName } from '../x11/windows/properties.js';
import { CHANGES, type Change, type State } from './change-table.js';
import { Wishes } from './ewmh-requests.js';

/** So long window manager and app may take for it. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 15;
/** A place that stays the same for so long is where it was put, though not where it was wished: it was clamped. */
const STEADY_MS = 150;
/** Nothing moved at all for so long: it will not. */
const UNMOVED_MS = 600;

export interface ChangedWindow {
  /** As it is now; absent when it is closed. */
  window?: XWindow;
  confirmedBy?: string;
}

/** One change of a window, asked of the window manager and looked up in what it says afterwards. */
export async function changeWindow(
  display: XDisplay,
  window: XWindow,
  change: WindowChange,
  deadline: Deadline,
): Promise<ChangedWindow> {
  const { client, atoms } = display.parts;
  if (change.action === 'resize') checkSize(change, client.screen);
  if (window.overrideRedirect) throw cannot('Its app places this window by itself, past the window manager.');
  if ((await deadline.race(windowManagerName(client, atoms), 'Asking the window manager')) === undefined) {
    throw cannot('There is no window manager here that could change windows.');
  }
  const wishes = await deadline.race(Wishes.with(client), 'Asking the window manager');
  const entry = CHANGES[change.action] as Change<WindowChange>;
  const look = async (before: XWindow): Promise<State> => {
    const windows = await display.windows(deadline);
    const now = windows.find(({ xid }) => xid === window.xid);
    return { windows, before, ...(now && { window: now }) };
  };
  for (const step of entry.first?.(window) ?? []) {
    const start = await look(window);
    if (start.window) step.wish(wishes, start.window);
    await follow(look, start, step.done, deadline, { moves: true });
  }
  const start = await look(window);
  if (!start.window) return { confirmedBy: MANAGER };
  const state = { ...start, before: start.window };
  if (entry.done(state, change)) return { window: start.window, confirmedBy: MANAGER };
  entry.wish(wishes, state.before, change, state.windows.find(({ active }) => active)?.xid ?? 0);
  const { now, done } = await follow(look, state, (seen) => entry.done(seen, change), deadline, entry).catch(
    (error: unknown) => {
      throw wished(error);
    },
  );
  return { ...(now.window && { window: now.window }), ...(done && { confirmedBy: MANAGER }) };
}

const MANAGER = 'the window manager';

/** The wish was sent: whether it came true nobody has seen. */
function wished(error: unknown): unknown {
  if (!(error instanceof DesktopError) || error.delivered !== 'no') return error;
  const { code, message, hint } = error;
  return new DesktopError(code, message, { hint, delivered: 'unknown', retry: 'no', cause: error });
}

/** The server keeps a picture of every window: one of the largest that there can be would take gigabytes. */
const MOST_SCREENS = 2;

function checkSize(
  { width, height }: { width: number; height: number },
  { pixel_width: across, pixel_height: down }: { pixel_width: number; pixel_height: number },
): void {
  if (width <= MOST_SCREENS * across && height <= MOST_SCREENS * down) return;
  throw new DesktopError('bad_arguments', `${width}x${height} is larger than two screens in each direction.`, {
    hint: `The screen has ${across}x${down}.`,
  });
}

/** Looks until it is so, or until it is clear that it will not be. */
async function follow(
  look: (before: XWindow) => Promise<State>,
  start: State,
  test: (now: State) => boolean,
  deadline: Deadline,
  { moves, asks }: { moves?: true; asks?: true },
): Promise<{ now: State; done: boolean }> {
  const end = deadline.atMost(PATIENCE_MS);
  const before = start.window ?? start.before;
  const known = new Set(start.windows.map(({ xid }) => xid));
  let place = placeOf(before);
  let since = performance.now();
  let settled = false;
  for (;;) {
    const now = await look(before);
    const { window } = now;
    const still = performance.now() - since;
    const moved = window !== undefined && placeOf(window) !== place;
    if (moved) [place, since] = [placeOf(window), performance.now()];
    const done = test(now);
    if (done && (!moves || !window || (settled && !moved))) return { now, done };
    settled = done && !moved && (place !== placeOf(before) || still > STEADY_MS);
    if (!window) return { now, done: false };
    if (moves && !done && !moved) {
      if (place !== placeOf(before) && still > STEADY_MS) return { now, done: true };
      if (still > UNMOVED_MS) return { now, done: false };
    }
    if (asks && now.windows.some(({ xid, pid }) => !known.has(xid) && pid === window.pid)) return { now, done: false };
    if (end.over) {
      deadline.throwIfOver('Changing the window');
      return { now, done };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function placeOf({ bounds: { x, y, width, height } }: XWindow): string {
  return `${x},${y} ${width}x${height}`;
}

function cannot(message: string): DesktopError {
  return new DesktopError('not_supported', message, {
    retry: 'no',
    hint: 'ui_list_windows tells what kind of window it is.',
  });
}
