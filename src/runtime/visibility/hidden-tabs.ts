import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { Node } from '../../tree/index.js';
import type { CallView } from './call-view.js';

/** Key of an event's background tabs. A symbol, so that no surface ever serialises them. */
export const BACKGROUND_TABS = Symbol('in background tabs');

/** The names of the background tabs that contain the event's element. */
export const backgroundTabsOf = (event: object): readonly string[] =>
  (event as { [BACKGROUND_TABS]?: readonly string[] })[BACKGROUND_TABS] ?? [];

/** A tab as last seen in a tree or an event. */
interface Tab {
  readonly id: string;
  name: string;
  front: boolean;
}

const MAX_ENTRIES = 50_000;
const NONE: readonly Tab[] = [];

/**
 * Records which elements are inside which tabs, for apps that expose all pages. Refs and events name only the element.
 */
export class Tabs {
  private readonly tabs = new Map<string, Tab>();
  private readonly enclosing = new Map<string, readonly Tab[]>();

  constructor(private readonly limit = MAX_ENTRIES) {}

  /** The tabs that contain this element, outermost first. */
  of(id: string): readonly Tab[] {
    return this.enclosing.get(id) ?? NONE;
  }

  /** Whether an element is in a background tab whose title is blocked. */
  hides(id: string, blocks: (title: string) => boolean): boolean {
    return this.of(id).some(({ name, front }) => !front && blocks(name));
  }

  /** `root`: a window's tree, or the tree of an element that was seen before. */
  record(root: Node): void {
    this.walk(root, this.of(root.id));
    dropOldest(this.enclosing, this.limit);
    dropOldest(this.tabs, this.limit);
  }

  /** Rows of a table or list that were read separately. */
  recordRows(container: string, rows: readonly Node[]): void {
    for (const row of rows) this.walk(row, this.of(container));
  }

  /** `path`: from the window's root down. */
  recordPath(path: readonly Node[]): void {
    const whole = path.reduceRight<Node | undefined>(
      (child, node) => ({ ...node, children: child ? [child] : [] }),
      undefined,
    );
    if (whole) this.record(whole);
  }

  /** The tab came to the front, or another one did. */
  setFront(id: string, front: boolean): void {
    const tab = this.tabs.get(id);
    if (tab) tab.front = front;
  }

  private walk(node: Node, around: readonly Tab[]): void {
    const { id, role, name = '', states, children } = node;
    this.enclosing.delete(id);
    if (around.length > 0) this.enclosing.set(id, around);
    const inside = role === 'tab' ? [...around, this.tab(id, name, states.selected === true)] : around;
    for (const child of children) this.walk(child, inside);
  }

  private tab(id: string, name: string, front: boolean): Tab {
    const tab = this.tabs.get(id) ?? { id, name, front };
    Object.assign(tab, { name, front });
    this.tabs.delete(id);
    this.tabs.set(id, tab);
    return tab;
  }
}

/** Whether an element is in a background tab whose title policy hides from this caller. */
export async function isInHiddenTab(desktop: CallView, id: string, deadline: Deadline): Promise<boolean> {
  const { driver, tabs } = desktop;
  for (const tab of tabs.of(id).filter(({ name }) => desktop.blocks(name))) {
    try {
      // Another tab may have come to the front since the last read.
      await requireCapability(driver, 'read')({ element: tab.id }, { deadline, depth: 0, fresh: true });
    } catch (error) {
      // The tab is gone or its app does not answer: its last known state counts.
      if (!(error instanceof DesktopError)) throw error;
    }
  }
  return desktop.hidesInTab(id);
}

function dropOldest(kept: Map<string, unknown>, limit: number): void {
  for (const id of kept.keys()) {
    if (kept.size <= limit) return;
    kept.delete(id);
  }
}

/**
 * The same tree without the content of background tabs that have the title of a hidden window. While another tab is in
 * front the window has another title, but apps expose the content of all pages. The tab itself stays, since it is
 * visible in the tab strip. The tab in front is decided by the window's own title.
 */
export function withoutHiddenTabs(node: Node, hides: (title: string) => boolean): Node {
  const { children, role, name = '', states } = node;
  if (role === 'tab' && !states.selected && hides(name)) return { ...node, children: [] };
  const kept = children.map((child) => withoutHiddenTabs(child, hides));
  // Others hold references to this tree, so it is never modified.
  return kept.every((child, at) => child === children[at]) ? node : { ...node, children: kept };
}
