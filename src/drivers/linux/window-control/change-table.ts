import type { WindowChange } from '../../contract/index.js';
import type { XWindow } from '../x11/index.js';
import type { Wishes } from './ewmh-requests.js';

/** How things stand; `window` is absent when it is closed. */
export interface State {
  window?: XWindow;
  windows: readonly XWindow[];
  /** As it was when the change was asked for. */
  before: XWindow;
}

export interface Step {
  wish: (wishes: Wishes, window: XWindow) => void;
  done: (now: State) => boolean;
}

export interface Change<C extends WindowChange> {
  /** What must be undone before: a maximised window ignores moves. */
  first?: (window: XWindow) => Step[];
  wish: (wishes: Wishes, window: XWindow, change: C, active: number) => void;
  done: (now: State, change: C) => boolean;
  /** Place or size change along with it: told when they stand still. */
  moves?: true;
  /** Its app may ask something first; then it is not done. */
  asks?: true;
}

const unmaximise: Step = {
  wish: (wishes, { xid }) => wishes.maximise(xid, false),
  done: ({ window }) => window?.maximised !== true,
};
const leaveFullScreen: Step = {
  wish: (wishes, { xid }) => wishes.leaveFullScreen(xid),
  done: ({ window }) => window?.fullscreen !== true,
};
const show: Step = {
  wish: (wishes, { xid }) => wishes.show(xid),
  done: ({ window }) => window?.minimised !== true,
};

const visible = (window: XWindow): Step[] => (window.minimised ? [show] : []);
const freely = (window: XWindow): Step[] => [
  ...visible(window),
  ...(window.fullscreen ? [leaveFullScreen] : []),
  ...(window.maximised ? [unmaximise] : []),
];

type Table = { [A in WindowChange['action']]: Change<Extract<WindowChange, { action: A }>> };

/** Each change: what is asked of the window manager, and how one sees that it was done. */
export const CHANGES: Table = {
  focus: {
    wish: (wishes, { xid }, _, active) => wishes.activate(xid, active),
    done: ({ window }) => window?.active === true && !window.minimised,
  },
  front: {
    first: visible,
    wish: (wishes, { xid }) => wishes.raise(xid),
    done: ({ window, windows }) => window !== undefined && rivals(window, windows, 'in front').length === 0,
  },
  back: {
    wish: (wishes, { xid }) => wishes.lower(xid),
    done: ({ window, windows }) => window !== undefined && rivals(window, windows, 'behind').length === 0,
  },
  minimize: {
    wish: (wishes, { xid }) => wishes.minimise(xid),
    done: ({ window }) => window?.minimised === true && !window.active,
  },
  maximize: {
    first: (window) => [...visible(window), ...(window.fullscreen ? [leaveFullScreen] : [])],
    wish: (wishes, { xid }) => wishes.maximise(xid, true),
    done: ({ window }) => window?.maximised === true,
    moves: true,
  },
  restore: {
    // What was minimised comes back as it was, also maximised; a second time it becomes a plain window.
    wish: (wishes, window) => {
      if (window.minimised) wishes.show(window.xid);
      else if (window.fullscreen) wishes.leaveFullScreen(window.xid);
      else wishes.maximise(window.xid, false);
    },
    done: ({ window, before }) =>
      window !== undefined && !window.minimised && (before.minimised || !(window.maximised || window.fullscreen)),
    moves: true,
  },
  close: {
    wish: (wishes, { xid }) => wishes.close(xid),
    done: ({ window }) => window === undefined,
    asks: true,
  },
  move: {
    first: freely,
    // The frame as a person sees it begins behind the shadow that some apps draw around themselves.
    wish: (wishes, { xid, shadow }, { x, y }) => wishes.move(xid, x - (shadow?.[0] ?? 0), y - (shadow?.[2] ?? 0)),
    done: ({ window }, { x, y }) => window?.bounds.x === x && window.bounds.y === y,
    moves: true,
  },
  resize: {
    first: freely,
    wish: (wishes, { xid, bounds, client }, { width, height }) =>
      wishes.resize(
        xid,
        Math.max(1, width - (bounds.width - client.width)),
        Math.max(1, height - (bounds.height - client.height)),
      ),
    done: ({ window }, { width, height }) => window?.bounds.width === width && window.bounds.height === height,
    moves: true,
  },
};

/** Windows that could change places with it: its own dialogs, panels and what is kept above stay where they are. */
function rivals(window: XWindow, windows: readonly XWindow[], side: 'in front' | 'behind'): XWindow[] {
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
