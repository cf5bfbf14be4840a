import type { DriverDescription } from '../../drivers/contract/index.js';
import {
  type Chain,
  canMatchIn,
  missingSource,
  needsTree,
  noDriver,
  readNeeds,
  refsIn,
  type Resolution,
  resolveAlternative,
  ElementIndex,
  type Selector,
  type Source,
  type Stability,
} from '../../selector/index.js';
import type { DesktopError } from '../../shared/index.js';
import type { Box, Element, WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { readWindowTrees, type WindowTrees } from '../observe/read-windows.js';
import { type SnapshotCall, bareRoot } from '../observe/snapshot.js';
import { familyOf, findWindow } from '../observe/window.js';

export interface SearchOptions {
  /** Ref or title: only there, and in its dialogs and menus. */
  within?: string;
  /** Only what shows, also when nothing that shows fits. For questions that are asked again and again. */
  shown?: boolean;
}

/** What a selector finds on the desktop now. */
export interface Search extends Pick<Resolution, 'matches' | 'alternative' | 'skipped'> {
  /** Where it was looked for last: for what comes near, and for selectors of what was found. */
  scene: ElementIndex;
  /** Every open window, those among them that were looked into, and those that did not answer. */
  windows: WindowInfo[];
  searched: WindowInfo[];
  /** How much of them was read in the end: nothing but their list, what shows, or also what does not. */
  extent: 'list' | 'shown' | 'full';
  silent: WindowTrees['silent'];
  doubts: WindowTrees['doubts'];
  degraded?: { reason: string };
}

/**
 * Each alternative in turn, each in the windows that may hold it. What shows comes first; what does not (scrolled out,
 * in a closed menu) is looked at only when nothing that shows fits. A window that does not answer, or not to its end, may
 * hold what nobody else has: then the next alternative is not tried, because unknown is not none.
 */
export async function findElements(
  desktop: CallView,
  selector: Selector,
  options: SearchOptions,
  call: SnapshotCall,
): Promise<Search> {
  const list = await desktop.listWindows(call.deadline);
  const scope = scopeOf(desktop, list.windows, options.within);
  const sources = sourcesOf(desktop.driver.describe());
  const skipped: Search['skipped'] = [];
  const found: Search = {
    matches: [],
    alternative: 0,
    skipped,
    scene: new ElementIndex([]),
    windows: list.windows,
    searched: [],
    extent: 'list',
    silent: [],
    doubts: [],
  };
  // That an earlier alternative is not there is only as sure as what was read for it.
  const doubts = new Map<string, Search['doubts'][number]>();
  for (const [alternative, chain] of selector.alternatives.entries()) {
    const source = missingSource(chain, sources);
    if (source !== undefined) {
      skipped.push({ alternative, source });
      continue;
    }
    const windows = scope.filter((window) => canMatchIn(chain, window, (ref) => desktop.refs.get(ref)?.windowId));
    Object.assign(found, { alternative, searched: windows });
    let partial = false;
    for (const full of stages(chain, options)) {
      const read = needsTree(chain) ? await readWindowTrees(desktop, chain, windows, call, full) : listed(windows);
      for (const doubt of read.doubts) doubts.set(doubt.reason, doubt);
      const reasons = [...doubts.keys()];
      const degraded = reasons.length > 0 && { degraded: { reason: reasons.join('; ') } };
      const stability = stabilityIn(desktop, read.scene);
      const all = resolveAlternative(selector, alternative, read.scene, { degraded: reasons.length > 0, stability });
      // The list of an open combo box stands in its own window's tree and in that of the combo box: one thing all the same.
      const matches = all.filter(
        ({ element }, index) => all.findIndex((one) => one.element.ref === element.ref) === index,
      );
      const extent = extentOf(chain, full);
      Object.assign(found, {
        matches,
        scene: read.scene,
        extent,
        silent: read.silent,
        doubts: [...doubts.values()],
        ...degraded,
      });
      if (matches.length > 0 || read.silent.length > 0) return found;
      partial ||= read.partial;
    }
    if (partial) return found;
  }
  if (skipped.length === selector.alternatives.length) throw noDriver(skipped);
  return found;
}

/** First what shows. A ref is looked for everywhere at once: it says which one it is. */
function stages(chain: Chain, { shown }: SearchOptions): boolean[] {
  if (!needsTree(chain) || readNeeds(chain).full) return [false];
  return shown && refsIn(chain).length === 0 ? [false] : [false, true];
}

function extentOf(chain: Chain, full: boolean): Search['extent'] {
  if (!needsTree(chain)) return 'list';
  return full || readNeeds(chain).full ? 'full' : 'shown';
}

function scopeOf(desktop: CallView, windows: WindowInfo[], within: string | undefined): WindowInfo[] {
  return within === undefined ? windows : familyOf(findWindow(desktop, windows, within), windows);
}

/** A chain that asks for nothing but windows is answered by their list. */
function listed(windows: WindowInfo[]): WindowTrees {
  const scene = new ElementIndex(
    windows.map((window) => ({ window, root: { ...bareRoot(window), ref: window.ref, children: [] } })),
  );
  return { scene, silent: [], degraded: [], partial: false, doubts: [] };
}

/** The one that did not answer may hold it. */
export function firstUnresponsive({ silent }: Search): DesktopError | undefined {
  return silent[0]?.error;
}

/** Which prefixes of a selector a driver answers. One that is not here answers all but OCR. */
const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  linux: ['atspi'],
  windows: ['uia', 'win32', 'sap'],
  macos: ['ax'],
};

function sourcesOf({ kind }: Pick<DriverDescription, 'kind'>): ReadonlySet<Source> | undefined {
  const sources = SOURCES[kind];
  return sources && new Set(sources);
}

/** Up to this part of its own size a thing may move and still be where one saw it. */
const A_LITTLE = 0.25;

/** How an element compares with what a caller saw last of it. Moving together with its window is no move. */
function stabilityIn(desktop: CallView, scene: ElementIndex): (element: Element) => Stability {
  return (element) => {
    const place = scene.placeOf(element);
    const before = desktop.snapshots.lastSeen(element.ref);
    if (!place || !before) return desktop.refs.isRecreated(element.ref) ? 'reborn' : 'same';
    const now = relative(element.bounds, place.window.bounds);
    const was = relative(before.element.bounds, before.window?.bounds);
    return now && was ? compare(was, now) : 'same';
  };
}

function relative(box: Box | undefined, window: Box | undefined): Box | undefined {
  return box && window && { ...box, x: box.x - window.x, y: box.y - window.y };
}

function compare(was: Box, now: Box): Stability {
  const across = Math.max(Math.abs(now.x - was.x), Math.abs(now.width - was.width));
  const down = Math.max(Math.abs(now.y - was.y), Math.abs(now.height - was.height));
  if (across === 0 && down === 0) return 'same';
  return across <= was.width * A_LITTLE && down <= was.height * A_LITTLE ? 'moved' : 'movedFar';
}
