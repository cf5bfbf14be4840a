import type { Clipboard, Driver, DriverEvent, EventStream, Found, TextAnswer } from '../../drivers/contract/index.js';
import type { TaintTracker } from '../../secrets/index.js';
import type { Node, WindowNode } from '../../tree/index.js';
import { Tabs, withoutHiddenTabs } from './hidden-tabs.js';

/**
 * Decorates a driver so that typed secrets are redacted from every text that it returns. Until a secret is typed,
 * answers pass through unchanged, except background tabs whose title `hides` matches: these are emptied.
 */
export function redactingDriver(
  driver: Driver,
  taint: TaintTracker,
  windowOf: (element: string) => string | undefined,
  hides: (title: string) => boolean = () => false,
  /** Records the tabs that elements are in, hidden or not. */
  tabs = new Tabs(),
): Driver {
  const tree = (root: Node, window: string): Node => taint.redactTree(root, window);
  const found = (one: Found | undefined): Found | undefined => {
    tabs.recordPath(one?.path ?? []);
    return one && { ...one, path: one.path.map((node) => tree(node, one.window)) };
  };
  const overrides: Partial<Driver> = {
    windows: async (options) => {
      const answer = await driver.windows(options);
      return !taint.needsTitles
        ? answer
        : { ...answer, windows: answer.windows.map((window) => redactTitle(taint, window)) };
    },
    read: async (scope, options) => {
      const answer = await driver.read!(scope, options);
      tabs.record(answer.root);
      const root = withoutHiddenTabs(answer.root, hides);
      if (taint.empty) return root === answer.root ? answer : { ...answer, root };
      const window = 'window' in scope ? scope.window : (windowOf(scope.element) ?? '');
      return { ...answer, root: tree(root, window) };
    },
    atPoint: async (point, options) => found(await driver.atPoint!(point, options)),
    focused: async (options) => found(await driver.focused!(options)),
    text: async (element, span, options) => {
      const answer = await driver.text!(element, span, options);
      if (taint.empty) return answer;
      const window = windowOf(element) ?? '';
      const mark = taint.fieldMark(element) ?? taint.windowMark(window);
      if (mark !== undefined) return hiddenText(mark);
      const part = {
        text: answer.text,
        ...(await surroundingText(answer, (span) => driver.text!(element, span, options))),
      };
      const text = taint.redactPart(part, { window });
      const back = text === answer.text ? undefined : taint.seenIn(element);
      return back === undefined ? { ...answer, text } : hiddenText(back);
    },
    range: async (element, range, options) => {
      const answer = await driver.range!(element, range, options);
      tabs.recordRows(element, answer.rows);
      const window = windowOf(element) ?? '';
      return taint.empty ? answer : { ...answer, rows: answer.rows.map((row) => tree(row, window)) };
    },
    events: (options) => redactingEvents(driver.events(options), taint),
  };
  const lastWritten = {};
  const replaced = new Map<PropertyKey, unknown>();
  return new Proxy(driver, {
    // A replaced method takes precedence over the redacting one.
    set(_, key, value) {
      replaced.set(key, value);
      return true;
    },
    defineProperty(_, key, { value }) {
      replaced.set(key, value);
      return true;
    },
    get(target, key): unknown {
      if (replaced.has(key)) return replaced.get(key);
      const value: unknown = Reflect.get(target, key, target);
      if (key === 'clipboard' && value !== undefined) return redactingClipboard(value as Clipboard, taint, lastWritten);
      const redacting =
        Object.hasOwn(overrides, key) && value !== undefined ? overrides[key as keyof Driver] : undefined;
      if (redacting) return redacting;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

const hiddenText = (mark: string): TextAnswer => ({ text: mark, start: 0, end: mark.length, total: mark.length });

/** In any encoding, 8 characters of a value are recognised within this many characters. */
const MARGIN = 1_000;

/** The text before and after a part: a value that only partly lies in the part is recognised only with them. */
async function surroundingText(
  { start, end, total }: TextAnswer,
  read: (span: { start: number; end: number }) => Promise<TextAnswer>,
): Promise<{ before: string; after: string }> {
  const [before, after] = await Promise.all([
    start > 0 ? read({ start: Math.max(0, start - MARGIN), end: start }) : undefined,
    end < total ? read({ start: end, end: Math.min(total, end + MARGIN) }) : undefined,
  ]);
  return { before: before?.text ?? '', after: after?.text ?? '' };
}

function redactTitle(taint: TaintTracker, window: WindowNode): WindowNode {
  taint.windowTitled(window.id, window.title);
  return { ...window, title: taint.redactSeen(window.title, { window: window.id }) };
}

/**
 * Callers read back unchanged what they wrote. Text that an app copied is withheld if it may come from a secret field.
 */
function redactingClipboard(clipboard: Clipboard, taint: TaintTracker, lastWritten: { text?: string }): Clipboard {
  return {
    ...(clipboard.owner && { owner: (options) => clipboard.owner!(options) }),
    write: async (text, options) => {
      await clipboard.write(text, options);
      lastWritten.text = text;
    },
    read: async (options) => {
      const text = await clipboard.read(options);
      if (text === undefined) return undefined;
      return text !== lastWritten.text && taint.copyMark !== undefined ? taint.copyMark : taint.redactText(text);
    },
  };
}

function redactingEvents(stream: EventStream, taint: TaintTracker): EventStream {
  const clean = (event: DriverEvent): DriverEvent => {
    if (event.type === 'window' && event.change === 'closed') taint.windowGone(event.window);
    return taint.redactSeenValue(event, { ...(event.window !== undefined && { window: event.window }) });
  };
  return {
    ready: stream.ready,
    async *[Symbol.asyncIterator]() {
      for await (const event of stream) yield clean(event);
    },
  };
}

/** The driver calls of one call so far. */
export interface Cost {
  driverCalls: number;
}

/** Methods that describe the driver without querying the desktop, or that are a part of another call. */
const UNCOUNTED: ReadonlySet<PropertyKey> = new Set(['describe', 'resume', 'releaseScreenshot']);
/** Parts of a driver with methods of their own. */
const PARTS: ReadonlySet<PropertyKey> = new Set(['input', 'clipboard']);

/** The same driver, with every call on it counted in `cost`. */
export function countingDriver(driver: Driver, cost: Cost): Driver {
  return countCalls(driver, cost);
}

function countCalls<T extends object>(part: T, cost: Cost): T {
  return new Proxy(part, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (PARTS.has(key) && value !== undefined) return countCalls(value as object, cost);
      if (typeof value !== 'function' || UNCOUNTED.has(key)) return value;
      return (...args: unknown[]): unknown => {
        cost.driverCalls += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}
