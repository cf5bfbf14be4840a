import { DesktopError } from '../../shared/index.js';
import { timeoutIn } from './check-options.js';
import { fitsPattern, fitsSnapshot } from './snapshot.js';
import { ElementLocator, locatorOf } from './locator/locator.js';
import type { Timeout } from './options.js';
import { retried } from './locator/retry.js';
import { showing, textTerm } from './locator/selector-builder.js';
import type { DesktopWindow, Locator } from './surface.js';
import { one, onScreen, thereAndNot, waits, type Placed } from './locator/wait-for-condition.js';
import { PlacedWindow } from './window.js';

/**
 * What can be expected of an element. Each waits until it is so, and fails with `verify_failed` when it never is, or with
 * `ambiguous_target` when several fit.
 */
export interface LocatorExpect {
  /** It is there and on the screen. */
  toBeVisible(options?: Timeout): Promise<void>;
  /** It can be used. */
  toBeEnabled(options?: Timeout): Promise<void>;
  /** It is ticked. */
  toBeChecked(options?: Timeout): Promise<void>;
  /** It, or something in it, has the focus. */
  toBeFocused(options?: Timeout): Promise<void>;
  /** Its value is exactly this; a number is compared as such. */
  toHaveValue(value: string | number | RegExp, options?: Timeout): Promise<void>;
  /** It, or something in it, shows this text: a part of it, upper and lower case alike. */
  toHaveText(text: string | RegExp, options?: Timeout): Promise<void>;
  /** So many fit. */
  toHaveCount(n: number, options?: Timeout): Promise<void>;
  /**
   * A look at it is this text: the lines of a snapshot without refs, indented as there. A line between slashes is a
   * pattern. Lines that are not given may stand between.
   */
  toMatchSnapshot(text: string, options?: Timeout): Promise<void>;
}

/** What can be expected of a window. */
export interface WindowExpect {
  /** It is open. */
  toBeVisible(options?: Timeout): Promise<void>;
  /** It is the active one. */
  toBeFocused(options?: Timeout): Promise<void>;
  /** It shows this text somewhere. */
  toHaveText(text: string, options?: Timeout): Promise<void>;
  /** A look at it is this text, as for elements. */
  toMatchSnapshot(text: string, options?: Timeout): Promise<void>;
}

/** What must become so, of a locator or a window; `not`: what must become otherwise, of what is there. */
export function expect(locator: Locator): LocatorExpect & { not: LocatorExpect };
export function expect(window: DesktopWindow): WindowExpect & { not: WindowExpect };
export function expect(given: Locator | DesktopWindow): object {
  if (given instanceof PlacedWindow) return { ...ofWindow(given, true), not: ofWindow(given, false) };
  const locator = locatorOf(given);
  return { ...ofLocator(locator, true), not: ofLocator(locator, false) };
}

function ofLocator(locator: ElementLocator, wanted: boolean): LocatorExpect {
  const { target, parts } = locator;
  const said = (name: string): string => `expect(${locator.toString()})${wanted ? '' : '.not'}.${name}`;
  const waited = async (name: string, condition: object, options?: Timeout): Promise<void> =>
    waits(locator, { condition, said: said(name), timeoutMs: timeoutIn(name, options) });
  const holds = (name: string, condition: object, options?: Timeout): Promise<void> =>
    waited(name, wanted ? condition : thereAndNot(target, condition), options);
  const fits = async (name: string, terms: () => string, options?: Timeout): Promise<void> =>
    fitsPattern(locator, { term: terms(), wanted, said: said(name), timeoutMs: timeoutIn(name, options) });
  const state = (name: string, key: string, options?: Timeout): Promise<void> =>
    holds(name, { state: [target, key, true] }, options);
  return {
    toBeVisible: (options) => {
      const shown = onScreen(parts);
      return waited('toBeVisible()', wanted ? one(shown) : { not: { exists: shown } }, options);
    },
    toBeEnabled: (options) => state('toBeEnabled()', 'enabled', options),
    toBeChecked: (options) => state('toBeChecked()', 'checked', options),
    toBeFocused: (options) => holds('toBeFocused()', { focused: target }, options),
    toHaveValue: (value, options) => {
      const name = `toHaveValue(${shown(value)})`;
      if (!(value instanceof RegExp)) return holds(name, { value: [target, value] }, options);
      return fits(name, () => textTerm('value', value), options);
    },
    toHaveText: (text, options) => {
      const name = `toHaveText(${shown(text)})`;
      if (!(text instanceof RegExp)) return holds(name, { text: [target, text] }, options);
      return fits(name, () => showing(textTerm('text', text)), options);
    },
    toHaveCount: (n, options) => {
      const condition = { count: [target, n] };
      return waited(`toHaveCount(${n})`, wanted ? condition : { not: condition }, options);
    },
    toMatchSnapshot: (text, options) => looksLike(locator, { text, wanted, target, options }),
  };
}

function ofWindow(window: PlacedWindow, wanted: boolean): WindowExpect {
  const { link, place } = window;
  const said = (name: string): string => `expect(${window.toString()})${wanted ? '' : '.not'}.${name}`;
  const is = async (name: string, options: Timeout | undefined, check: () => Promise<boolean>): Promise<void> =>
    retried(link, { said: said(name), timeoutMs: timeoutIn(name, options) }, async () => (await check()) === wanted);
  return {
    toBeVisible: (options) => is('toBeVisible()', options, () => isOpen(window)),
    toBeFocused: (options) => is('toBeFocused()', options, async () => (await place.find(link)).active),
    toHaveText: async (text, options) => {
      const name = `toHaveText(${shown(text)})`;
      const condition = wanted ? { text } : thereAndNot(ANYTHING, { text });
      await waits(window, { condition, said: said(name), timeoutMs: timeoutIn(name, options) });
    },
    toMatchSnapshot: (text, options) => looksLike(window, { text, wanted, options }),
  };
}

/** Of a window that is there something shows. */
const ANYTHING = 'visible=true';

async function isOpen({ link, place }: PlacedWindow): Promise<boolean> {
  try {
    await place.find(link);
    return true;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'element_not_found') return false;
    throw error;
  }
}

async function looksLike(
  placed: Placed & { toString(): string },
  { text, wanted, target, options }: { text: string; wanted: boolean; target?: string; options?: Timeout },
): Promise<void> {
  const { link, place } = placed;
  const timeoutMs = timeoutIn('toMatchSnapshot()', options);
  const said = `expect(${placed.toString()})${wanted ? '' : '.not'}.toMatchSnapshot(…)`;
  let missing = '';
  await retried(link, { said, timeoutMs, why: () => missing }, async () => {
    const window = await place.window(link);
    const { text: seen } = await link.call('ui_snapshot', { target, window, maxTokens: 50_000 });
    const fit = fitsSnapshot(text, seen);
    missing = fit.missing ?? '';
    return (fit.missing === undefined) === wanted;
  });
}

/** Whether it is something that this `expect` is for. */
export function isExpected(given: unknown): given is Locator {
  return given instanceof PlacedWindow || given instanceof ElementLocator;
}

const shown = (value: string | number | RegExp): string =>
  value instanceof RegExp ? String(value) : JSON.stringify(value);
