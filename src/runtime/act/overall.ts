import { diffSnapshots, type Element, type Snapshot, type WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { asideChanges, isReal, sameIn, type Outcome, type Scenery } from './changes.js';
import { otherTitles } from './other-titles.js';
import { toldChanges, type ToldChanges } from './told-changes.js';

/** What one act saw, before and after. */
export interface Proved {
  before: Scenery;
  outcome: Outcome;
  /** That this has the focus is its effect. */
  focuses?: string;
}

interface Sighting {
  window: WindowInfo;
  root: Element;
}

/**
 * What several acts changed together, from before the first of them to after the last. Each looks at its own windows:
 * a window counts from the first look at it to the last one, and what nobody looked at again is as it was then.
 */
export class Overall {
  private readonly first = new Map<string, Sighting>();
  private readonly last = new Map<string, Sighting>();
  /** As first and as last listed, by id. */
  private readonly listedFirst = new Map<string, WindowInfo>();
  private readonly listedLast = new Map<string, WindowInfo>();
  private readonly opened = new Set<string>();
  private readonly focuses = new Set<string>();
  /** Targets out of view, by ref. */
  private readonly asides = new Map<string, { old: Element; now: Element; root: string }>();
  private end?: Outcome;
  private readonly veil: number;
  private veiled = false;

  constructor(private readonly desktop: Desktop) {
    this.veil = desktop.veil.state;
  }

  add({ before, outcome, focuses }: Proved): void {
    const { after, aside } = outcome;
    if (outcome.veiled) this.veiled = true;
    for (const [id, sighting] of sightings(before.snapshot))
      if (!this.first.has(id) && !this.opened.has(id)) this.first.set(id, sighting);
    for (const { id } of outcome.opened) if (!this.first.has(id)) this.opened.add(id);
    for (const [id, sighting] of sightings(after.snapshot)) this.last.set(id, sighting);
    for (const window of before.windows)
      if (!this.listedFirst.has(window.id) && !this.opened.has(window.id)) this.listedFirst.set(window.id, window);
    for (const window of after.windows) this.listedLast.set(window.id, window);
    if (focuses !== undefined) this.focuses.add(focuses);
    if (aside && outcome.asideWas) {
      const { element: old, root } = outcome.asideWas;
      this.asides.set(aside.ref, { old: this.asides.get(aside.ref)?.old ?? old, now: aside, root });
    }
    this.end = outcome;
  }

  /** Undefined where nothing was done, and where a window was hidden meanwhile: nothing of the whole may be told. */
  told(windows: readonly WindowInfo[]): ToldChanges | undefined {
    const { end } = this;
    if (!end || this.veiled || this.desktop.veil.state !== this.veil) return undefined;
    const open = new Set(windows.map(({ id }) => id));
    const still = ([id]: [string, unknown]): boolean => open.has(id);
    const lookOf = (some: Sighting[]): Snapshot => ({
      ...end.after.snapshot,
      windows: some.map(({ window }) => window),
      roots: some.map(({ root }) => root),
    });
    const old = lookOf([...this.first].filter(([id]) => this.last.has(id) || !open.has(id)).map(([, one]) => one));
    const now = lookOf([...this.last].filter(still).map(([id, one]) => titled(one, this.listedLast.get(id))));
    const all = diffSnapshots(old, now);
    const before: Scenery = { windows: [...this.listedFirst.values()], snapshot: old };
    const titles = otherTitles(
      before,
      [...this.listedLast].filter(still).map(([, window]) => window),
    );
    const real = all.changes.filter((change) => this.focuses.has(change.ref) || isReal(change));
    const aside = [...this.asides.values()].filter(({ now: one }) => !sameIn({ windows: [], snapshot: now }, one.ref));
    const outOfView = aside.flatMap((one) =>
      asideChanges(now, sameIn(before, one.old.ref) ?? one.old, one.now, one.root),
    );
    return toldChanges(this.desktop, {
      diff: { ...all, changes: [...titles, ...real, ...outOfView] },
      windows: old.windows.some(({ id }) => !open.has(id)) || now.windows.some(({ id }) => this.opened.has(id)),
      ...(end.focus && { focus: end.focus }),
    });
  }
}

/** With the title that it got after it was looked into. */
function titled({ window, root }: Sighting, now: WindowInfo = window): Sighting {
  return { window: now, root: now.title === window.title ? root : { ...root, name: now.title } };
}

/** What does not answer shows nothing of itself. */
function sightings({ windows, roots }: Snapshot): [string, Sighting][] {
  return windows.flatMap((window, at) => (window.hung ? [] : [[window.id, { window, root: roots[at]! }]]));
}
