import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, type Deadline } from '../../../shared/index.js';
import type { WindowChange } from '../../contract/index.js';
import type { XDisplay } from '../x11/display.js';
import type { XWindow } from '../x11/windows/window.js';
import { windowManagerName } from '../x11/windows/properties.js';
import { CHANGES, type Change, type WindowState } from './change-table.js';
import { EwmhRequests } from './ewmh-requests.js';

/** How long the window manager and the app may take. */
const PATIENCE_MS = 2_000;
const POLL_MS = 15;
/**
 * A position that is stable for this long is final, even if it is not the requested one: the window manager clamped it.
 */
const STABLE_MS = 150;
/** A window that has not moved at all for this long will not move. */
const UNMOVED_MS = 600;

interface ChangedWindow {
  /** The window now; absent if it is closed. */
  window?: XWindow;
  confirmedBy?: string;
}

/** Requests one window change from the window manager and checks the result in the window list. */
export async function changeWindow(
  display: XDisplay,
  window: XWindow,
  change: WindowChange,
  deadline: Deadline,
): Promise<ChangedWindow> {
  const { client, atoms } = display.parts;
  if (change.action === 'resize') checkSize(change, client.screen);
  if (window.overrideRedirect)
    throw notSupported('The app positions this window itself, bypassing the window manager.');
  if ((await deadline.race(windowManagerName(client, atoms), 'Contacting the window manager')) === undefined) {
    throw notSupported('This desktop has no window manager that could change windows.');
  }
  const requests = await deadline.race(EwmhRequests.create(client), 'Contacting the window manager');
  const entry = CHANGES[change.action] as Change<WindowChange>;
  const readState = async (before: XWindow): Promise<WindowState> => {
    const windows = await display.windows(deadline);
    const now = windows.find(({ xid }) => xid === window.xid);
    return { windows, before, ...(now && { window: now }) };
  };
  for (const step of entry.prepare?.(window) ?? []) {
    const start = await readState(window);
    if (start.window) step.request(requests, start.window);
    await waitForChange(readState, start, step.isDone, deadline, { changesBounds: true });
  }
  const start = await readState(window);
  if (!start.window) return { confirmedBy: CONFIRMED_BY };
  const state = { ...start, before: start.window };
  if (entry.isDone(state, change)) return { window: start.window, confirmedBy: CONFIRMED_BY };
  entry.request(requests, state.before, change, state.windows.find(({ active }) => active)?.xid ?? 0);
  const { now, done } = await waitForChange(
    readState,
    state,
    (seen) => entry.isDone(seen, change),
    deadline,
    entry,
  ).catch((error: unknown) => {
    throw withUnknownDelivery(error);
  });
  return { ...(now.window && { window: now.window }), ...(done && { confirmedBy: CONFIRMED_BY }) };
}

const CONFIRMED_BY = 'the window manager';

/** The request was sent, but its effect was not observed. */
function withUnknownDelivery(error: unknown): unknown {
  if (!(error instanceof DesktopError) || error.delivered !== 'no') return error;
  const { code, message, hint } = error;
  return new DesktopError(code, message, { hint, delivered: 'unknown', retry: 'no', cause: error });
}

/** The server stores the pixels of every window; the largest possible window would take gigabytes. */
const MAX_SCREENS = 2;

function checkSize(
  { width, height }: { width: number; height: number },
  { pixel_width: across, pixel_height: down }: { pixel_width: number; pixel_height: number },
): void {
  if (width <= MAX_SCREENS * across && height <= MAX_SCREENS * down) return;
  throw new DesktopError('bad_arguments', `${width}x${height} is larger than two screens in each direction.`, {
    hint: `The screen has ${across}x${down} pixels.`,
  });
}

/** Polls until the test passes, or until it is clear that it will not. */
async function waitForChange(
  readState: (before: XWindow) => Promise<WindowState>,
  start: WindowState,
  test: (now: WindowState) => boolean,
  deadline: Deadline,
  { changesBounds, mayShowDialog }: { changesBounds?: true; mayShowDialog?: true },
): Promise<{ now: WindowState; done: boolean }> {
  const end = deadline.atMost(PATIENCE_MS);
  const before = start.window ?? start.before;
  const knownXids = new Set(start.windows.map(({ xid }) => xid));
  let bounds = boundsText(before);
  let stableSince = performance.now();
  let settled = false;
  for (;;) {
    const now = await readState(before);
    const { window } = now;
    const stableMs = performance.now() - stableSince;
    const moved = window !== undefined && boundsText(window) !== bounds;
    if (moved) [bounds, stableSince] = [boundsText(window), performance.now()];
    const done = test(now);
    if (done && (!changesBounds || !window || (settled && !moved))) return { now, done };
    settled = done && !moved && (bounds !== boundsText(before) || stableMs > STABLE_MS);
    if (!window) return { now, done: false };
    if (changesBounds && !done && !moved) {
      if (bounds !== boundsText(before) && stableMs > STABLE_MS) return { now, done: true };
      if (stableMs > UNMOVED_MS) return { now, done: false };
    }
    if (mayShowDialog && now.windows.some(({ xid, pid }) => !knownXids.has(xid) && pid === window.pid))
      return { now, done: false };
    if (end.over) {
      deadline.throwIfOver('Changing the window');
      return { now, done };
    }
    await pause(POLL_MS);
  }
}

function boundsText({ bounds: { x, y, width, height } }: XWindow): string {
  return `${x},${y} ${width}x${height}`;
}

function notSupported(message: string): DesktopError {
  return new DesktopError('not_supported', message, {
    retry: 'no',
    hint: 'Run ui_list_windows to see what kind of window it is.',
  });
}
