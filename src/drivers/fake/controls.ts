import { DesktopError } from '../../shared/index.js';
import { cleanName, type Box, type StateName } from '../../tree/index.js';
import type { UserInputKind } from '../contract/index.js';
import { walk, type Widget, type WidgetSpec, type WindowSpec } from './spec.js';
import { canBeActive, titleOf, type FakeApp, type FakeWindow, World } from './world.js';

/**
 * Changes that a test or a rehearsal makes to a fake desktop from outside. Each change has the consequences and the
 * events that it has on a real desktop. Windows are named by key, title or id; elements by key, name or id.
 */
export class Controls {
  constructor(private readonly world: World) {}

  /** The driver's id of a window or element, for tests that call the driver directly. */
  windowId(which: string): string {
    return this.world.window(which).id;
  }

  elementId(which: string): string {
    return this.world.widget(which).widget.id;
  }

  openWindow(spec: WindowSpec): string {
    const window = this.world.add(spec);
    this.world.events.emit({ type: 'window', ...this.of(window), change: 'opened', ...windowDetails(window) });
    if (canBeActive(window)) this.activate(window.id);
    return window.id;
  }

  /** Its dialogs and popups close with it. */
  closeWindow(which: string): void {
    const window = this.world.window(which);
    for (const other of this.world.windows.filter((w) => w.of === window.id)) this.closeWindow(other.id);
    const wasActive = this.world.active === window;
    this.world.remove(window);
    this.world.events.emit({ type: 'window', ...this.of(window), change: 'closed', ...windowDetails(window) });
    if (wasActive && this.world.active) this.activate(this.world.active.id);
  }

  activate(which: string): void {
    const window = this.world.window(which);
    window.spec.minimised = false;
    this.world.active = window;
    const family = this.world.windows.filter((w) => w === window || w.of === window.id);
    this.world.windows = [...family, ...this.world.windows.filter((w) => !family.includes(w))];
    this.world.events.emit({ type: 'window', ...this.of(window), change: 'active' });
  }

  minimise(which: string): void {
    const window = this.world.window(which);
    window.spec.minimised = true;
    if (this.world.active !== window) return;
    this.world.active = this.world.windows.find(canBeActive);
    if (this.world.active) this.activate(this.world.active.id);
  }

  setTitle(which: string, title: string): void {
    const window = this.world.window(which);
    window.spec.title = title;
    window.root.name = title;
    const titles = titleOf(title);
    this.world.titleChanges.push({ window: window.id, title: titles.fullTitle ?? titles.title });
    this.world.events.emit({ type: 'window', ...this.of(window), change: 'title', ...titles });
  }

  moveWindow(which: string, bounds: Partial<Box>): void {
    const window = this.world.window(which);
    window.bounds = { ...window.bounds, ...bounds };
    this.world.events.emit({ type: 'window', ...this.of(window), change: 'moved' });
  }

  setName(which: string, name: string): void {
    const { window, widget } = this.world.widget(which);
    widget.name = name;
    this.world.events.emit({ type: 'name', ...this.of(window), element: widget.id });
    this.damage(window, widget);
  }

  setValue(which: string, value: string | number): void {
    const { window, widget } = this.world.widget(which);
    const grew = String(value).length >= String(widget.value ?? '').length;
    widget.value = value;
    const about = { ...this.of(window), element: widget.id };
    if (typeof value === 'number') this.world.events.emit({ type: 'value', ...about });
    else this.world.events.emit({ type: 'text', ...about, change: grew ? 'inserted' : 'deleted' });
    this.damage(window, widget);
  }

  /** The document shows another page. */
  navigate(which: string, url: string | null): void {
    this.world.widget(which).widget.url = url;
  }

  setState(which: string, state: StateName, on: boolean): void {
    const { window, widget } = this.world.widget(which);
    Object.assign(widget.states, { [state]: on });
    this.world.events.emit({ type: 'state', ...this.of(window), element: widget.id, state, on });
    this.damage(window, widget);
  }

  hide(which: string, hidden = true): void {
    const { window, widget } = this.world.widget(which);
    this.damage(window, widget);
    widget.hidden = hidden;
    this.world.events.emit({ type: 'state', ...this.of(window), element: widget.id, state: 'visible', on: !hidden });
    this.damage(window, widget);
  }

  focus(which: string): void {
    const { window, widget } = this.world.widget(which);
    const before = window.focus;
    window.focus = widget;
    const about = this.of(window);
    if (before) this.world.events.emit({ type: 'state', ...about, element: before.id, state: 'focused', on: false });
    const name = cleanName(widget.name ?? '').text;
    this.world.events.emit({ type: 'focus', ...about, element: widget.id, role: widget.role, ...(name && { name }) });
  }

  addChild(parent: string, spec: WidgetSpec): string {
    const { window, widget } = this.world.widget(parent);
    const child = this.world.addWidget(window, widget, spec);
    this.world.events.emit({ type: 'children', ...this.of(window), element: widget.id, change: 'added' });
    this.damage(window, child);
    return child.id;
  }

  remove(which: string): void {
    const { window, widget } = this.world.widget(which);
    const parent = widget.parent;
    if (!parent) throw new DesktopError('bad_arguments', 'A window is closed, not removed.');
    this.damage(window, widget);
    parent.children = parent.children.filter((child) => child !== widget);
    if (window.focus && [...walk(widget)].includes(window.focus)) delete window.focus;
    this.world.events.emit({ type: 'children', ...this.of(window), element: parent.id, change: 'removed' });
  }

  /** Scrolls item or row `top` to the first line. Only damage events report it, as in real toolkits. */
  scroll(which: string, top: number): void {
    const { window, widget } = this.world.widget(which);
    if (widget.list) widget.list.top = Math.max(1, Math.min(top, widget.list.total - widget.list.shown + 1));
    else if (widget.table)
      widget.table.top = Math.max(1, Math.min(top, widget.table.rows - widget.table.shownRows + 1));
    else if (widget.scroll) widget.scroll.offset = Math.max(0, top);
    else throw new DesktopError('bad_arguments', 'That element does not scroll.');
    this.damage(window, widget);
  }

  /** An app copies a text to the clipboard; `secret`: and marks it as a password. */
  copy(window: string, text: string, { secret = false } = {}): void {
    const { app } = this.world.window(window);
    this.world.clipboard = { text, by: app, ...(secret && { secret }) };
    this.world.events.emit({ type: 'clipboard', pid: app.pid });
  }

  notify(text: string, app?: string): void {
    this.world.events.emit({ type: 'notification', text: cleanName(text).text, ...(app && { app }) });
  }

  /** The event source is lost for a moment. */
  loseEvents(reason: string): void {
    this.world.events.emit({ type: 'lost', reason });
  }

  /** User input at mouse and keyboard; `stop` is Escape twice. */
  userInput(...kinds: UserInputKind[]): void {
    for (const kind of kinds) this.world.userInput.emit(kind);
  }

  /** User input can no longer be detected. */
  loseUserInput(reason: string): void {
    this.world.userInput.lose(reason);
  }

  /** Stops an app as SIGSTOP does: it stays on the screen and does not answer. */
  hang(window: string): void {
    this.world.window(window).app.hung = true;
  }

  resume(window: string): void {
    const { app } = this.world.window(window);
    app.hung = false;
    wakeReaders(app);
  }

  /** Every reply of the app takes this long. */
  slow(window: string, latencyMs: number): void {
    this.world.window(window).app.latencyMs = latencyMs;
  }

  kill(window: string): void {
    const { app } = this.world.window(window);
    app.dead = true;
    wakeReaders(app);
    for (const main of this.world.windows.filter((w) => w.app === app && !w.of)) this.closeWindow(main.id);
    for (const own of this.world.windows.filter((w) => w.app === app)) this.closeWindow(own.id);
  }

  /** The app dies during a read, after this many elements. */
  killDuringRead(window: string, elements: number): void {
    this.world.window(window).app.diesAfter = elements;
  }

  private of(window: FakeWindow): { window: string; pid: number } {
    return { window: window.id, pid: window.app.pid };
  }

  private damage(window: FakeWindow, widget: Widget): void {
    const stack = [this.world.placed(window)];
    for (let placed = stack.pop(); placed; placed = stack.pop()) {
      if (placed.widget.id === widget.id && placed.visibleBox) {
        this.world.events.emit({ type: 'damage', ...this.of(window), box: placed.visibleBox });
        return;
      }
      stack.push(...placed.children);
    }
  }
}

function windowDetails({ spec: { title, role = 'window' }, app: { name, program } }: FakeWindow) {
  return { ...titleOf(title), app: name, program, role };
}

function wakeReaders(app: FakeApp): void {
  for (const wake of [...app.waiting]) wake();
}
