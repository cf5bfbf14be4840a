import type { Capabilities, ToolArgs, ToolName, ToolResult } from '../../tools/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { launchApp } from './app.js';
import type { AuditLog } from './audit-log.js';
import { checkOptions, BOOLEAN, STRING, readTimeout, INTEGER, listOf, oneOf, ABORT_SIGNAL } from './check-options.js';
import { keepAliveWhile, type Link } from './link.js';
import { ElementLocator } from './locator/locator.js';
import { SearchScope, type WindowQuery } from './locator/search-scope.js';
import { LocatorFactory } from './locator/locator-factory.js';
import type { SelectorBuilder } from './locator/selector-builder.js';
import {
  Secret,
  type Condition,
  type LaunchOptions,
  type ScreenCaptureOptions,
  type SnapshotOptions,
  type Timeout,
} from './options.js';
import { toFrame, takeSnapshot } from './snapshot.js';
import type {
  ActResult,
  App,
  Clipboard,
  Desktop,
  DesktopEvent,
  DesktopWindow,
  EventType,
  Frame,
  Keyboard,
  Locator,
  Mouse,
  Snapshot,
} from './surface.js';
import { ScopedWindow } from './window.js';
import type { FollowItem } from '../../host/index.js';

/** Longer than for acts: what a program waits for has often not even started. */
const DEFAULT_WAIT_MS = 10_000;
const WHOLE_DESKTOP = new SearchScope({ kind: 'any' });

interface OpenedDesktop {
  name: string;
  link: Link;
  audit: AuditLog;
  /** Ends the connection; called once. */
  end: () => Promise<void>;
}

export class ConnectedDesktop extends LocatorFactory implements Desktop {
  readonly name: string;
  readonly keyboard: Keyboard;
  readonly mouse: Mouse;
  readonly clipboard: Clipboard;
  readonly audit: AuditLog;
  private readonly link: Link;
  private ending: Promise<void> | undefined;

  constructor(private readonly opened: OpenedDesktop) {
    super();
    ({ name: this.name, link: this.link, audit: this.audit } = opened);
    this.keyboard = createKeyboard(this.link);
    this.mouse = createMouse(this.link);
    this.clipboard = createClipboard(this.link);
  }

  launch(command: string, options: LaunchOptions = {}): Promise<App> {
    return launchApp(this.link, command, options);
  }

  async windows(options: { hidden?: boolean } = {}): Promise<WindowInfo[]> {
    checkOptions('windows()', options, { hidden: BOOLEAN });
    return (await this.call('ui_list_windows', { hidden: options.hidden })).windows;
  }

  window(query?: string | RegExp | { app?: string; pid?: number }): DesktopWindow {
    return new ScopedWindow(this.link, new SearchScope(toWindowQuery(query)));
  }

  snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.explainErrors('snapshot()', () => takeSnapshot(this.link, { ...options, window: '*' }));
  }

  async capture({ maxSize = 0, region, ...options }: ScreenCaptureOptions = {}): Promise<Frame> {
    const part = region && { region: [region.x, region.y, region.width, region.height] };
    return toFrame(await this.call('ui_capture', { ...options, ...part, maxSize }));
  }

  async waitFor(condition: Condition, options?: Timeout): Promise<void> {
    const timeoutMs = readTimeout('waitFor()', options) ?? DEFAULT_WAIT_MS;
    const expression = `waitFor(${JSON.stringify(condition)})`;
    await this.explainErrors(expression, () => this.link.call('ui_wait', { until: condition, timeoutMs }));
  }

  async waitForWindow(title: string | RegExp, options?: Timeout): Promise<DesktopWindow> {
    const timeoutMs = readTimeout('waitForWindow()', options) ?? DEFAULT_WAIT_MS;
    const scope = new SearchScope(toWindowQuery(title));
    const expression = `waitForWindow(${typeof title === 'string' ? JSON.stringify(title) : String(title)})`;
    const { ref } = await new ScopedWindow(this.link, scope).waitUntilFound(expression, timeoutMs);
    return this.window(ref);
  }

  events(options: { types?: EventType[]; signal?: AbortSignal } = {}): AsyncIterable<DesktopEvent> {
    return streamEvents(this.link, options);
  }

  async call<T extends ToolName>(tool: T, args: ToolArgs[T]): Promise<ToolResult[T]> {
    const { json } = await this.explainErrors(`call(${JSON.stringify(tool)}, …)`, () => this.link.call(tool, args));
    return json as unknown as ToolResult[T];
  }

  capabilities(): Promise<Capabilities> {
    return this.call('ui_capabilities', {});
  }

  close(): Promise<void> {
    this.ending ??= this.opened.end();
    return this.ending;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  protected createLocator(selector: SelectorBuilder): Locator {
    return new ElementLocator(this.link, WHOLE_DESKTOP, selector);
  }

  private async explainErrors<T>(expression: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.link.explain(error, { expression });
    }
  }
}

function toWindowQuery(query: string | RegExp | { app?: string; pid?: number } | undefined): WindowQuery {
  if (query === undefined) return { kind: 'active' };
  if (typeof query === 'string') return { kind: 'title', title: query };
  if (query instanceof RegExp) return { kind: 'pattern', pattern: query };
  checkOptions('window()', query, { app: STRING, pid: INTEGER });
  return { kind: 'owner', ...query };
}

/** An act without a target element. Errors are explained as for all calls. */
async function actWithoutTarget(link: Link, expression: string, tool: string, args: object): Promise<ActResult> {
  try {
    return (await link.call(tool, args)).json as unknown as ActResult;
  } catch (error) {
    throw await link.explain(error, { expression });
  }
}

function createKeyboard(link: Link): Keyboard {
  return {
    press: (keys, { method: _method, ...options } = {}) =>
      actWithoutTarget(link, 'keyboard.press(…)', 'ui_key', { ...options, keys }),
    type: (text, options) => {
      const what = text instanceof Secret ? { secret: text.name } : { text };
      return actWithoutTarget(link, 'keyboard.type(…)', 'ui_type', { ...options, ...what });
    },
  };
}

function createMouse(link: Link): Mouse {
  return {
    click: (x, y, options) => actWithoutTarget(link, `mouse.click(${x}, ${y})`, 'ui_click_xy', { ...options, x, y }),
    dblclick: (x, y, options) =>
      actWithoutTarget(link, `mouse.dblclick(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, count: 2 }),
    move: (x, y, options) =>
      actWithoutTarget(link, `mouse.move(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, action: 'move' }),
  };
}

function createClipboard(link: Link): Clipboard {
  return {
    read: async () => (await actWithoutTarget(link, 'clipboard.read()', 'ui_clipboard', { action: 'read' })).read,
    write: (text) => actWithoutTarget(link, 'clipboard.write(…)', 'ui_clipboard', { action: 'write', text }),
  };
}

/** Without a reader the oldest events are dropped, so that a sleeping program does not fill its memory. */
const MAX_QUEUED = 10_000;

const EVENT_TYPES: Record<EventType, true> = {
  ...{ opened: true, closed: true, title: true, active: true, focus: true, changed: true, notification: true },
  ...{ lost: true, pause: true, resume: true, stop: true, continue: true, unwatched: true },
};
const EVENTS_OPTIONS = { types: listOf(oneOf(...Object.keys(EVENT_TYPES))), signal: ABORT_SIGNAL };

/** Streams events from now on. The subscription starts at once, and later calls wait until it is active. */
function streamEvents(link: Link, options: { types?: EventType[]; signal?: AbortSignal }): AsyncIterable<DesktopEvent> {
  checkOptions('events()', options, EVENTS_OPTIONS);
  const { types, signal } = options;
  const queue: DesktopEvent[] = [];
  const closing = new AbortController();
  let wake = (): void => undefined;
  let failure: unknown;
  let ended = false;
  const end = (error?: unknown): void => {
    ended = true;
    failure = closing.signal.aborted || signal?.aborted || link.isClosed ? undefined : error;
    wake();
  };
  let subscribed = (): void => undefined;
  const subscription = new Promise<void>((resolve) => (subscribed = resolve));
  const onItem = (item: unknown): void => {
    subscribed();
    const { events } = item as FollowItem;
    queue.push(...(events as DesktopEvent[]).filter(({ what }) => !types || types.includes(what)));
    if (queue.length > MAX_QUEUED) queue.splice(0, queue.length - MAX_QUEUED);
    wake();
  };
  const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  link
    .request('follow', { args: {}, caller: link.caller, ready: true }, { onItem, signal: either, background: true })
    .then(() => end(), end)
    .finally(subscribed);
  link.holdCallsUntil(subscription);
  return { [Symbol.asyncIterator]: () => readEvents() };

  async function* readEvents(): AsyncGenerator<DesktopEvent> {
    try {
      for (;;) {
        yield* queue.splice(0);
        if (queue.length > 0) continue;
        if (ended) break;
        await keepAliveWhile(new Promise<void>((resolve) => (wake = resolve)));
      }
      if (failure !== undefined) throw await link.explain(failure, { expression: 'events()' });
    } finally {
      closing.abort();
    }
  }
}
