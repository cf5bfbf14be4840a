import { refsIn, ElementIndex, type Selector } from '../../selector/index.js';
import { DesktopError, hasTrait } from '../../shared/index.js';
import { parseRef, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Candidate } from '../observe/candidate.js';
import { findElements, type Search } from '../locate/elements.js';
import { findWindow } from '../observe/window.js';
import { familyOf, type SnapshotCall } from '../observe/snapshot.js';
import type { Condition, ConditionResult } from './condition.js';

/** A failed read makes the answer unknown. */
export async function evaluate(condition: Condition, moment: PollContext): Promise<ConditionResult> {
  try {
    return await condition.evaluate(moment);
  } catch (error) {
    if (!(error instanceof DesktopError) || hasTrait(error, 'final')) throw error;
    const candidates = error.details?.candidates as Candidate[] | undefined;
    const matches = error.details?.matches as number | undefined;
    return {
      answer: 'unknown',
      reason: error.message,
      seen: { condition: condition.key, ...(matches !== undefined && { matches }) },
      ...(candidates && { candidates }),
    };
  }
}

/** A text that no app can show, because cleaning removes such characters. Searching for it reads everything. */
const NOTHING: Selector = {
  alternatives: [
    { steps: [{ kind: 'match', term: { kind: 'text', key: 'name', op: '=', value: '\u0000nothing\u0000' } }] },
  ],
};

/** The result of a search, with the reason if its window does not exist. */
export type SearchResult = Search & { absent?: string };

/** The desktop during one poll of a wait. Several conditions share each query. */
export class PollContext {
  private listed?: Promise<{ windows: WindowInfo[]; all: WindowInfo[]; absent?: string }>;
  private everything?: Promise<SearchResult>;

  constructor(
    readonly desktop: CallView,
    /** Ref or title of a window: limits the search to it and its dialogs and menus. */
    readonly within: string | undefined,
    readonly call: SnapshotCall,
    readonly start: Baseline,
  ) {}

  /** The visible matches; with `full`, also the invisible ones. A missing window has no matches. */
  async search(selector: Selector, options: { full?: boolean } = {}): Promise<SearchResult> {
    try {
      return await findElements(this.desktop, selector, { within: this.within, shown: !options.full }, this.call);
    } catch (error) {
      const absent = this.absence(error);
      if (absent === undefined) throw error;
      const nowhere = { matches: [], alternative: 0, skipped: [], windows: [], searched: [], silent: [], doubts: [] };
      return { readAs: selector, ...nowhere, scene: new ElementIndex([]), extent: 'list', absent };
    }
  }

  /** All visible elements in the scope. */
  scene(): Promise<SearchResult> {
    return (this.everything ??= this.search(NOTHING));
  }

  /** The open windows of the scope. */
  windows(): Promise<{ windows: WindowInfo[]; all: WindowInfo[]; absent?: string }> {
    return (this.listed ??= this.list());
  }

  private async list(): Promise<{ windows: WindowInfo[]; all: WindowInfo[]; absent?: string }> {
    const { windows, degraded } = await this.desktop.listWindows(this.call.deadline);
    const all = windows.filter(({ visible, minimised }) => visible || minimised);
    if (degraded) throw new DesktopError('app_hung', `The list of windows is not whole: ${degraded.reason}.`);
    if (this.within === undefined) return { windows: all, all };
    try {
      return { windows: familyOf(findWindow(this.desktop, windows, this.within), windows), all };
    } catch (error) {
      const absent = this.absence(error);
      if (absent === undefined) throw error;
      return { windows: [], all, absent };
    }
  }

  /** The named window is not open, or no longer open. */
  private absence(error: unknown): string | undefined {
    if (this.within === undefined || !(error instanceof DesktopError)) return undefined;
    return error.code === 'element_not_found' ? error.message : undefined;
  }
}

/**
 * The state at the start of a wait or before an act: some conditions compare with it. One object serves all polls of
 * one wait or act.
 */
export class Baseline {
  private readonly firsts = new Map<object, unknown>();
  private readonly traces = new Map<object, unknown>();
  private sealed = false;

  /** For an act it is strict: without an observation before the act, the comparison is unknown. */
  constructor(readonly of: 'wait' | 'act') {}

  /** Ends the recording of first values: the act begins. */
  seal(): void {
    this.sealed = true;
  }

  /**
   * The first value under this key. In a wait, the first successful read counts, however late it is.
   */
  first<T>(key: object, now: T): T | undefined {
    if (!this.firsts.has(key)) {
      if (this.sealed) return undefined;
      this.firsts.set(key, now);
    }
    return this.firsts.get(key) as T;
  }

  /** Data that is kept between polls. */
  trace<T>(key: object, next: (before: T | undefined) => T): T {
    const now = next(this.traces.get(key) as T | undefined);
    this.traces.set(key, now);
    return now;
  }
}

/**
 * Why an element may exist although it was not found; undefined if it cannot. An element that was seen before can only
 * be in the windows where it was seen.
 */
export function incompleteReason(
  { doubts }: SearchResult,
  seenIn: ReadonlySet<string> = new Set(),
): string | undefined {
  const relevant = seenIn.size === 0 ? doubts : doubts.filter(({ window }) => seenIn.has(window));
  if (relevant.length === 0) return undefined;
  return `Not everything could be read: ${relevant.map(({ reason }) => reason).join('; ')}.`;
}

/** A ref that was never issued cannot appear by waiting. It is a mistake of the caller and refused at once. */
export function refuseUnknownRefs(desktop: CallView, condition: Condition, within: string | undefined): void {
  const inSelectors = (condition.selectors ?? []).flatMap(({ selector }) => selector.alternatives.flatMap(refsIn));
  const named = [...(condition.windows ?? []), ...(within === undefined ? [] : [within])].map(parseRef);
  for (const ref of [...inSelectors, ...named.filter((one) => one?.startsWith('w'))]) {
    if (ref === undefined || desktop.refs.lookup(ref).state !== 'never') continue;
    throw new DesktopError('element_not_found', `There is no ${ref}.`, {
      hint: ref.startsWith('w') ? 'ui_list_windows gives refs of windows.' : 'look first: ui_snapshot gives refs.',
    });
  }
}
