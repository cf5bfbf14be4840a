import { Deadline, debug, sleepUntilWoken } from '../../../shared/index.js';
import { ITEM_ROLES, type Node } from '../../../tree/index.js';
import type { Found } from '../../contract/index.js';
import { ACCESSIBLE, type Address, idOf, readExtents, readString } from '../atspi/accessible.js';
import { readAncestors } from '../atspi/ancestors.js';
import { AppConnection } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { toolkitFrom } from '../atspi/toolkit.js';
import { bestMatches, matchTopLevel, type SystemWindow, type TopLevel } from '../atspi/top-level.js';
import { Walk } from '../atspi/walk.js';
import type { DBus } from '../dbus/connection.js';
import type { XWindow } from '../x11/windows/window.js';
import { withAppErrors, findTree } from './window-tree.js';
import { readTree, type ReadContext } from './window.js';

const MAX_NODES = 5000;

/**
 * The element that receives typed keys: the innermost focused element of the active window. `isLast`: whether the app
 * reported the focus for this element last.
 */
export async function findFocused(context: ReadContext, isLast: (id: string) => boolean): Promise<Found | undefined> {
  const window = context.windows.find((candidate) => candidate.active);
  if (!window) return undefined;
  const tree = await findTree(context.apps, context.windows, window, context.screen, context.deadline);
  if (!tree) return undefined;
  const walk = new Walk(tree.calls, { maxNodes: MAX_NODES });
  const root = await withAppErrors(tree.calls.app, () => readTree(walk, tree, Infinity));
  const path = focusPath(root, tree.calls.app.toolkit.name === 'qt', isLast);
  return path && { window: window.id, path };
}

/**
 * The deepest focused element: containers report "focused" together with the element that really has the focus.
 *
 * Qt 5.15 reports the current item of each list, table and tree as focused, wherever the focus is, and the view itself
 * never. So an item counts only if no other element is focused. If several views have a current item, the last report
 * of the app decides; without one it is unknown which of them gets the keys.
 */
export function focusPath(root: Node, isQt: boolean, isLast: (id: string) => boolean): Node[] | undefined {
  const all = focusedPaths(root);
  const others = isQt ? all.filter((path) => !isItem(path.at(-1)!)) : all;
  const found = others.length > 0 ? others : all;
  const innermost = found.filter((path) => !found.some((other) => other !== path && other.includes(path.at(-1)!)));
  const last = innermost.length > 1 ? innermost.filter((path) => path.some(({ id }) => isLast(id))) : innermost;
  if (last.length === 1) return last[0];
  return isQt ? undefined : innermost[0];
}

function focusedPaths(node: Node): Node[][] {
  const below = node.children.flatMap(focusedPaths).map((path) => [node, ...path]);
  return node.states.focused ? [[node], ...below] : below;
}

const isItem = ({ role }: Node): boolean => ITEM_ROLES.has(role) || role === 'cell';

/** Time limit for all calls about one focus change. After it, the caller gets what is known. */
const TIMEOUT_MS = 500;
const MAX_KNOWN = 1000;

interface FocusLocation {
  pid?: number;
  window?: string;
}

/**
 * Finds the window of a focused element. An app reports the focus in a new window before the display lists that window,
 * so `of` waits for the list to change.
 */
export class FocusWindowFinder {
  /** Window ids of top-levels that were found before. */
  private readonly known = new Map<string, string>();
  private readonly waiters = new Set<() => void>();

  constructor(
    private readonly apps: () => Apps | undefined,
    private readonly windows: () => readonly XWindow[],
  ) {}

  /** Call this when the list of windows has changed. */
  changed(): void {
    for (const wake of [...this.waiters]) wake();
  }

  async of(element: Address, bus: DBus): Promise<FocusLocation> {
    const deadline = Deadline.in(TIMEOUT_MS);
    let pid: number | undefined;
    try {
      pid = await this.apps()?.pidOf(element[0], deadline);
      if (pid === undefined) return {};
      // Not the connection that reads use: that one has a longer timeout.
      const calls = new AppConnection(element[0], pid, '', toolkitFrom('', ''), bus, undefined, deadline).until(
        deadline,
      );
      const [top] = await readAncestors(calls, element);
      if (!top) return { pid };
      const { address } = top;
      const [name, extents] = await Promise.all([
        readString(calls, address[1], ACCESSIBLE, 'Name'),
        readExtents(calls, address[1]),
      ]);
      const window = await this.find({ address, name, ...(extents && { extents }) }, pid, deadline);
      return { pid, ...(window && { window: window.id }) };
    } catch (error) {
      // The focus event matters more than its window. It is reported without a window too.
      debug('events', () => `focus without a window: ${String(error)}`);
      return { ...(pid !== undefined && { pid }) };
    }
  }

  private async find(top: TopLevel, pid: number, deadline: Deadline): Promise<XWindow | undefined> {
    for (;;) {
      const own = this.windows().filter((window) => window.pid === pid && !window.overrideRedirect);
      const known = own.find(({ id }) => id === this.known.get(idOf(top.address)));
      const fitting = known
        ? [known]
        : bestMatches(
            top,
            own.map(toSystemWindow).filter((window) => couldBe(top, window)),
          );
      const match = fitting.length > 1 ? fitting.find(({ active }) => active) : fitting[0];
      if (match) return this.remember(top, match);
      // No window will match any more: the app's bounds and title of the window differ from those of the display.
      if (deadline.over) return own.length === 1 ? this.remember(top, own[0]!) : own.find(({ active }) => active);
      await this.waitForChange(deadline);
    }
  }

  private remember(top: TopLevel, window: XWindow): XWindow {
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(idOf(top.address), window.id);
    return window;
  }

  private async waitForChange(deadline: Deadline): Promise<void> {
    let waiter = (): void => undefined;
    await sleepUntilWoken(deadline.remaining() + 1, (wake) => this.waiters.add((waiter = wake)), { unref: true });
    this.waiters.delete(waiter);
  }
}

/** Matches as if the app had another window: being the only one proves nothing while another is opening. */
function couldBe(top: TopLevel, window: SystemWindow): boolean {
  return matchTopLevel([top], window, 2) !== undefined;
}

const toSystemWindow = (window: XWindow): XWindow & SystemWindow => ({ ...window, frame: window.bounds });
