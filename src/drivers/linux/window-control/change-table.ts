import type { WindowChange } from '../../contract/index.js';
import type { XWindow } from '../x11/windows/window.js';
import type { EwmhRequests } from './ewmh-requests.js';

/** The current state; `window` is absent if it is closed. */
export interface WindowState {
  window?: XWindow;
  windows: readonly XWindow[];
  /** The window when the change was requested. */
  before: XWindow;
}

interface Step {
  request: (requests: EwmhRequests, window: XWindow) => void;
  isDone: (now: WindowState) => boolean;
}

export interface Change<C extends WindowChange> {
  /** Steps that must come first: a maximised window ignores moves. */
  prepare?: (window: XWindow) => Step[];
  request: (requests: EwmhRequests, window: XWindow, change: C, active: number) => void;
  isDone: (now: WindowState, change: C) => boolean;
  /** Position or size change as well; the change is reported when they are stable. */
  changesBounds?: true;
  /** The app may show a dialog first; then the change is not done. */
  mayShowDialog?: true;
}

const unmaximise: Step = {
  request: (requests, { xid }) => requests.maximise(xid, false),
  isDone: ({ window }) => window?.maximised !== true,
};
const leaveFullScreen: Step = {
  request: (requests, { xid }) => requests.leaveFullScreen(xid),
  isDone: ({ window }) => window?.fullscreen !== true,
};
const show: Step = {
  request: (requests, { xid }) => requests.show(xid),
  isDone: ({ window }) => window?.minimised !== true,
};

const makeVisible = (window: XWindow): Step[] => (window.minimised ? [show] : []);
const makeMovable = (window: XWindow): Step[] => [
  ...makeVisible(window),
  ...(window.fullscreen ? [leaveFullScreen] : []),
  ...(window.maximised ? [unmaximise] : []),
];

type Table = { [A in WindowChange['action']]: Change<Extract<WindowChange, { action: A }>> };

/** For each change: the request to the window manager, and the test that it is done. */
export const CHANGES: Table = {
  focus: {
    request: (requests, { xid }, _, active) => requests.activate(xid, active),
    isDone: ({ window }) => window?.active === true && !window.minimised,
  },
  front: {
    prepare: makeVisible,
    request: (requests, { xid }) => requests.raise(xid),
    isDone: ({ window, windows }) => window !== undefined && competingWindows(window, windows, 'in front').length === 0,
  },
  back: {
    request: (requests, { xid }) => requests.lower(xid),
    isDone: ({ window, windows }) => window !== undefined && competingWindows(window, windows, 'behind').length === 0,
  },
  minimize: {
    request: (requests, { xid }) => requests.minimise(xid),
    isDone: ({ window }) => window?.minimised === true && !window.active,
  },
  maximize: {
    prepare: (window) => [...makeVisible(window), ...(window.fullscreen ? [leaveFullScreen] : [])],
    request: (requests, { xid }) => requests.maximise(xid, true),
    isDone: ({ window }) => window?.maximised === true,
    changesBounds: true,
  },
  restore: {
    // A minimised window returns to its former state, which may be maximised. A second restore makes it a normal
    // window.
    request: (requests, window) => {
      if (window.minimised) requests.show(window.xid);
      else if (window.fullscreen) requests.leaveFullScreen(window.xid);
      else requests.maximise(window.xid, false);
    },
    isDone: ({ window, before }) =>
      window !== undefined && !window.minimised && (before.minimised || !(window.maximised || window.fullscreen)),
    changesBounds: true,
  },
  close: {
    request: (requests, { xid }) => requests.close(xid),
    isDone: ({ window }) => window === undefined,
    mayShowDialog: true,
  },
  move: {
    prepare: makeMovable,
    // The visible frame starts inside the shadow that some apps draw around themselves.
    request: (requests, { xid, shadow }, { x, y }) =>
      requests.move(xid, x - (shadow?.[0] ?? 0), y - (shadow?.[2] ?? 0)),
    isDone: ({ window }, { x, y }) => window?.bounds.x === x && window.bounds.y === y,
    changesBounds: true,
  },
  resize: {
    prepare: makeMovable,
    request: (requests, { xid, bounds, client }, { width, height }) =>
      requests.resize(
        xid,
        Math.max(1, width - (bounds.width - client.width)),
        Math.max(1, height - (bounds.height - client.height)),
      ),
    isDone: ({ window }, { width, height }) => window?.bounds.width === width && window.bounds.height === height,
    changesBounds: true,
  },
};

/**
 * Windows that could swap places with it. Its own dialogs, panels and windows that are kept above stay where they are.
 */
function competingWindows(window: XWindow, windows: readonly XWindow[], side: 'in front' | 'behind'): XWindow[] {
  const at = windows.findIndex(({ xid }) => xid === window.xid);
  const part = side === 'in front' ? windows.slice(0, at) : windows.slice(at + 1);
  return part.filter(
    (other) =>
      other.visible &&
      !other.minimised &&
      !other.overrideRedirect &&
      other.above === window.above &&
      other.type !== 'desktop' &&
      other.type !== 'dock' &&
      other.of !== window.xid &&
      window.of !== other.xid,
  );
}
