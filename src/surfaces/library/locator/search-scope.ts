import { normaliseLabel, sameLabel } from '../../../selector/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { WindowInfo } from '../../../tree/index.js';
import type { Link } from '../link.js';
import { quote, textTerm } from './selector-builder.js';

/** Selects a window. */
export type WindowQuery =
  | { kind: 'any' }
  | { kind: 'title'; title: string }
  | { kind: 'pattern'; pattern: RegExp }
  | { kind: 'owner'; app?: string; pid?: number }
  | { kind: 'active' };

/** Where locators search: everywhere, or in one window, which is resolved again for each call. */
export class SearchScope {
  constructor(private readonly query: WindowQuery) {}

  /** The `window` argument for tools: a ref or a title, or undefined for everywhere. */
  async window(link: Link): Promise<string | undefined> {
    const { query } = this;
    if (query.kind === 'any') return undefined;
    return query.kind === 'title' ? query.title : (await this.find(link)).ref;
  }

  /** Resolves the window. */
  async find(link: Link): Promise<WindowInfo> {
    const { json } = await link.call('ui_list_windows', { hidden: true });
    const fitting = this.matching(json.windows as WindowInfo[]);
    // A dialog or child window of another match is part of it.
    const own = fitting.filter(({ of }) => !fitting.some(({ ref }) => ref === of));
    const [only, ...others] = own;
    const isRef = this.query.kind === 'title' && WINDOW_REF.test(this.query.title);
    // The ref of a closed window never becomes valid again.
    if (!only)
      throw new DesktopError('element_not_found', `There is no ${this.description}.`, {
        ...(isRef && { retry: 'no' }),
      });
    if (others.length > 0) throw severalWindows(this.description, own);
    return only;
  }

  /** A condition that holds when such a window may exist. Undefined if no condition can express it. */
  get appearsCondition(): object | undefined {
    const { query } = this;
    if (query.kind === 'title') return WINDOW_REF.test(query.title) ? undefined : { window: query.title };
    if (query.kind === 'pattern') return { exists: textTerm('window', query.pattern) };
    if (query.kind !== 'owner') return undefined;
    const { app, pid } = query;
    return { exists: [...(app ? [`app=${quote(app)}`] : []), ...(pid ? [`process=${pid}`] : [])].join(' && ') };
  }

  get isEverywhere(): boolean {
    return this.query.kind === 'any';
  }

  get description(): string {
    const { query } = this;
    if (query.kind === 'any') return 'desktop';
    if (query.kind === 'active') return 'active window';
    if (query.kind === 'title') return `window ${JSON.stringify(query.title)}`;
    if (query.kind === 'pattern') return `window ${String(query.pattern)}`;
    return `window of ${[query.app, query.pid].filter((one) => one !== undefined).join(', process ')}`;
  }

  /** The scope as source code. */
  get expression(): string {
    const { query } = this;
    if (query.kind === 'any') return '';
    if (query.kind === 'active') return 'window()';
    if (query.kind === 'title') return `window(${JSON.stringify(query.title)})`;
    if (query.kind === 'pattern') return `window(${String(query.pattern)})`;
    return `window(${JSON.stringify({ app: query.app, pid: query.pid })})`;
  }

  private matching(windows: readonly WindowInfo[]): WindowInfo[] {
    const { query } = this;
    if (query.kind === 'active') return windows.filter(({ active }) => active);
    if (query.kind === 'title' && WINDOW_REF.test(query.title)) return windows.filter(({ ref }) => ref === query.title);
    const open = windows.filter(({ role, visible, minimised }) => role !== 'popup' && (visible || minimised));
    if (query.kind === 'title') return withTitle(open, query.title);
    if (query.kind === 'owner') {
      const { app, pid } = query;
      return open.filter((one) => (app ?? one.app) === one.app && (pid ?? one.pid) === one.pid);
    }
    if (query.kind === 'any') return open;
    const { source, flags } = query.pattern;
    const pattern = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
    return open.filter(({ title }) => pattern.test(title));
  }
}

const WINDOW_REF = /^w\d+$/;

/** Titles match as in the host: equal titles first, else titles that contain the text. */
function withTitle(windows: readonly WindowInfo[], title: string): WindowInfo[] {
  const equal = windows.filter((one) => sameLabel(one.title, title));
  if (equal.length > 0) return equal;
  return windows.filter((one) => normaliseLabel(one.title).includes(normaliseLabel(title)));
}

function severalWindows(words: string, windows: readonly WindowInfo[]): DesktopError {
  const candidates = windows.map(({ ref, role, title }) => ({ ref, role, name: title }));
  return new DesktopError('ambiguous_target', `${windows.length} windows match ${words}.`, {
    hint: 'Use the ref of one of them.',
    details: { candidates },
  });
}
