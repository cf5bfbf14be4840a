import { refsIn, ElementIndex, type Selector } from '../../selector/index.js';
import { DesktopError, hasTrait } from '../../shared/index.js';
import { parseRef, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Candidate } from '../observe/candidate.js';
import { findElements, type Search } from '../locate/elements.js';
import { familyOf, findWindow } from '../observe/window.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import type { Condition, ConditionResult } from './condition.js';

/** A look that failed says nothing, neither yes nor no. */
export async function evaluate(condition: Condition, moment: PollContext): Promise<ConditionResult> {
  try {
    return await condition.judge(moment);
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

/** No text of an app is like this: cleaning takes such characters out. What is read to find nothing is everything. */
const NOTHING: Selector = {
  alternatives: [
    { steps: [{ kind: 'match', term: { kind: 'text', key: 'name', op: '=', value: '\u0000nothing\u0000' } }] },
  ],
};

/** What was looked for where, with the reason when the place itself is not there. */
export type Looked = Search & { absent?: string };

/** The desktop at one look of a wait: whatever several conditions ask of it is asked once. */
export class PollContext {
  private listed?: Promise<{ windows: WindowInfo[]; all: WindowInfo[]; absent?: string }>;
  private everything?: Promise<Looked>;

  constructor(
    readonly desktop: CallView,
    /** Ref or title: only there, and in its dialogs and menus. */
    readonly within: string | undefined,
    readonly call: SnapshotCall,
    readonly start: Baseline,
  ) {}

  /** What shows and fits; `full` also what does not show. A window that is not there holds nothing. */
  async search(selector: Selector, options: { full?: boolean } = {}): Promise<Looked> {
    try {
      return await findElements(this.desktop, selector, { within: this.within, shown: !options.full }, this.call);
    } catch (error) {
      const absent = this.absence(error);
      if (absent === undefined) throw error;
      const nowhere = { matches: [], alternative: 0, skipped: [], windows: [], searched: [], silent: [], doubts: [] };
      return { ...nowhere, scene: new ElementIndex([]), extent: 'list', absent };
    }
  }

  /** All that shows in the scope. */
  scene(): Promise<Looked> {
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

  /** The window that was named is not open, or not any more. */
  private absence(error: unknown): string | undefined {
    if (this.within === undefined || !(error instanceof DesktopError)) return undefined;
    return error.code === 'element_not_found' ? error.message : undefined;
  }
}

/**
 * What was there when a wait began, or before an act: some conditions are about the difference. One object serves all
 * looks of one wait or one act.
 */
export class Baseline {
  private readonly firsts = new Map<object, unknown>();
  private readonly traces = new Map<object, unknown>();
  private sealed = false;

  /** Of an act it is strict: what was not seen before it is not known afterwards. */
  constructor(readonly of: 'wait' | 'act') {}

  /** From here on nothing is taken for the beginning: the act is done. */
  seal(): void {
    this.sealed = true;
  }

  /**
   * What was seen first under this key. In a wait the first time that it could be seen at all will do: a difference
   * from then on is a difference.
   */
  first<T>(key: object, now: T): T | undefined {
    if (!this.firsts.has(key)) {
      if (this.sealed) return undefined;
      this.firsts.set(key, now);
    }
    return this.firsts.get(key) as T;
  }

  /** What is carried from look to look. */
  trace<T>(key: object, next: (before: T | undefined) => T): T {
    const now = next(this.traces.get(key) as T | undefined);
    this.traces.set(key, now);
    return now;
  }
}

/**
 * Why something could be there although it was not found, if it could. What was seen in some windows before can be
 * hidden only in those.
 */
export function incompleteReason({ doubts }: Looked, seenIn: ReadonlySet<string> = new Set()): string | undefined {
  const relevant = seenIn.size === 0 ? doubts : doubts.filter(({ window }) => seenIn.has(window));
  if (relevant.length === 0) return undefined;
  return `Not everything could be read: ${relevant.map(({ reason }) => reason).join('; ')}.`;
}

/** A ref that was never given cannot come true by waiting; it is a slip, told at once. */
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
