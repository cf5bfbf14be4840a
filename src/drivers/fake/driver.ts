import { DesktopError } from '../../shared/index.js';
import { cleanName, cleanText, type Point, type WindowNode } from '../../tree/index.js';
import {
  CAPABILITIES,
  type CapabilityState,
  type CallOptions,
  type Caret,
  type Capability,
  type Clipboard,
  type Driver,
  type DriverDescription,
  type EventStream,
  type Finding,
  type Found,
  type ActOptions,
  type PatternAct,
  type PatternAnswer,
  type Screenshot,
  type CaptureArea,
  type ScreenshotOptions,
  type RangeAnswer,
  type RangeRequest,
  type ReadAnswer,
  type ReadOptions,
  type ReadScope,
  type TextAnswer,
  type WindowAnswer,
  type WindowChange,
  type WindowsAnswer,
} from '../contract/index.js';
import type { FakeActs } from './acts.js';
import { capture } from './capture.js';
import type { FakeWindowManager } from './window-manager.js';
import { ask, goOn } from './gate.js';
import { FakeHands } from './input-device.js';
import { found, pathAt, pathTo, type Placed, windowAt } from './layout.js';
import type { NodeContext } from './node.js';
import { rangeOf, readPlaced } from './read.js';
import { type DesktopSpec, isSecret, textOf } from './spec.js';
import type { FakeWindow, World } from './world.js';

/** Reads a fake desktop through the same contract, and with the same failures, as a real one. */
export class FakeDriver implements Driver {
  atPoint?: Driver['atPoint'];
  focused?: Driver['focused'];
  text?: Driver['text'];
  caret?: Driver['caret'];
  range?: Driver['range'];
  picture?: Driver['picture'];
  act?: Driver['act'];
  changeWindow?: Driver['changeWindow'];
  readonly hands?: FakeHands;
  readonly humans?: Driver['humans'];
  readonly clipboard?: Clipboard;
  private closed = false;

  constructor(
    private readonly world: World,
    private readonly without: DesktopSpec['without'] = {},
    acts?: FakeActs,
    manager?: FakeWindowManager,
  ) {
    if (manager && !without.changeWindow) {
      this.changeWindow = (id, change, options) => this.change(manager, id, change, options);
    }
    if (manager && !without.clipboard) this.clipboard = clipboardOf(world, () => this.ready());
    if (acts && !without.act) this.act = (element, act, options) => this.actOn(acts, element, act, options);
    if (acts && !without.hands) this.hands = new FakeHands(world, acts);
    if (!without.humans) this.humans = ({ signal }) => this.world.humans.watch(signal);
    if (!without.atPoint) this.atPoint = (point, options) => this.readPoint(point, options);
    if (!without.focused) this.focused = (options) => this.readFocus(options);
    if (!without.text) this.text = (element, span, options) => this.readText(element, span, options);
    if (!without.text) this.caret = (element) => this.readCaret(element);
    if (!without.range) this.range = (element, range, options) => this.readRange(element, range, options);
    if (!without.picture) this.picture = (area, options) => this.takePicture(area, options);
  }

  describe(): DriverDescription {
    const ability = (name: Capability): CapabilityState => {
      const reason = this.without?.[name as keyof NonNullable<DesktopSpec['without']>];
      return reason === undefined ? { can: 'yes' } : { can: 'no', reason };
    };
    const abilities = Object.fromEntries(CAPABILITIES.map((name) => [name, ability(name)]));
    return {
      kind: 'fake',
      name: 'fake desktop',
      version: '1',
      abilities: abilities as Record<Capability, CapabilityState>,
    };
  }

  async windows({ deadline }: CallOptions): Promise<WindowsAnswer> {
    this.ready();
    deadline.throwIfOver('Listing the windows');
    const passed = this.world.passed.splice(0);
    return {
      windows: this.world.windows.map((window) => this.windowNode(window)),
      ...(passed.length > 0 && { passed }),
    };
  }

  async read(scope: ReadScope, options: ReadOptions): Promise<ReadAnswer> {
    this.ready();
    const window = 'window' in scope ? this.world.window(scope.window) : this.world.widget(scope.element).window;
    await ask(window.app, this.world.hungAfterMs, options.deadline);
    // The app may have changed while it kept us waiting.
    const root = 'window' in scope ? this.world.placed(window) : this.place(scope.element).placed;
    const step = () => goOn(window.app, this.world.hungAfterMs, options.deadline);
    const context: NodeContext = { ...this.context(window), detail: options.detail === true };
    if (window.spec.hasTree !== false) return readPlaced(root, context, options, step);
    const bare = await readPlaced({ ...root, children: [] }, context, options, step);
    return { ...bare, degraded: { reason: 'this app has no accessibility tree' } };
  }

  events({ signal }: { signal: AbortSignal }): EventStream {
    this.ready();
    return this.world.events.listen(signal);
  }

  async doctor(): Promise<Finding[]> {
    this.ready();
    const hung = [...this.world.apps.values()].filter((app) => app.hung && !app.dead);
    return [
      { level: 'ok', what: `fake desktop, ${this.world.windows.length} windows` },
      ...hung.map((app): Finding => ({ level: 'warn', what: `${app.name} does not answer`, fix: `kill ${app.pid}` })),
    ];
  }

  async close(): Promise<void> {
    this.closed = true;
    this.world.humans.close();
    this.world.events.close();
  }

  private async actOn(
    acts: FakeActs,
    element: string,
    act: PatternAct,
    { deadline, lastLook }: ActOptions,
  ): Promise<PatternAnswer> {
    this.ready();
    const { window } = this.world.widget(element);
    await ask(window.app, this.world.hungAfterMs, deadline);
    await lastLook?.();
    const answer = acts.pattern(element, act);
    // An app that hangs on what it was asked to do took the question first.
    await ask(window.app, this.world.hungAfterMs, deadline).catch((error: unknown) => {
      if (!(error instanceof DesktopError)) throw error;
      const { hint, details } = error;
      throw new DesktopError(error.code, error.message, {
        hint,
        details,
        delivered: 'unknown',
        retry: 'no',
        cause: error,
      });
    });
    return answer;
  }

  private async change(
    manager: FakeWindowManager,
    id: string,
    change: WindowChange,
    { deadline }: CallOptions,
  ): Promise<WindowAnswer> {
    this.ready();
    deadline.throwIfOver('Changing the window');
    const window = this.world.window(id);
    manager.change(window, change);
    const open = this.world.windows.includes(window);
    return { ...(open && { window: this.windowNode(window) }), confirmedBy: 'the fake desktop' };
  }

  private async readPoint(point: Point, { deadline }: CallOptions): Promise<Found | undefined> {
    this.ready();
    const window = windowAt(this.world.windows, point);
    if (!window) return undefined;
    await ask(window.app, this.world.hungAfterMs, deadline);
    return found(pathAt(this.world.placed(window), point), this.context(window));
  }

  private async readFocus({ deadline }: CallOptions): Promise<Found | undefined> {
    this.ready();
    const window = this.world.active;
    if (!window?.focus) return undefined;
    await ask(window.app, this.world.hungAfterMs, deadline);
    return found(pathTo(this.world.placed(window), window.focus.id), this.context(window));
  }

  /** At the end, where all that is typed goes. */
  private async readCaret(element: string): Promise<Caret> {
    this.ready();
    const { widget } = this.world.widget(element);
    const at = [...textOf({ ...widget, name: '' })].length;
    return { start: at, end: at };
  }

  private async readText(
    element: string,
    span: { start: number; end: number },
    { deadline }: CallOptions,
  ): Promise<TextAnswer> {
    this.ready();
    const { window, widget } = this.world.widget(element);
    await ask(window.app, this.world.hungAfterMs, deadline);
    if (isSecret(widget)) {
      throw new DesktopError('not_supported', 'That is a password field: its text is never read.', { retry: 'no' });
    }
    const all = [...cleanText(textOf(widget)).text];
    const start = Math.max(0, Math.min(span.start, all.length));
    const end = Math.max(start, Math.min(span.end, all.length));
    return { text: all.slice(start, end).join(''), start, end, total: all.length };
  }

  private async readRange(element: string, request: RangeRequest, { deadline }: CallOptions): Promise<RangeAnswer> {
    this.ready();
    const { app } = this.world.widget(element).window;
    await ask(app, this.world.hungAfterMs, deadline);
    const { placed, window } = this.place(element);
    return rangeOf(placed.widget, request, placed, this.context(window));
  }

  private async takePicture(
    area: CaptureArea | undefined,
    { deadline, cursor }: ScreenshotOptions,
  ): Promise<Screenshot> {
    this.ready();
    deadline.throwIfOver('Taking a picture');
    return capture(this.world, area, cursor ? await this.hands?.pointer() : undefined);
  }

  /** An element with its place; one that is made at each ask (a far row) has none. */
  private place(element: string): { window: FakeWindow; placed: Placed } {
    const { window, widget } = this.world.widget(element);
    const placed = pathTo(this.world.placed(window), widget.id).at(-1);
    return { window, placed: placed ?? { widget, hidden: false, children: [] } };
  }

  private context(window: FakeWindow): NodeContext {
    return { window, active: this.world.active === window };
  }

  private windowNode(window: FakeWindow): WindowNode {
    const { spec, app, bounds, of } = window;
    return {
      id: window.id,
      title: cleanName(spec.title).text,
      app: app.name,
      pid: app.pid,
      program: app.program,
      role: spec.role ?? 'window',
      bounds,
      visible: !spec.hidden && !spec.minimised,
      minimised: spec.minimised === true,
      maximised: spec.maximised === true,
      active: this.world.active === window,
      monitor: 1,
      hasTree: spec.hasTree !== false,
      ...(spec.modal && { modal: true }),
      ...(spec.menu && { menu: true }),
      ...(of !== undefined && { of }),
      ...(app.hung && { hung: true }),
    };
  }

  private ready(): void {
    if (!this.closed) return;
    throw new DesktopError('driver_unavailable', 'This desktop was closed.', { hint: 'Open it again.' });
  }
}

function clipboardOf(world: World, ready: () => void): Clipboard {
  return {
    read: async ({ deadline }) => {
      ready();
      deadline.throwIfOver('Reading the clipboard');
      return world.copied?.text;
    },
    write: async (text, { deadline }) => {
      ready();
      deadline.throwIfOver('Writing to the clipboard');
      world.copied = { text };
    },
    owner: async () => {
      ready();
      const { by } = world.copied ?? {};
      return by && { pid: by.pid, name: by.name, program: by.program };
    },
  };
}
