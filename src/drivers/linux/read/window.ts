import type { Deadline, DesktopError } from '../../../shared/index.js';
import { type Box, cleanName, type Node, type WindowNode } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import type { AppCalls, AppConnection } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { markPageDialogsModal } from '../atspi/dialogs.js';
import { normalise } from '../atspi/normalise.js';
import { Walk, type WalkOptions } from '../atspi/walk.js';
import { missingBridge } from '../toolkit-bridges.js';
import { isMenu, isTooltip, type XWindow } from '../x11/windows/window.js';
import { rootWithoutTree, withAppErrors, findTree, type WindowTree } from './window-tree.js';

/** The starting point of every read. */
export interface ReadContext {
  apps: Apps;
  windows: XWindow[];
  /** The box around all monitors. */
  screen: Box | undefined;
  deadline: Deadline;
  /** How to call an app. Default: without the cache. */
  callsTo?: (link: AppConnection, deadline: Deadline) => AppCalls;
  /** Called with the tree that was found for the window. */
  onTree?: (tree: WindowTree) => void;
}

const NO_TREE = 'the app exposes no content for this window';
const RESTART_APP = 'restart the app if it was started before the accessibility bus was restarted';

export async function readWindow(
  context: Omit<ReadContext, 'apps'> & { apps?: Apps; noApps?: DesktopError },
  window: XWindow,
  options: WalkOptions & { depth?: number },
): Promise<ReadAnswer> {
  const { apps, noApps } = context;
  if (!apps)
    return {
      root: rootWithoutTree(window),
      count: 1,
      calls: 0,
      degraded: { reason: noApps?.message ?? 'no accessibility bus' },
    };
  const { windows, screen, callsTo } = context;
  const deadline = partialReadDeadline(context.deadline);
  const tree = await findTree(apps, windows, window, screen, deadline, (link) => callsFor(callsTo, link, deadline));
  // A menu or tooltip is part of its owner's tree and has no tree of its own. Then nothing is missing.
  const degraded = (): Pick<ReadAnswer, 'degraded'> =>
    window.role === 'popup' ? {} : { degraded: { reason: reasonWithoutTree(window, apps.replaced) } };
  if (!tree) return { root: rootWithoutTree(window), count: 1, calls: 0, ...degraded() };
  context.onTree?.(tree);
  const walk = new Walk(tree.calls, { ...options, partial: true });
  const root = await withAppErrors(tree.calls.app, () => readTree(walk, tree, options.depth ?? Infinity));
  const count = countNodes(root);
  const reason =
    walk.gapReason(count) ??
    (window.minimised ? 'the window is minimised, so nothing of it is on the screen' : undefined);
  return { root, count, calls: tree.calls.count, ...(reason !== undefined && { degraded: { reason } }) };
}

function reasonWithoutTree({ pid }: XWindow, busReplaced: boolean): string {
  if (busReplaced) return `${NO_TREE}; ${RESTART_APP}`;
  const bridge = missingBridge(pid);
  return bridge === undefined ? NO_TREE : `${NO_TREE}; ${bridge}`;
}

export function callsFor(callsTo: ReadContext['callsTo'], link: AppConnection, deadline: Deadline): AppCalls {
  return callsTo?.(link, deadline) ?? link.until(deadline);
}

/** The window's root as the user knows it: title, frame and focus come from the window system. */
export async function readTree(walk: Walk, tree: WindowTree, depth: number): Promise<Node> {
  const { window } = tree;
  const read = await walk.element(tree.topLevel.address, {
    place: tree.place,
    enabled: true,
    role: 'application',
    depth,
    requested: true,
  });
  const base = rootWithoutTree(window);
  if (!read) return base;
  markPageDialogsModal(walk.calls.app.toolkit, read, tree.ownWindows);
  walk.calls.app.freshDialogs.observe(read);
  const root = normalise(read);
  const title = cleanName(window.title);
  dropRepeatedTitle(root, title.text);
  if (window.placeless) dropBounds(root);
  const dialog = root.role === 'dialog' || root.role === 'alertdialog' ? root.role : base.role;
  return {
    ...root,
    id: window.id,
    role: dialog,
    ...(title.text !== '' && { name: title.text }),
    ...(!window.placeless && { bounds: window.bounds }),
    states: { ...root.states, ...base.states, ...(root.states.modal && { modal: true }) },
  };
}

export function countNodes(node: Node): number {
  return node.children.reduce((sum, child) => sum + countNodes(child), 1);
}

/** A deadline early enough to return a partial result to the caller in time. */
function partialReadDeadline(deadline: Deadline): Deadline {
  const left = deadline.remaining();
  return deadline.atMost(left - Math.min(left / 2, 100 + left / 10));
}

/** LibreOffice names an inner pane after the window. The name is kept only on the window. */
function dropRepeatedTitle(node: Node, title: string): void {
  if (node.role === 'group' && node.name === title) delete node.name;
  if (node.children.length <= 2) node.children.forEach((child) => dropRepeatedTitle(child, title));
}

/**
 * Removes positions relative to a window whose own position is unknown. They would be mistaken for screen positions.
 */
export function dropBounds(node: Node): void {
  delete node.bounds;
  delete node.clickPoint;
  node.children.forEach(dropBounds);
}

/** Converts a window of the X server to the contract's window node. */
export function windowNode(window: XWindow): WindowNode {
  return {
    id: window.id,
    title: cleanName(window.title).text,
    ...(window.fullTitle !== undefined && { fullTitle: window.fullTitle }),
    app: cleanName(window.app).text,
    ...(window.pid !== undefined && { pid: window.pid }),
    ...(window.program !== undefined && { program: window.program }),
    ...(window.started !== undefined && { started: window.started }),
    role: window.role,
    ...(!window.placeless && { bounds: window.bounds }),
    visible: window.visible,
    minimised: window.minimised,
    maximised: window.maximised,
    active: window.active,
    ...(window.modal && { modal: true }),
    ...(isMenu(window) && { menu: true }),
    ...(isTooltip(window) && { tooltip: true }),
    ...(window.of !== undefined && { of: `x:0x${window.of.toString(16)}` }),
    ...(window.monitor !== undefined && { monitor: window.monitor }),
    ...(window.stopped && { hung: true }),
  };
}
