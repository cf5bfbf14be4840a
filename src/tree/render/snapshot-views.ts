import type { Element } from '../element.js';
import { WINDOW_ROLES } from '../role-kinds.js';
import type { Snapshot } from '../snapshot.js';
import type { WindowInfo } from '../window.js';
import { labelsIn, viewOf } from './prune.js';
import type { View, ViewOptions } from './view.js';

function withTitleOfOwner(window: WindowInfo, windows: readonly WindowInfo[]): WindowInfo {
  if (!window.of || window.ofTitle !== undefined) return window;
  const owner = windows.find(({ ref }) => ref === window.of);
  return owner ? { ...window, ofTitle: owner.title } : window;
}

/** What the app calls it wins when the window manager knows only "window". */
function windowRole(window: WindowInfo, root: Element): string {
  if (window.role === 'window' || root.role === 'alertdialog') {
    return WINDOW_ROLES.has(root.role) ? root.role : window.role;
  }
  return window.role;
}

function windowView(view: View, root: Element, window: WindowInfo): View {
  const { active, modal } = { active: window.active, modal: window.modal ?? root.states.modal };
  const { offscreen: _, ...states } = root.states;
  const element: Element = { ...root, states: { ...states, visible: true, active, modal } };
  return { ...view, element, window, ref: window.ref, role: windowRole(window, root), name: window.title.trim() };
}

/** One view per root: a window's line comes from the window list, the rest from its tree. */
export function snapshotViews(snapshot: Snapshot, options: ViewOptions): View[] {
  const labels = labelsIn(snapshot.roots);
  return snapshot.roots.map((root, at) => {
    const unseen = snapshot.scope === 'element' && root.states.offscreen === true;
    const view = viewOf(root, { element: root }, { ...options, labels, unseen });
    if (snapshot.scope === 'element') return { ...view, ref: root.ref };
    const window = snapshot.windows.find(({ ref }) => ref === root.ref) ?? snapshot.windows[at];
    return window ? windowView(view, root, withTitleOfOwner(window, snapshot.windows)) : { ...view, ref: root.ref };
  });
}
