import { normaliseLabel, sameLabel } from '../../../selector/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { WindowInfo } from '../../../tree/index.js';
import type { Link } from '../link.js';
import { quoted, textTerm } from './selector-builder.js';

/** Which window is meant. */
export type Which =
  | { kind: 'any' }
  | { kind: 'title'; title: string }
  | { kind: 'pattern'; pattern: RegExp }
  | { kind: 'owner'; app?: string; pid?: number }
  | { kind: 'active' };

/** Where locators look: everywhere, or in one window, which is found again for each call. */
export class Place {
  constructor(private readonly which: Which) {}

  /** For the tools: a ref or a title; undefined for everywhere. */
  async window(link: Link): Promise<string | undefined> {
    const { which } = this;
    if (which.kind === 'any') return undefined;
    return which.kind === 'title' ? which.title : (await this.find(link)).ref;
  }

  /** The window itself. */
  async find(link: Link): Promise<WindowInfo> {
    const { json } = await link.call('ui_list_windows', { hidden: true });
    const fitting = this.among(json.windows as WindowInfo[]);
    // What belongs to another one that fits is a part of it.
    const own = fitting.filter(({ of }) => !fitting.some(({ ref }) => ref === of));
    const [only, ...others] = own;
    const isRef = this.which.kind === 'title' && REF.test(this.which.title);
    // A ref that is gone does not come again.
    if (!only)
      throw new DesktopError('element_not_found', `There is no ${this.words}.`, { ...(isRef && { retry: 'no' }) });
    if (others.length > 0) throw severalWindows(this.words, own);
    return only;
  }

  /** A condition that holds when there may be such a window; undefined where none says so. */
  get comes(): object | undefined {
    const { which } = this;
    if (which.kind === 'title') return REF.test(which.title) ? undefined : { window: which.title };
    if (which.kind === 'pattern') return { exists: textTerm('window', which.pattern) };
    if (which.kind !== 'owner') return undefined;
    const { app, pid } = which;
    return { exists: [...(app ? [`app=${quoted(app)}`] : []), ...(pid ? [`process=${pid}`] : [])].join(' && ') };
  }

  get isEverywhere(): boolean {
    return this.which.kind === 'any';
  }

  get words(): string {
    const { which } = this;
    if (which.kind === 'any') return 'desktop';
    if (which.kind === 'active') return 'active window';
    if (which.kind === 'title') return `window ${JSON.stringify(which.title)}`;
    if (which.kind === 'pattern') return `window ${String(which.pattern)}`;
    return `window of ${[which.app, which.pid].filter((one) => one !== undefined).join(', process ')}`;
  }

  /** As it was written. */
  get said(): string {
    const { which } = this;
    if (which.kind === 'any') return '';
    if (which.kind === 'active') return 'window()';
    if (which.kind === 'title') return `window(${JSON.stringify(which.title)})`;
    if (which.kind === 'pattern') return `window(${String(which.pattern)})`;
    return `window(${JSON.stringify({ app: which.app, pid: which.pid })})`;
  }

  private among(windows: readonly WindowInfo[]): WindowInfo[] {
    const { which } = this;
    if (which.kind === 'active') return windows.filter(({ active }) => active);
    if (which.kind === 'title' && REF.test(which.title)) return windows.filter(({ ref }) => ref === which.title);
    const open = windows.filter(({ role, visible, minimised }) => role !== 'popup' && (visible || minimised));
    if (which.kind === 'title') return titled(open, which.title);
    if (which.kind === 'owner') {
      const { app, pid } = which;
      return open.filter((one) => (app ?? one.app) === one.app && (pid ?? one.pid) === one.pid);
    }
    if (which.kind === 'any') return open;
    const { source, flags } = which.pattern;
    const pattern = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
    return open.filter(({ title }) => pattern.test(title));
  }
}

const REF = /^w\d+$/;

/** As the host reads titles: equal first, else a part of it. */
function titled(windows: readonly WindowInfo[], title: string): WindowInfo[] {
  const equal = windows.filter((one) => sameLabel(one.title, title));
  if (equal.length > 0) return equal;
  return windows.filter((one) => normaliseLabel(one.title).includes(normaliseLabel(title)));
}

function severalWindows(words: string, windows: readonly WindowInfo[]): DesktopError {
  const candidates = windows.map(({ ref, role, title }) => ({ ref, role, name: title }));
  return new DesktopError('ambiguous_target', `${windows.length} windows are a ${words}.`, {
    hint: 'Say which by its ref.',
    details: { candidates },
  });
}
