import { DesktopError } from '../../shared/index.js';
import { cleanText, type Point, type WindowNode } from '../../tree/index.js';
import {
  ActCheckpoints,
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
  type HitTestOptions,
  type ActOptions,
  type ActStep,
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
import type { FakeActions } from './acts.js';
import { capture } from './capture.js';
import type { FakeWindowManager } from './window-manager.js';
import { waitForApp, continueRead } from './gate.js';
import { FakeInputDevice } from './input-device.js';
import { toFound, pathAt, pathTo, type PlacedWidget, windowAt } from './layout.js';
import type { NodeContext } from './node.js';
import { readRange, readPlaced } from './read.js';
import { type DesktopSpec, isSecret, textOf, type Widget } from './spec.js';
import { titleOf, type FakeWindow, type World } from './world.js';

/** Methods that a desktop in memory does not need. */
const NEVER: Partial<Record<Capability, string>> = {
  waitForTreeSync: 'The tree of a fake desktop is never older than what it shows.',
  releaseScreenshot: 'A fake desktop draws each screenshot into new memory.',
  lost: 'A fake desktop ends only with its process.',
};

/** Exposes a fake desktop through the same contract, and with the same failures, as a real one. */
export class FakeDriver implements Driver {
  read?: Driver['read'];
  atPoint?: Driver['atPoint'];
  focused?: Driver['focused'];
  text?: Driver['text'];
  caret?: Driver['caret'];
  pages?: Driver['pages'];
  keyBindings?: Driver['keyBindings'];
  range?: Driver['range'];
  screenshot?: Driver['screenshot'];
  act?: Driver['act'];
  changeWindow?: Driver['changeWindow'];
  readonly input?: FakeInputDevice;
  readonly userInput?: Driver['userInput'];
  readonly clipboard?: Clipboard;
  resume?: Driver['resume'];
  private readonly checkpoints = new ActCheckpoints();
  private closed = false;

  constructor(
    private readonly world: World,
    private readonly without: DesktopSpec['without'] = {},
    acts?: FakeActions,
    manager?: FakeWindowManager,
  ) {
    if (manager && !without.changeWindow) {
      this.changeWindow = (id, change, options) => this.change(manager, id, change, options);
    }
    if (manager && !without.clipboard) this.clipboard = createClipboard(world, () => this.assertOpen());
    if (acts && !without.act) this.act = (element, act, options) => this.performAction(acts, element, act, options);
    if (acts && !without.input) this.input = new FakeInputDevice(world, acts, this.checkpoints);
    if (this.act ?? this.input) this.resume = (...given) => this.checkpoints.resume(...given);
    if (!without.userInput) this.userInput = ({ signal }) => this.world.userInput.watch(signal);
    if (!without.read) this.read = (scope, options) => this.readTree(scope, options);
    if (!without.atPoint) this.atPoint = (point, options) => this.readPoint(point, options);
    if (!without.focused) this.focused = (options) => this.readFocus(options);
    if (!without.text) this.text = (element, span, options) => this.readText(element, span, options);
    if (!without.text && !without.caret) this.caret = (element) => this.readCaret(element);
    if (!without.pages) this.pages = (element, options) => this.readPages(element, options);
    if (!without.keyBindings) this.keyBindings = (elements, options) => this.readKeyBindings(elements, options);
    if (!without.range) this.range = (element, range, options) => this.readRange(element, range, options);
    if (!without.screenshot) this.screenshot = (area, options) => this.takeScreenshot(area, options);
  }

  describe(): DriverDescription {
    const { without = {} } = this;
    const missing: Partial<Record<Capability, string>> = {
      ...NEVER,
      ...(without.text !== undefined && { caret: without.text }),
      ...(!this.resume && { resume: 'Nothing can be done on this desktop.' }),
      ...without,
    };
    const stateOf = (name: Capability): CapabilityState => {
      const reason = missing[name];
      return reason === undefined ? { can: 'yes' } : { can: 'no', reason };
    };
    const capabilities = Object.fromEntries(CAPABILITIES.map((name) => [name, stateOf(name)]));
    return {
      kind: 'fake',
      name: 'fake desktop',
      version: '1',
      capabilities: capabilities as Record<Capability, CapabilityState>,
    };
  }

  async windows({ deadline }: CallOptions): Promise<WindowsAnswer> {
    this.assertOpen();
    deadline.throwIfOver('Listing the windows');
    const passed = this.world.titleChanges.splice(0);
    return {
      windows: this.world.windows.map((window) => this.windowNode(window)),
      ...(passed.length > 0 && { passed }),
    };
  }

  private async readTree(scope: ReadScope, options: ReadOptions): Promise<ReadAnswer> {
    this.assertOpen();
    const window = 'window' in scope ? this.world.window(scope.window) : this.world.widget(scope.element).window;
    await waitForApp(window.app, this.world.hungAfterMs, options.deadline);
    // The app may have changed during the wait.
    const root = 'window' in scope ? this.world.placed(window) : this.locate(scope.element).placed;
    const step = () => continueRead(window.app, this.world.hungAfterMs, options.deadline);
    const context: NodeContext = { ...this.context(window), detail: options.detail === true };
    if (window.spec.hasTree !== false) return readPlaced(root, context, options, step);
    const bare = await readPlaced({ ...root, children: [] }, context, options, step);
    return { ...bare, degraded: { reason: 'this app has no accessibility tree' } };
  }

  events({ signal }: { signal: AbortSignal }): EventStream {
    this.assertOpen();
    return this.world.events.listen(signal);
  }

  async doctor(): Promise<Finding[]> {
    this.assertOpen();
    const hungApps = [...this.world.apps.values()].filter((app) => app.hung && !app.dead);
    return [
      { level: 'ok', what: `fake desktop, ${this.world.windows.length} windows` },
      ...hungApps.map((app): Finding => ({
        level: 'warn',
        what: `${app.name} does not answer`,
        fix: `kill ${app.pid}`,
        app: { pid: app.pid, name: app.name, program: app.program },
      })),
    ];
  }

  async close(): Promise<void> {
    this.closed = true;
    this.checkpoints.close();
    this.world.userInput.close();
    this.world.events.close();
  }

  private async performAction(
    acts: FakeActions,
    element: string,
    act: PatternAct,
    options: ActOptions,
  ): Promise<ActStep<PatternAnswer>> {
    this.assertOpen();
    return this.checkpoints.run(options, 'The act', async (gate, deadline) => {
      const { window } = this.world.widget(element);
      await waitForApp(window.app, this.world.hungAfterMs, deadline);
      await gate.pass('ready');
      const answer = acts.pattern(element, act);
      // An app that hangs because of the act has received it.
      await waitForApp(window.app, this.world.hungAfterMs, deadline).catch((error: unknown) => {
        if (!(error instanceof DesktopError)) throw error;
        throw error.with({ delivered: 'unknown', retry: 'no', cause: error });
      });
      return answer;
    });
  }

  private async change(
    manager: FakeWindowManager,
    id: string,
    change: WindowChange,
    { deadline }: CallOptions,
  ): Promise<WindowAnswer> {
    this.assertOpen();
    deadline.throwIfOver('Changing the window');
    const window = this.world.window(id);
    manager.change(window, change);
    const open = this.world.windows.includes(window);
    return { ...(open && { window: this.windowNode(window) }), confirmedBy: 'the fake desktop' };
  }

  private async readPoint(point: Point, { deadline, beneath = [] }: HitTestOptions): Promise<Found | undefined> {
    this.assertOpen();
    const counted = this.world.windows.filter(({ id }) => !beneath.includes(id));
    const window = windowAt(counted, point);
    if (!window) return undefined;
    await waitForApp(window.app, this.world.hungAfterMs, deadline);
    return toFound(pathAt(this.world.placed(window), point), this.context(window));
  }

  private async readFocus({ deadline }: CallOptions): Promise<Found | undefined> {
    this.assertOpen();
    const window = this.world.active;
    if (!window?.focus) return undefined;
    await waitForApp(window.app, this.world.hungAfterMs, deadline);
    return toFound(pathTo(this.world.placed(window), window.focus.id), this.context(window));
  }

  /** At the end, where all typed text goes. */
  private async readCaret(element: string): Promise<Caret> {
    this.assertOpen();
    const { widget } = this.world.widget(element);
    const at = [...textOf({ ...widget, name: '' })].length;
    return { start: at, end: at };
  }

  private async readPages(element: string, { deadline }: CallOptions): Promise<(string | null)[]> {
    this.assertOpen();
    const { window, widget } = this.world.widget(element);
    await waitForApp(window.app, this.world.hungAfterMs, deadline);
    const pages: (string | null)[] = [];
    for (let one: Widget | undefined = widget; one; one = one.parent) if (one.url !== undefined) pages.push(one.url);
    return pages;
  }

  private async readKeyBindings(elements: readonly string[], { deadline }: CallOptions): Promise<string[][]> {
    this.assertOpen();
    const widgets = elements.map((element) => this.world.widget(element));
    const apps = new Set(widgets.map(({ window }) => window.app));
    for (const app of apps) await waitForApp(app, this.world.hungAfterMs, deadline);
    return widgets.map(({ widget: { mnemonic, accelerator, hidesKeys } }) =>
      hidesKeys ? [] : [...(mnemonic ? [`alt+${mnemonic}`] : []), ...(accelerator ? [accelerator] : [])],
    );
  }

  private async readText(
    element: string,
    span: { start: number; end: number },
    { deadline }: CallOptions,
  ): Promise<TextAnswer> {
    this.assertOpen();
    const { window, widget } = this.world.widget(element);
    await waitForApp(window.app, this.world.hungAfterMs, deadline);
    if (isSecret(widget)) {
      throw new DesktopError('not_supported', 'That is a password field: its text is never read.', { retry: 'no' });
    }
    const characters = [...cleanText(textOf(widget)).text];
    const start = Math.max(0, Math.min(span.start, characters.length));
    const end = Math.max(start, Math.min(span.end, characters.length));
    return { text: characters.slice(start, end).join(''), start, end, total: characters.length };
  }

  private async readRange(element: string, request: RangeRequest, { deadline }: CallOptions): Promise<RangeAnswer> {
    this.assertOpen();
    const { app } = this.world.widget(element).window;
    await waitForApp(app, this.world.hungAfterMs, deadline);
    const { placed, window } = this.locate(element);
    return readRange(placed.widget, request, placed, this.context(window));
  }

  private async takeScreenshot(
    area: CaptureArea | undefined,
    { deadline, cursor }: ScreenshotOptions,
  ): Promise<Screenshot> {
    this.assertOpen();
    deadline.throwIfOver('Taking a screenshot');
    return capture(this.world, area, cursor ? await this.input?.pointer() : undefined);
  }

  /** An element with its position. An element that is created for each read (a row far away) has none. */
  private locate(element: string): { window: FakeWindow; placed: PlacedWidget } {
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
      ...titleOf(spec.title),
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

  private assertOpen(): void {
    if (!this.closed) return;
    throw new DesktopError('driver_unavailable', 'This desktop was closed.', { hint: 'Open it again.' });
  }
}

function createClipboard(world: World, assertOpen: () => void): Clipboard {
  return {
    read: async ({ deadline }) => {
      assertOpen();
      deadline.throwIfOver('Reading the clipboard');
      return world.clipboard?.text;
    },
    write: async (text, { deadline }) => {
      assertOpen();
      deadline.throwIfOver('Writing to the clipboard');
      world.clipboard = { text };
    },
    owner: async () => {
      assertOpen();
      const { by, secret } = world.clipboard ?? {};
      return by && { pid: by.pid, name: by.name, program: by.program, ...(secret && { secret }) };
    },
  };
}
