import type { Deadline } from '../../shared/index.js';
import { diffSnapshots, type Element, type Snapshot, type WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop/desktop.js';
import type { CallView } from '../visibility/call-view.js';
import { snapshotWindows } from '../observe/snapshot.js';
import {
  asideChanges,
  isReal,
  otherTitleChanges,
  type ObservedChanges,
  findSame,
  type UiState,
  ignoreRecreated,
} from './ui-changes.js';
import { describeChanges, type RenderedChanges } from './action-result.js';

/** The states that one act observed before and after it. */
export interface VerifiedStep {
  /** The act's view of the desktop, and the revision of the hidden windows at that time. */
  desktop: CallView;
  hiddenRevision: number;
  before: UiState;
  outcome: ObservedChanges;
  /** Ref of the element whose focus is the effect of the act. */
  focuses?: string;
}

interface ObservedStep {
  window: WindowInfo;
  root: Element;
}

/**
 * The combined changes of several acts, from before the first to after the last. Each act reads its own windows, so a
 * window is compared between its first and its last snapshot.
 */
export class BatchChanges {
  private readonly first = new Map<string, ObservedStep>();
  private readonly lastSeen = new Map<string, ObservedStep>();
  /** The first and the last list entry of each window, by id. */
  private readonly listedFirst = new Map<string, WindowInfo>();
  private readonly listedLast = new Map<string, WindowInfo>();
  private readonly opened = new Set<string>();
  private readonly focuses = new Set<string>();
  /** Targets that are out of view, by ref. */
  private readonly asides = new Map<string, { old: Element; now: Element; root: string }>();
  /** What the steps changed apart from the tree. */
  private readonly beyondTree = new Set<string>();
  private last?: VerifiedStep;
  private readonly hiddenRevision: number;
  private redacted = false;

  constructor(private readonly desktop: Pick<Desktop, 'hiddenWindows'>) {
    this.hiddenRevision = desktop.hiddenWindows.revision;
  }

  add(step: VerifiedStep): void {
    const { before, outcome, focuses } = step;
    const { after, aside } = outcome;
    if (outcome.redacted) this.redacted = true;
    for (const [id, observed] of observedWindows(before.snapshot))
      if (!this.first.has(id) && !this.opened.has(id)) this.first.set(id, observed);
    for (const { id } of outcome.opened) if (!this.first.has(id)) this.opened.add(id);
    for (const [id, observed] of observedWindows(after.snapshot)) this.lastSeen.set(id, observed);
    for (const window of before.windows)
      if (!this.listedFirst.has(window.id) && !this.opened.has(window.id)) this.listedFirst.set(window.id, window);
    for (const window of after.windows) this.listedLast.set(window.id, window);
    for (const seen of outcome.beyondTree ?? []) this.beyondTree.add(seen);
    if (focuses !== undefined) this.focuses.add(focuses);
    if (aside && outcome.asideWas) {
      const { element: old, root } = outcome.asideWas;
      this.asides.set(aside.ref, { old: this.asides.get(aside.ref)?.old ?? old, now: aside, root });
    }
    this.last = step;
  }

  /** Undefined if nothing was done, or if policy has hidden a window since: then the combined changes stay secret. */
  async combined(deadline: Deadline): Promise<RenderedChanges | undefined> {
    const { last: latest } = this;
    if (!latest || this.redacted) return undefined;
    await this.readAgain(latest, deadline);
    const { windows } = await latest.desktop.listWindows(deadline);
    if (
      this.desktop.hiddenWindows.revision !== this.hiddenRevision ||
      latest.desktop.hiddenWindows.revision !== latest.hiddenRevision
    )
      return undefined;
    return this.describe(latest, windows);
  }

  /** Later acts may have changed the windows of earlier ones. Reads those again, with the view of the last act. */
  private async readAgain({ desktop, outcome }: VerifiedStep, deadline: Deadline): Promise<void> {
    const fresh = new Set(outcome.after.snapshot.windows.map(({ id }) => id));
    if ([...this.lastSeen.keys()].every((id) => fresh.has(id))) return;
    const { windows } = await desktop.listWindows(deadline);
    for (const window of windows) this.listedLast.set(window.id, window);
    const stale = windows.filter(({ id }) => this.lastSeen.has(id) && !fresh.has(id));
    const snapshot = await snapshotWindows(desktop, stale, { deadline });
    for (const [id, observed] of observedWindows(snapshot)) this.lastSeen.set(id, observed);
    await desktop.listWindows(deadline);
  }

  private describe({ desktop, outcome: end }: VerifiedStep, windows: readonly WindowInfo[]): RenderedChanges {
    const open = new Set(windows.map(({ id }) => id));
    const still = ([id]: [string, unknown]): boolean => open.has(id);
    const snapshotOf = (some: ObservedStep[]): Snapshot => ({
      ...end.after.snapshot,
      windows: some.map(({ window }) => window),
      roots: some.map(({ root }) => root),
    });
    const old = snapshotOf(
      [...this.first].filter(([id]) => this.lastSeen.has(id) || !open.has(id)).map(([, one]) => one),
    );
    const now = snapshotOf([...this.lastSeen].filter(still).map(([id, one]) => titled(one, this.listedLast.get(id))));
    const all = diffSnapshots(old, now);
    const before: UiState = { windows: [...this.listedFirst.values()], snapshot: old };
    const titles = otherTitleChanges(
      before,
      [...this.listedLast].filter(still).map(([, window]) => window),
    );
    const real = ignoreRecreated(all.changes).filter((change) => this.focuses.has(change.ref) || isReal(change));
    const aside = [...this.asides.values()].filter(
      ({ now: one }) => !findSame({ windows: [], snapshot: now }, one.ref),
    );
    const outOfView = aside.flatMap((one) =>
      asideChanges(now, findSame(before, one.old.ref) ?? one.old, one.now, one.root),
    );
    return describeChanges(desktop, {
      diff: { ...all, changes: [...titles, ...real, ...outOfView] },
      windows: old.windows.some(({ id }) => !open.has(id)) || now.windows.some(({ id }) => this.opened.has(id)),
      ...(end.focus && { focus: end.focus }),
      ...(this.beyondTree.size > 0 && { beyondTree: [...this.beyondTree] }),
    });
  }
}

/** Uses the title that the window got after it was read. */
function titled({ window, root }: ObservedStep, now: WindowInfo = window): ObservedStep {
  return { window: now, root: now.title === window.title ? root : { ...root, name: now.title } };
}

/** Windows that do not answer are left out: their trees are empty. */
function observedWindows({ windows, roots }: Snapshot): [string, ObservedStep][] {
  return windows.flatMap((window, at) => (window.hung ? [] : [[window.id, { window, root: roots[at]! }]]));
}
