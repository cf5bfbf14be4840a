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
  withPartialTitles,
} from '../../selector/index.js';
import type { DesktopError } from '../../shared/index.js';
import type { Box, Element, WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { readWindowTrees, type WindowTrees } from '../observe/read-windows.js';
import { type SnapshotCall, bareRoot, familyOf } from '../observe/snapshot.js';
import { findWindow } from '../observe/window.js';

export interface SearchOptions {
  /** Ref or title of a window: limits the search to it and its dialogs and menus. */
  within?: string;
  /** Only visible elements, even if none of them matches. For queries that are repeated often. */
  shown?: boolean;
}

/** The current matches of a selector. */
export interface Search extends Pick<Resolution, 'matches' | 'alternative' | 'skipped'> {
  /** The selector with its window titles as they were compared. */
  readAs: Selector;
  /** The elements that were searched last. Used for similar elements and for suggested selectors. */
  scene: ElementIndex;
  /** Every open window, the windows that were read, and those that did not answer. */
  windows: WindowInfo[];
  searched: WindowInfo[];
  /** How much was read: only the window list, visible elements, or all elements. */
  extent: 'list' | 'shown' | 'full';
  silent: WindowTrees['silent'];
  doubts: WindowTrees['doubts'];
  degraded?: { reason: string };
}

/**
 * Tries each alternative in turn, in the windows that may contain it. Visible elements come first. Others (scrolled out
 * of view, in a closed menu) are searched only if no visible element matches. A window that does not answer completely
 * may contain a match: then the next alternative is not tried, because unknown is not none.
 */
export async function findElements(
  desktop: CallView,
  asked: Selector,
  options: SearchOptions,
  call: SnapshotCall,
): Promise<Search> {
  const list = await desktop.listWindows(call.deadline);
  const selector = withPartialTitles(
    asked,
    list.windows.filter(({ visible, minimised }) => visible || minimised),
  );
  const scope = scopeOf(desktop, list.windows, options.within);
  const sources = sourcesOf(desktop.driver.describe());
  const skipped: Search['skipped'] = [];
  const found: Search = {
    readAs: selector,
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
  // Whether an earlier alternative is absent is only as certain as the reads for it.
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
      // The list of an open combo box is in the tree of its own window and in that of the combo box. It counts once.
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

/** Visible elements first. A ref is searched everywhere at once: it is unique. */
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

/** The window list is enough for a chain that selects only windows. */
function listed(windows: WindowInfo[]): WindowTrees {
  const scene = new ElementIndex(
    windows.map((window) => ({ window, root: { ...bareRoot(window), ref: window.ref, children: [] } })),
  );
  return { scene, silent: [], degraded: [], partial: false, doubts: [] };
}

/** The window that did not answer may contain it. */
export function firstUnresponsive({ silent }: Search): DesktopError | undefined {
  return silent[0]?.error;
}

/** Which prefixes of a selector each driver supports. A driver that is not listed supports all but OCR. */
const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  linux: ['atspi'],
  windows: ['uia', 'win32', 'sap'],
  macos: ['ax'],
};

function sourcesOf({ kind }: Pick<DriverDescription, 'kind'>): ReadonlySet<Source> | undefined {
  const sources = SOURCES[kind];
  return sources && new Set(sources);
}

/** An element may move by up to this fraction of its own size and still count as being in the same place. */
const A_LITTLE = 0.25;

/** Compares an element with the caller's last snapshot of it. Moving together with its window does not count. */
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
