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

/** When an element reported that it got the focus, see `RecentFocus.since`. */
type FocusSince = (element: string) => number;

/** The element that receives typed keys: the innermost focused element of the active window. */
export async function findFocused(context: ReadContext, since: FocusSince): Promise<Found | undefined> {
  const window = context.windows.find((candidate) => candidate.active);
  if (!window) return undefined;
  const tree = await findTree(context.apps, context.windows, window, context.screen, context.deadline);
  if (!tree) return undefined;
  const walk = new Walk(tree.calls, { maxNodes: MAX_NODES });
  const root = await withAppErrors(tree.calls.app, () => readTree(walk, tree, Infinity));
  const path = focusPath(root, tree.calls.app.toolkit.name === 'qt', since);
  return path && { window: window.id, path };
}

/**
 * The deepest focused element: containers report "focused" together with the element that really has the focus.
 *
 * Qt 5.15 reports the current item of each list, table and tree as focused, wherever the focus is, and the view itself
 * never. So an item counts only if no other element is focused. If several views have a current item, the last report
 * of the app decides; without one it is unknown which of them gets the keys.
 *
 * Elsewhere, too, several elements may have the state: a paragraph of LibreOffice 7.4 reports that it lost the focus to
 * a field of the tool bar, and its state still says that it has it. The last report decides.
 */
export function focusPath(root: Node, isQt: boolean, since: FocusSince): Node[] | undefined {
  const all = focusedPaths(root);
  const others = isQt ? all.filter((path) => !isItem(path.at(-1)!)) : all;
  const found = others.length > 0 ? others : all;
  const innermost = found.filter((path) => !found.some((other) => other !== path && other.includes(path.at(-1)!)));
  const at = (path: readonly Node[]): number => Math.max(...path.map(({ id }) => since(id)));
  const isUnknown = isQt && innermost.length > 1 && !innermost.some((path) => at(path) > 0);
  if (isUnknown) return undefined;
  const own = (path: readonly Node[]): number => (isQt ? at(path) : since(path.at(-1)!.id));
  return innermost.reduce<Node[] | undefined>(
    (best, path) => (best && own(best) >= own(path) ? best : path),
    undefined,
  );
}

/**
 * The tree with at most one focused element, and the containers around it. Not for Qt, where a focused item is the
 * current one of its view. A tree without a conflict is unchanged.
 */
export function withOneFocus(root: Node, since: FocusSince): Node {
  const paths = focusedPaths(root);
  if (paths.length < 2) return root;
  const kept = new Set<Node>(focusPath(root, false, since));
  const strip = (node: Node): Node => {
    const children = node.children.map(strip);
    const same = children.every((child, index) => child === node.children[index]);
    if (kept.has(node) || !node.states.focused) return same ? node : { ...node, children };
    const { focused: _, ...states } = node.states;
    return { ...node, states, children };
  };
  return strip(root);
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
