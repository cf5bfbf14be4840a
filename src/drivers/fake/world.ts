import { DesktopError } from '../../shared/index.js';
import { cleanName, intersect, type Box } from '../../tree/index.js';
import type { TitleChange, UserInputEvent, UserInputEvents, UserInputKind } from '../contract/index.js';
import { EventHub } from './events.js';
import { layOut, type PlacedWidget } from './layout.js';
import { createItem, createRow, shownCells } from './rows.js';
import { walk, createWidget, type DesktopSpec, type Widget, type WindowSpec } from './spec.js';

export interface FakeApp {
  pid: number;
  name: string;
  program: string;
  hung: boolean;
  dead: boolean;
  latencyMs: number;
  /** The app dies after this many more elements were read. */
  diesAfter?: number;
  /** Reads that wait for a hung app to resume or die. */
  waiting: Set<() => void>;
}

export interface FakeWindow {
  id: string;
  spec: Omit<WindowSpec, 'children' | 'of'>;
  app: FakeApp;
  root: Widget;
  bounds: Box;
  of?: string;
  focus?: Widget;
}

const DEFAULT_BOUNDS: Box = { x: 40, y: 40, width: 640, height: 600 };

/** The state of a fake desktop. The driver reads it; controls change it. */
export class World {
  /** Front to back. */
  windows: FakeWindow[] = [];
  active?: FakeWindow;
  readonly apps = new Map<number, FakeApp>();
  readonly events = new EventHub();
  readonly userInput = new FakeUserInput();
  /** The clipboard; `by` is the app that copied, absent if the agent did. */
  clipboard?: { text: string; by?: FakeApp; secret?: boolean };
  /** Titles that windows had since the last list. */
  readonly titleChanges: TitleChange[] = [];
  readonly screen: Box;
  readonly hungAfterMs: number;
  /** Windows that existed once, so that a late call gets the right error. */
  private readonly closedWindows = new Map<string, FakeApp>();
  private count = 0;
  private nextPid = 4_000;

  constructor(spec: DesktopSpec) {
    this.screen = { x: 0, y: 0, ...(spec.size ?? { width: 1280, height: 800 }) };
    this.hungAfterMs = spec.hungAfterMs ?? 2_000;
    // Parents first, since a dialog names the window that it belongs to.
    for (const window of [...spec.windows].reverse()) if (!window.of) this.add(window);
    for (const window of [...spec.windows].reverse()) if (window.of) this.add(window);
    const order = spec.windows.map((window) => window.key ?? window.title);
    this.windows.sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
    this.active = this.windows.find(canBeActive);
  }

  add(spec: WindowSpec): FakeWindow {
    const { children = [], of, ...rest } = spec;
    const app = this.appOf(spec);
    const role = rest.role ?? 'window';
    const id = `fake-window-${++this.count}`;
    const nextId = () => `${app.pid}:${++this.count}`;
    const root = createWidget({ role: role === 'popup' ? 'popup' : role, name: rest.title, children }, nextId);
    const window: FakeWindow = { id, spec: { ...rest, role }, app, root, bounds: rest.bounds ?? DEFAULT_BOUNDS };
    if (of !== undefined) window.of = this.window(of).id;
    const focus = [...walk(root)].find((widget) => widget.states.focused);
    if (focus) {
      delete focus.states.focused;
      window.focus = focus;
    }
    this.windows.unshift(window);
    return window;
  }

  addWidget(window: FakeWindow, parent: Widget, spec: Parameters<typeof createWidget>[0]): Widget {
    const widget = createWidget(spec, () => `${window.app.pid}:${++this.count}`, parent);
    parent.children.push(widget);
    return widget;
  }

  remove(window: FakeWindow): void {
    this.windows = this.windows.filter((other) => other !== window);
    this.closedWindows.set(window.id, window.app);
    if (this.active === window) this.active = this.windows.find(canBeActive);
  }

  /** By id, key or title, whichever a test has. */
  window(which: string): FakeWindow {
    const found = this.windows.find((w) => w.id === which || w.spec.key === which || w.spec.title === which);
    if (found) return found;
    if (this.closedWindows.get(which)?.dead) throw processGoneError();
    throw new DesktopError('element_not_found', 'That window is not open.', {
      hint: 'List the windows to see what is open.',
    });
  }

  /** By driver id, or by a test's key or name. */
  widget(which: string, within?: FakeWindow): { window: FakeWindow; widget: Widget } {
    for (const window of within ? [within] : this.windows) {
      for (const widget of walk(window.root)) {
        if (widget.id === which || widget.key === which) return { window, widget };
      }
    }
    for (const window of within ? [within] : this.windows) {
      for (const widget of walk(window.root)) if (widget.name === which) return { window, widget };
    }
    return this.virtualWidget(which);
  }

  placed(window: FakeWindow): PlacedWidget {
    const area = intersect(window.bounds, this.screen) ?? window.bounds;
    return layOut(window.root, window.bounds, area);
  }

  /** `4000:7/item3.1`: a widget that a list or table creates on request. */
  private virtualWidget(id: string): { window: FakeWindow; widget: Widget } {
    const [container, ...steps] = id.split('/');
    for (const window of this.windows) {
      const owner = [...walk(window.root)].find((widget) => widget.id === container);
      const created = owner && steps.length > 0 ? createVirtualWidget(owner, steps) : undefined;
      const widget = created && [...walk(created)].find((part) => part.id === id);
      if (widget) return { window, widget };
    }
    const pid = Number(id.split(':')[0]);
    if (this.apps.get(pid)?.dead) throw processGoneError();
    throw new DesktopError('stale_ref', 'The element no longer exists.', {
      retry: 'no',
      hint: 'Take a new snapshot.',
    });
  }

  private appOf(spec: WindowSpec): FakeApp {
    const existing = [...this.apps.values()].find(
      (app) => !app.dead && (spec.pid ?? app.pid) === app.pid && app.name === spec.app,
    );
    if (existing) return existing;
    const pid = spec.pid ?? ++this.nextPid;
    const program = spec.program ?? `/usr/bin/${spec.app}`;
    const app = {
      pid,
      name: spec.app,
      program,
      hung: false,
      dead: false,
      latencyMs: 0,
      waiting: new Set<() => void>(),
    };
    this.apps.set(pid, app);
    return app;
  }
}

function createVirtualWidget(owner: Widget, [step = '', inner = '']: string[]): Widget | undefined {
  const [, kind, digits] = /^(item|slot|r)(\d+)/.exec(step) ?? [];
  const n = Number(digits);
  if (owner.table && kind === 'r' && n >= 1 && n <= owner.table.rows) {
    const column = Number(/^c(\d+)/.exec(inner)?.[1] ?? 0);
    return createRow(owner, n, column ? [column, column] : (shownCells(owner.table)?.columns ?? [1, 0]));
  }
  if (!owner.list || kind === 'r' || kind === undefined) return undefined;
  if (kind === 'item') return n >= 1 && n <= owner.list.total ? createItem(owner, n) : undefined;
  const top = owner.list.top ?? 1;
  return top + n <= owner.list.total ? createItem(owner, top + n, step) : undefined;
}

/** The title as windows and events carry it: cleaned and cut, with the complete title beside it if it was cut. */
export function titleOf(text: string): { title: string; fullTitle?: string } {
  const title = cleanName(text).text;
  const fullTitle = cleanName(text, Infinity).text;
  return { title, ...(fullTitle !== title && { fullTitle }) };
}

export function canBeActive(window: FakeWindow): boolean {
  return !window.spec.minimised && !window.spec.hidden && window.spec.role !== 'popup' && !window.app.dead;
}

export function processGoneError(): DesktopError {
  return new DesktopError('process_gone', 'The app has ended.', { hint: 'Start it again.' });
}

function keyOf(window: FakeWindow): string {
  return window.spec.key ?? window.spec.title;
}

/** User input on a fake desktop, and its watchers. */
class FakeUserInput {
  private readonly watches = new Set<Watch>();

  emit(kind: UserInputKind): void {
    for (const watch of this.watches) watch.push({ type: 'userInput', kind, at: Date.now() });
  }

  lose(reason: string): void {
    for (const watch of [...this.watches]) {
      watch.push({ type: 'lost', reason, at: Date.now() });
      watch.end();
    }
  }

  watch(signal: AbortSignal): UserInputEvents {
    const watch = new Watch(() => this.watches.delete(watch));
    this.watches.add(watch);
    if (signal.aborted) watch.end();
    else signal.addEventListener('abort', () => watch.end(), { once: true });
    return watch;
  }

  close(): void {
    for (const watch of [...this.watches]) watch.end();
  }
}

class Watch implements UserInputEvents {
  readonly ready = Promise.resolve();
  private waiting: UserInputEvent[] = [];
  private ended = false;
  private wake?: () => void;

  constructor(private readonly onEnd: () => void) {}

  push(event: UserInputEvent): void {
    if (this.ended) return;
    this.waiting.push(event);
    this.wake?.();
  }

  /** Queued events are still delivered. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.onEnd();
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserInputEvent> {
    for (;;) {
      yield* this.waiting.splice(0);
      if (this.waiting.length > 0) continue;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
