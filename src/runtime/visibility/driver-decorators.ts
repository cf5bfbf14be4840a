import type {
  CallOptions,
  Clipboard,
  Driver,
  DriverEvent,
  EventStream,
  Found,
  TextAnswer,
} from '../../drivers/contract/index.js';
import type { TaintTracker } from '../../secrets/index.js';
import type { Node, WindowNode } from '../../tree/index.js';
import { DesktopError } from '../../shared/index.js';
import { Tabs, withoutHiddenTabs } from './hidden-tabs.js';
import { PasswordFields } from './password-fields.js';

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
  fields = new PasswordFields(),
): Driver {
  const tree = (root: Node, window: string, whole = false): Node =>
    taint.redactTree(fields.conceal(root, window, whole), window);
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
      const window = 'window' in scope ? scope.window : (windowOf(scope.element) ?? '');
      const clean = tree(root, window, 'window' in scope);
      return clean === answer.root ? answer : { ...answer, root: clean };
    },
    atPoint: async (point, options) => found(await driver.atPoint!(point, options)),
    focused: async (options) => found(await driver.focused!(options)),
    text: async (element, span, options) => {
      if (fields.has(element)) throw secretText();
      const answer = await driver.text!(element, span, options);
      if (taint.empty) return answer;
      const window = windowOf(element) ?? '';
      const mark = taint.fieldMark(element) ?? taint.windowMark(window);
      if (mark !== undefined) return hiddenText(mark);
      const read = (part: TextSpan): Promise<TextAnswer> => driver.text!(element, part, options);
      const page = await redactedPage(answer, span, read, taint, window);
      const back = page === answer ? undefined : taint.seenIn(element);
      return back === undefined ? page : hiddenText(back);
    },
    // Where the caret is in a secret tells how long it is.
    caret: async (element, options) => {
      const hidden = fields.has(element) || taint.fieldMark(element) !== undefined;
      return hidden ? undefined : driver.caret!(element, options);
    },
    range: async (element, range, options) => {
      const answer = await driver.range!(element, range, options);
      tabs.recordRows(element, answer.rows);
      const window = windowOf(element) ?? '';
      const rows = answer.rows.map((row) => tree(row, window));
      return rows.every((row, at) => row === answer.rows[at]) ? answer : { ...answer, rows };
    },
    events: (options) => redactingEvents(driver.events(options), taint, fields),
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
      if (key === 'clipboard' && value !== undefined) {
        const list = (options: CallOptions): Promise<WindowNode[]> =>
          target.windows(options).then(({ windows }) => windows);
        return redactingClipboard(value as Clipboard, taint, lastWritten, list);
      }
      const redacting =
        Object.hasOwn(overrides, key) && value !== undefined ? overrides[key as keyof Driver] : undefined;
      if (redacting) return redacting;
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

const hiddenText = (mark: string): TextAnswer => ({ text: mark, start: 0, end: mark.length, total: mark.length });

interface TextSpan {
  start: number;
  end: number;
}

function secretText(): DesktopError {
  return new DesktopError('not_supported', 'This is a secret field, and its text is never read.', { retry: 'no' });
}

/** Longer texts are redacted page by page, with the positions that the app counts. */
const MAX_WHOLE = 2_000_000;

/**
 * A page of a text. If the text contains a secret, all positions and the total are counted in the redacted text: those
 * of the app would tell how long the secret is.
 */
async function redactedPage(
  answer: TextAnswer,
  span: TextSpan,
  read: (span: TextSpan) => Promise<TextAnswer>,
  taint: TaintTracker,
  window: string,
): Promise<TextAnswer> {
  if (answer.total > MAX_WHOLE) {
    const text = taint.redactPart({ text: answer.text, ...(await surroundingText(answer, read)) }, { window });
    return text === answer.text ? answer : { ...answer, text };
  }
  const isWhole = answer.start === 0 && answer.end >= answer.total;
  const whole = isWhole ? answer.text : (await read({ start: 0, end: answer.total })).text;
  const redacted = taint.redactText(whole, { window });
  if (redacted === whole) return answer;
  const characters = [...redacted];
  const start = Math.min(span.start, characters.length);
  const end = Math.min(Math.max(span.end, start), characters.length);
  return { text: characters.slice(start, end).join(''), start, end, total: characters.length };
}

/** In any encoding, 8 characters of a value are recognised within this many characters. */
const MARGIN = 1_000;

/** The text before and after a part: a value that only partly lies in the part is recognised only with them. */
async function surroundingText(
  { start, end, total }: TextAnswer,
  read: (span: TextSpan) => Promise<TextAnswer>,
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

/** For content that its app marks as a password. */
const PASSWORD_MARK = '‹secret:clipboard›';

/**
 * Callers read back what they wrote. Text that an app copied is withheld whole if a secret was typed into that process,
 * if the process is unknown or has no window (a clipboard manager passes on what others copied), or if the app marks it
 * as a password. The owner counts and not the text: to return a text that equals the caller's own would answer guesses.
 */
function redactingClipboard(
  clipboard: Clipboard,
  taint: TaintTracker,
  lastWritten: { text?: string },
  windows: (options: CallOptions) => Promise<WindowNode[]>,
): Clipboard {
  const markOf = async (options: CallOptions): Promise<string | undefined> => {
    const owner = clipboard.owner ? await clipboard.owner(options) : {};
    if (!owner) return undefined;
    if (owner.secret) return PASSWORD_MARK;
    if (taint.empty) return undefined;
    const mark = taint.copyMark ?? taint.appMark(owner.pid);
    if (mark !== undefined) return mark;
    const shown = (await windows(options)).some(({ pid }) => pid === owner.pid);
    return shown ? undefined : taint.appMark(undefined);
  };
  return {
    ...(clipboard.owner && {
      owner: async (options) => {
        const owner = await clipboard.owner!(options);
        return owner && { ...owner, ...((await markOf(options)) !== undefined && { secret: true }) };
      },
    }),
    write: async (text, options) => {
      await clipboard.write(text, options);
      lastWritten.text = text;
    },
    read: async (options) => {
      const before = await markOf(options);
      const text = await clipboard.read(options);
      const mark = before ?? (await markOf(options));
      if (text === undefined) return undefined;
      // Without an owner, only the text tells who copied it.
      const ours = !clipboard.owner && text === lastWritten.text;
      return mark !== undefined && !ours ? mark : taint.redactText(text);
    },
  };
}

function redactingEvents(stream: EventStream, taint: TaintTracker, fields: PasswordFields): EventStream {
  const clean = (event: DriverEvent): DriverEvent => {
    if (event.type === 'window' && event.change === 'closed') {
      taint.windowGone(event.window);
      fields.windowGone(event.window);
    }
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
