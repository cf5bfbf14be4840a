import { type Deadline, DesktopError } from '../../shared/index.js';
import type { Node } from '../../tree/index.js';
import type { CallView } from './call-view.js';

/** Key of an event's background tabs. A symbol, so that no surface ever serialises them. */
export const BACKGROUND_TABS = Symbol('in background tabs');

/** The names of the background tabs that the event's element is in. */
export const backgroundTabsOf = (event: object): readonly string[] =>
  (event as { [BACKGROUND_TABS]?: readonly string[] })[BACKGROUND_TABS] ?? [];

/** As it was last seen or heard of. */
export interface Tab {
  readonly id: string;
  name: string;
  front: boolean;
}

const MOST = 50_000;
const NONE: readonly Tab[] = [];

/** Which elements are on a page of which tabs, where apps tell that: refs and events name an element and no more. */
export class Tabs {
  private readonly tabs = new Map<string, Tab>();
  private readonly around = new Map<string, readonly Tab[]>();

  constructor(private readonly most = MOST) {}

  /** The tabs that this element is in, outermost first. */
  of(id: string): readonly Tab[] {
    return this.around.get(id) ?? NONE;
  }

  /** Whether an element is in a background tab whose title is blocked. */
  hides(id: string, blocks: (title: string) => boolean): boolean {
    return this.of(id).some(({ name, front }) => !front && blocks(name));
  }

  /** A window's tree, or that of an element which was seen before. */
  see(root: Node): void {
    this.walk(root, this.of(root.id));
    forgetOldest(this.around, this.most);
    forgetOldest(this.tabs, this.most);
  }

  /** What was read of a table or list by itself. */
  seeIn(container: string, rows: readonly Node[]): void {
    for (const row of rows) this.walk(row, this.of(container));
  }

  /** From a window's root down. */
  seePath(path: readonly Node[]): void {
    const whole = path.reduceRight<Node | undefined>(
      (child, node) => ({ ...node, children: child ? [child] : [] }),
      undefined,
    );
    if (whole) this.see(whole);
  }

  /** It came to the front, or another did. */
  turned(id: string, front: boolean): void {
    const tab = this.tabs.get(id);
    if (tab) tab.front = front;
  }

  private walk(node: Node, around: readonly Tab[]): void {
    const { id, role, name = '', states, children } = node;
    this.around.delete(id);
    if (around.length > 0) this.around.set(id, around);
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

/** Whether an element is in a background tab that is called like a window that the policy hides from this caller. */
export async function isInHiddenTab(desktop: CallView, id: string, deadline: Deadline): Promise<boolean> {
  const { driver, tabs } = desktop;
  for (const tab of tabs.of(id).filter(({ name }) => desktop.blocks(name))) {
    try {
      // Nobody may have looked since another came to the front.
      await driver.read({ element: tab.id }, { deadline, depth: 0, fresh: true });
    } catch (error) {
      // It is gone, or does not answer: what it was last counts.
      if (!(error instanceof DesktopError)) throw error;
    }
  }
  return desktop.hidesInTab(id);
}

function forgetOldest(kept: Map<string, unknown>, most: number): void {
  for (const id of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(id);
  }
}

/**
 * The same tree without what is in background tabs that are called like a hidden window: with another tab in front the
 * window has another title, and apps tell what is on all pages. The tab itself stays, as in the strip that everybody
 * sees. Of the one in front the window's own title tells.
 */
export function withoutHiddenTabs(node: Node, hides: (title: string) => boolean): Node {
  const { children, role, name = '', states } = node;
  if (role === 'tab' && !states.selected && hides(name)) return { ...node, children: [] };
  const kept = children.map((child) => withoutHiddenTabs(child, hides));
  // Trees are shared with those who keep them.
  return kept.every((child, at) => child === children[at]) ? node : { ...node, children: kept };
}
