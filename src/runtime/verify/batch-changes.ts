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

/** What one act saw, before and after. */
export interface VerifiedStep {
  /** As it may see it, and the state of its veil. */
  desktop: CallView;
  veil: number;
  before: UiState;
  outcome: ObservedChanges;
  /** That this has the focus is its effect. */
  focuses?: string;
}

interface ObservedStep {
  window: WindowInfo;
  root: Element;
}

/**
 * What several acts changed together, from before the first of them to after the last. Each looks at its own windows:
 * a window counts from the first look at it to the last one.
 */
export class BatchChanges {
  private readonly first = new Map<string, ObservedStep>();
  private readonly lastSeen = new Map<string, ObservedStep>();
  /** As first and as last listed, by id. */
  private readonly listedFirst = new Map<string, WindowInfo>();
  private readonly listedLast = new Map<string, WindowInfo>();
  private readonly opened = new Set<string>();
  private readonly focuses = new Set<string>();
  /** Targets out of view, by ref. */
  private readonly asides = new Map<string, { old: Element; now: Element; root: string }>();
  private last?: VerifiedStep;
  private readonly veil: number;
  private veiled = false;

  constructor(private readonly desktop: Pick<Desktop, 'hiddenWindows'>) {
    this.veil = desktop.hiddenWindows.revision;
  }

  add(proved: VerifiedStep): void {
    const { before, outcome, focuses } = proved;
    const { after, aside } = outcome;
    if (outcome.veiled) this.veiled = true;
    for (const [id, sighting] of sightings(before.snapshot))
      if (!this.first.has(id) && !this.opened.has(id)) this.first.set(id, sighting);
    for (const { id } of outcome.opened) if (!this.first.has(id)) this.opened.add(id);
    for (const [id, sighting] of sightings(after.snapshot)) this.lastSeen.set(id, sighting);
    for (const window of before.windows)
      if (!this.listedFirst.has(window.id) && !this.opened.has(window.id)) this.listedFirst.set(window.id, window);
    for (const window of after.windows) this.listedLast.set(window.id, window);
    if (focuses !== undefined) this.focuses.add(focuses);
    if (aside && outcome.asideWas) {
      const { element: old, root } = outcome.asideWas;
      this.asides.set(aside.ref, { old: this.asides.get(aside.ref)?.old ?? old, now: aside, root });
    }
    this.last = proved;
  }

  /** Undefined where nothing was done, and where a window was hidden meanwhile: nothing of the whole may be told. */
  async told(deadline: Deadline): Promise<RenderedChanges | undefined> {
    const { last: latest } = this;
    if (!latest || this.veiled) return undefined;
    await this.lookAgain(latest, deadline);
    const { windows } = await latest.desktop.listWindows(deadline);
    if (this.desktop.hiddenWindows.revision !== this.veil || latest.desktop.hiddenWindows.revision !== latest.veil)
      return undefined;
    return this.tell(latest, windows);
  }

  /** What earlier acts were about may have changed by later ones. Seen is what the last of them may see. */
  private async lookAgain({ desktop, outcome }: VerifiedStep, deadline: Deadline): Promise<void> {
    const fresh = new Set(outcome.after.snapshot.windows.map(({ id }) => id));
    if ([...this.lastSeen.keys()].every((id) => fresh.has(id))) return;
    const { windows } = await desktop.listWindows(deadline);
    for (const window of windows) this.listedLast.set(window.id, window);
    const stale = windows.filter(({ id }) => this.lastSeen.has(id) && !fresh.has(id));
    const snapshot = await snapshotWindows(desktop, stale, { deadline });
    for (const [id, sighting] of sightings(snapshot)) this.lastSeen.set(id, sighting);
    await desktop.listWindows(deadline);
  }

  private tell({ desktop, outcome: end }: VerifiedStep, windows: readonly WindowInfo[]): RenderedChanges {
    const open = new Set(windows.map(({ id }) => id));
    const still = ([id]: [string, unknown]): boolean => open.has(id);
    const lookOf = (some: ObservedStep[]): Snapshot => ({
      ...end.after.snapshot,
      windows: some.map(({ window }) => window),
      roots: some.map(({ root }) => root),
    });
    const old = lookOf([...this.first].filter(([id]) => this.lastSeen.has(id) || !open.has(id)).map(([, one]) => one));
    const now = lookOf([...this.lastSeen].filter(still).map(([id, one]) => titled(one, this.listedLast.get(id))));
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
    });
  }
}

/** With the title that it got after it was looked into. */
function titled({ window, root }: ObservedStep, now: WindowInfo = window): ObservedStep {
  return { window: now, root: now.title === window.title ? root : { ...root, name: now.title } };
}

/** What does not answer shows nothing of itself. */
function sightings({ windows, roots }: Snapshot): [string, ObservedStep][] {
  return windows.flatMap((window, at) => (window.hung ? [] : [[window.id, { window, root: roots[at]! }]]));
}
