import { DesktopError } from '../../shared/index.js';
import { readTimeout } from './check-options.js';
import { waitForTerm, matchSnapshot } from './snapshot.js';
import { ElementLocator, asLocator } from './locator/locator.js';
import type { Timeout } from './options.js';
import { retryUntilTrue } from './locator/retry.js';
import { selfOrDescendant, textTerm } from './locator/selector-builder.js';
import type { DesktopWindow, Locator } from './surface.js';
import {
  exactlyOne,
  onScreenSelector,
  existsButNot,
  waitForCondition,
  type Scoped,
} from './locator/wait-for-condition.js';
import { ScopedWindow } from './window.js';

/**
 * Assertions about an element. Each waits until it holds. It fails with `verify_failed` if it does not hold in time, or
 * with `ambiguous_target` if several elements match.
 */
export interface LocatorExpect {
  /** The element exists and is on the screen. */
  toBeVisible(options?: Timeout): Promise<void>;
  /** The element is enabled. */
  toBeEnabled(options?: Timeout): Promise<void>;
  /** The element is checked. */
  toBeChecked(options?: Timeout): Promise<void>;
  /** The element or one of its descendants has keyboard focus. */
  toBeFocused(options?: Timeout): Promise<void>;
  /** The element has exactly this value. A number is compared numerically. */
  toHaveValue(value: string | number | RegExp, options?: Timeout): Promise<void>;
  /** The element or one of its descendants shows this text. A string matches part of it, ignoring case. */
  toHaveText(text: string | RegExp, options?: Timeout): Promise<void>;
  /** Exactly `n` elements match. */
  toHaveCount(n: number, options?: Timeout): Promise<void>;
  /**
   * The element's snapshot contains these lines in this order: written without refs, with the same relative
   * indentation. A line between slashes is a regular expression. Other lines may appear between them.
   */
  toMatchSnapshot(text: string, options?: Timeout): Promise<void>;
}

/** Assertions about a window. Each waits until it holds. */
export interface WindowExpect {
  /** The window is open. */
  toBeVisible(options?: Timeout): Promise<void>;
  /** The window is the active one. */
  toBeFocused(options?: Timeout): Promise<void>;
  /** The window shows this text somewhere. */
  toHaveText(text: string, options?: Timeout): Promise<void>;
  /** The window's snapshot contains these lines, as described for elements. */
  toMatchSnapshot(text: string, options?: Timeout): Promise<void>;
}

/**
 * Assertions about a locator or a window that wait until they hold. With `not`, they wait until the opposite holds; for
 * all but `toBeVisible` and `toHaveCount` the element or window must exist.
 */
export function expect(locator: Locator): LocatorExpect & { not: LocatorExpect };
export function expect(window: DesktopWindow): WindowExpect & { not: WindowExpect };
export function expect(given: Locator | DesktopWindow): object {
  if (given instanceof ScopedWindow) return { ...expectWindow(given, true), not: expectWindow(given, false) };
  const locator = asLocator(given);
  return { ...expectLocator(locator, true), not: expectLocator(locator, false) };
}

function expectLocator(locator: ElementLocator, expected: boolean): LocatorExpect {
  const { target, selector } = locator;
  const expression = (name: string): string => `expect(${locator.toString()})${expected ? '' : '.not'}.${name}`;
  const waited = async (name: string, condition: object, options?: Timeout): Promise<void> =>
    waitForCondition(locator, { condition, expression: expression(name), timeoutMs: readTimeout(name, options) });
  const holds = (name: string, condition: object, options?: Timeout): Promise<void> =>
    waited(name, expected ? condition : existsButNot(target, condition), options);
  const matches = async (name: string, terms: () => string, options?: Timeout): Promise<void> =>
    waitForTerm(locator, {
      term: terms(),
      expected,
      expression: expression(name),
      timeoutMs: readTimeout(name, options),
    });
  const state = (name: string, key: string, options?: Timeout): Promise<void> =>
    holds(name, { state: [target, key, true] }, options);
  return {
    toBeVisible: (options) => {
      const shown = onScreenSelector(selector);
      return waited('toBeVisible()', expected ? exactlyOne(shown) : { not: { exists: shown } }, options);
    },
    toBeEnabled: (options) => state('toBeEnabled()', 'enabled', options),
    toBeChecked: (options) => state('toBeChecked()', 'checked', options),
    toBeFocused: (options) => holds('toBeFocused()', { focused: target }, options),
    toHaveValue: (value, options) => {
      const name = `toHaveValue(${formatValue(value)})`;
      if (!(value instanceof RegExp)) return holds(name, { value: [target, value] }, options);
      return matches(name, () => textTerm('value', value), options);
    },
    toHaveText: (text, options) => {
      const name = `toHaveText(${formatValue(text)})`;
      if (!(text instanceof RegExp)) return holds(name, { text: [target, text] }, options);
      return matches(name, () => selfOrDescendant(textTerm('text', text)), options);
    },
    toHaveCount: (n, options) => {
      const condition = { count: [target, n] };
      return waited(`toHaveCount(${n})`, expected ? condition : { not: condition }, options);
    },
    toMatchSnapshot: (text, options) => expectSnapshot(locator, { text, expected, target, options }),
  };
}

function expectWindow(window: ScopedWindow, expected: boolean): WindowExpect {
  const { link, scope } = window;
  const expression = (name: string): string => `expect(${window.toString()})${expected ? '' : '.not'}.${name}`;
  const is = async (name: string, options: Timeout | undefined, check: () => Promise<boolean>): Promise<void> =>
    retryUntilTrue(
      link,
      { expression: expression(name), timeoutMs: readTimeout(name, options) },
      async () => (await check()) === expected,
    );
  return {
    toBeVisible: (options) => is('toBeVisible()', options, () => isOpen(window)),
    toBeFocused: (options) => is('toBeFocused()', options, async () => (await scope.find(link)).active),
    toHaveText: async (text, options) => {
      const name = `toHaveText(${formatValue(text)})`;
      const condition = expected ? { text } : existsButNot(ANY_VISIBLE, { text });
      await waitForCondition(window, {
        condition,
        expression: expression(name),
        timeoutMs: readTimeout(name, options),
      });
    },
    toMatchSnapshot: (text, options) => expectSnapshot(window, { text, expected, options }),
  };
}

/** Matches something in every open window. */
const ANY_VISIBLE = 'visible=true';

async function isOpen({ link, scope }: ScopedWindow): Promise<boolean> {
  try {
    await scope.find(link);
    return true;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'element_not_found') return false;
    throw error;
  }
}

async function expectSnapshot(
  scoped: Scoped & { toString(): string },
  { text, expected, target, options }: { text: string; expected: boolean; target?: string; options?: Timeout },
): Promise<void> {
  const { link, scope } = scoped;
  const timeoutMs = readTimeout('toMatchSnapshot()', options);
  const expression = `expect(${scoped.toString()})${expected ? '' : '.not'}.toMatchSnapshot(…)`;
  let missing = '';
  await retryUntilTrue(link, { expression, timeoutMs, why: () => missing }, async () => {
    const window = await scope.window(link);
    const { text: actual } = await link.call('ui_snapshot', { target, window, maxTokens: 50_000 });
    const fit = matchSnapshot(text, actual);
    missing = fit.missing ?? '';
    return (fit.missing === undefined) === expected;
  });
}

/** Whether this `expect` handles the value. */
export function isExpected(given: unknown): given is Locator {
  return given instanceof ScopedWindow || given instanceof ElementLocator;
}

const formatValue = (value: string | number | RegExp): string =>
  value instanceof RegExp ? String(value) : JSON.stringify(value);
