import { DesktopError } from '../../shared/index.js';
import { Scene, type Selector } from '../../selector/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { findElements, type Search } from '../find-elements.js';
import { familyOf, findWindow } from '../find-window.js';
import type { LookCall } from '../look.js';
import type { Start } from './start.js';

/** No text of an app is like this: cleaning takes such characters out. What is read to find nothing is everything. */
const NOTHING: Selector = {
  alternatives: [
    { steps: [{ kind: 'match', term: { kind: 'text', key: 'name', op: '=', value: '\u0000nothing\u0000' } }] },
  ],
};

/** What was looked for where, with the reason when the place itself is not there. */
export type Looked = Search & { absent?: string };

/** The desktop at one look of a wait: whatever several conditions ask of it is asked once. */
export class Moment {
  private listed?: Promise<{ windows: WindowInfo[]; all: WindowInfo[]; absent?: string }>;
  private everything?: Promise<Looked>;

  constructor(
    readonly desktop: Desktop,
    /** Ref or title: only there, and in its dialogs and menus. */
    readonly within: string | undefined,
    readonly call: LookCall,
    readonly start: Start,
  ) {}

  /** What shows and fits; `full` also what does not show. A window that is not there holds nothing. */
  async search(selector: Selector, options: { full?: boolean } = {}): Promise<Looked> {
    try {
      return await findElements(this.desktop, selector, { within: this.within, shown: !options.full }, this.call);
    } catch (error) {
      const absent = this.absence(error);
      if (absent === undefined) throw error;
      const nowhere = { matches: [], alternative: 0, skipped: [], windows: [], searched: [], silent: [], doubts: [] };
      return { ...nowhere, scene: new Scene([]), extent: 'list', absent };
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
