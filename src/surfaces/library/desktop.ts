import type { Capabilities, ToolArgs, ToolName, ToolResult } from '../../tools/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { startApp } from './app.js';
import type { AuditLog } from './audit-log.js';
import { checkOptions, FLAG, TEXT, timeoutIn, WHOLE } from './check-options.js';
import { eventsOf } from './events.js';
import type { Link } from './link.js';
import { ElementLocator } from './locator/locator.js';
import { Place, type Which } from './locator/place.js';
import { Looking } from './locator/scope.js';
import type { SelectorParts } from './locator/selector-builder.js';
import {
  type Condition,
  type LaunchOptions,
  type ScreenCaptureOptions,
  Secret,
  type SnapshotOptions,
  type Timeout,
} from './options.js';
import { frameOf, snapshotOf } from './snapshot.js';
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
import { PlacedWindow } from './window.js';

/** Conditions have more time than acts: what one waits for has usually not begun. */
const WAIT_MS = 10_000;
const EVERYWHERE = new Place({ kind: 'any' });

export interface OpenedDesktop {
  name: string;
  link: Link;
  audit: AuditLog;
  /** Ends it; called once. */
  end: () => Promise<void>;
}

export class LinkedDesktop extends Looking implements Desktop {
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
    this.keyboard = keyboardOf(this.link);
    this.mouse = mouseOf(this.link);
    this.clipboard = clipboardOf(this.link);
  }

  launch(command: string, options: LaunchOptions = {}): Promise<App> {
    return startApp(this.link, command, options);
  }

  async windows(options: { hidden?: boolean } = {}): Promise<WindowInfo[]> {
    checkOptions('windows()', options, { hidden: FLAG });
    return (await this.call('ui_list_windows', { hidden: options.hidden })).windows;
  }

  window(which?: string | RegExp | { app?: string; pid?: number }): DesktopWindow {
    return new PlacedWindow(this.link, new Place(whichOf(which)));
  }

  snapshot(options: SnapshotOptions = {}): Promise<Snapshot> {
    return this.told('snapshot()', () => snapshotOf(this.link, { ...options, window: '*' }));
  }

  async capture({ maxSize = 0, region, ...options }: ScreenCaptureOptions = {}): Promise<Frame> {
    const part = region && { region: [region.x, region.y, region.width, region.height] };
    return frameOf(await this.call('ui_capture', { ...options, ...part, maxSize }));
  }

  async waitFor(condition: Condition, options?: Timeout): Promise<void> {
    const timeoutMs = timeoutIn('waitFor()', options) ?? WAIT_MS;
    const said = `waitFor(${JSON.stringify(condition)})`;
    await this.told(said, () => this.link.call('ui_wait', { until: condition, timeoutMs }));
  }

  async waitForWindow(title: string | RegExp, options?: Timeout): Promise<DesktopWindow> {
    const timeoutMs = timeoutIn('waitForWindow()', options) ?? WAIT_MS;
    const place = new Place(whichOf(title));
    const said = `waitForWindow(${typeof title === 'string' ? JSON.stringify(title) : String(title)})`;
    const { ref } = await new PlacedWindow(this.link, place).found(said, timeoutMs);
    return this.window(ref);
  }

  events(options: { types?: EventType[]; signal?: AbortSignal } = {}): AsyncIterable<DesktopEvent> {
    return eventsOf(this.link, options);
  }

  async call<T extends ToolName>(tool: T, args: ToolArgs[T]): Promise<ToolResult[T]> {
    const { json } = await this.told(`call(${JSON.stringify(tool)}, …)`, () => this.link.call(tool, args));
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

  protected inside(parts: SelectorParts): Locator {
    return new ElementLocator(this.link, EVERYWHERE, parts);
  }

  private async told<T>(said: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await this.link.tell(error, { said });
    }
  }
}

function whichOf(which: string | RegExp | { app?: string; pid?: number } | undefined): Which {
  if (which === undefined) return { kind: 'active' };
  if (typeof which === 'string') return { kind: 'title', title: which };
  if (which instanceof RegExp) return { kind: 'pattern', pattern: which };
  checkOptions('window()', which, { app: TEXT, pid: WHOLE });
  return { kind: 'owner', ...which };
}

/** An act without a target; a failure is told as everywhere. */
async function act(link: Link, said: string, tool: string, args: object): Promise<ActResult> {
  try {
    return (await link.call(tool, args)).json as unknown as ActResult;
  } catch (error) {
    throw await link.tell(error, { said });
  }
}

export function keyboardOf(link: Link): Keyboard {
  return {
    press: (keys, { method: _method, ...options } = {}) =>
      act(link, 'keyboard.press(…)', 'ui_key', { ...options, keys }),
    type: (text, options) => {
      const what = text instanceof Secret ? { secret: text.name } : { text };
      return act(link, 'keyboard.type(…)', 'ui_type', { ...options, ...what });
    },
  };
}

export function mouseOf(link: Link): Mouse {
  return {
    click: (x, y, options) => act(link, `mouse.click(${x}, ${y})`, 'ui_click_xy', { ...options, x, y }),
    dblclick: (x, y, options) => act(link, `mouse.dblclick(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, count: 2 }),
    move: (x, y, options) => act(link, `mouse.move(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, action: 'move' }),
  };
}

export function clipboardOf(link: Link): Clipboard {
  return {
    read: async () => (await act(link, 'clipboard.read()', 'ui_clipboard', { action: 'read' })).read,
    write: (text) => act(link, 'clipboard.write(…)', 'ui_clipboard', { action: 'write', text }),
  };
}
