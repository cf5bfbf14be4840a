import { DesktopError } from '../../shared/index.js';
import type { Link } from './link.js';
import { ElementLocator, locatorOf } from './locator.js';
import { fitsSnapshot } from './match-snapshot.js';
import type { Timeout } from './options.js';
import { isMissing } from './patiently.js';
import { textTerm } from './selector-text.js';
import type { DesktopWindow, Locator } from './surface.js';
import { onScreen, waits, type Placed } from './wait-for-condition.js';
import { PlacedWindow } from './window.js';

/** What can be expected of an element. Each waits until it is so, and fails with `verify_failed` when it never is. */
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

/** What must become so, of a locator or a window; `not`: what must become otherwise. */
export function expect(locator: Locator): LocatorExpect & { not: LocatorExpect };
export function expect(window: DesktopWindow): WindowExpect & { not: WindowExpect };
export function expect(given: Locator | DesktopWindow): object {
  if (given instanceof PlacedWindow) return { ...ofWindow(given, true), not: ofWindow(given, false) };
  const locator = locatorOf(given);
  return { ...ofLocator(locator, true), not: ofLocator(locator, false) };
}

function ofLocator(locator: ElementLocator, wanted: boolean): LocatorExpect {
  const { target, parts } = locator;
  const holds = (name: string, condition: object, { timeoutMs }: Timeout = {}): Promise<void> => {
    const said = `expect(${locator.toString()})${wanted ? '' : '.not'}.${name}`;
    return waits(locator, { condition: wanted ? condition : { not: condition }, said, timeoutMs });
  };
  const state = (name: string, key: string, options?: Timeout): Promise<void> =>
    holds(name, { state: [target, key, true] }, options);
  return {
    toBeVisible: (options) => holds('toBeVisible()', { exists: onScreen(parts) }, options),
    toBeEnabled: (options) => state('toBeEnabled()', 'enabled', options),
    toBeChecked: (options) => state('toBeChecked()', 'checked', options),
    toBeFocused: (options) => holds('toBeFocused()', { focused: target }, options),
    toHaveValue: (value, options) => {
      const name = `toHaveValue(${shown(value)})`;
      if (!(value instanceof RegExp)) return holds(name, { value: [target, value] }, options);
      return holds(name, { exists: parts.and(textTerm('value', value)).text }, options);
    },
    toHaveText: (text, options) => {
      const name = `toHaveText(${shown(text)})`;
      if (!(text instanceof RegExp)) return holds(name, { text: [target, text] }, options);
      const term = textTerm('text', text);
      return holds(name, { exists: parts.and(`${term} || has(${term})`).text }, options);
    },
    toHaveCount: (n, options) => holds(`toHaveCount(${n})`, { count: [target, n] }, options),
    toMatchSnapshot: (text, options) => looksLike(locator, { text, wanted, target, ...options }),
  };
}

function ofWindow(window: PlacedWindow, wanted: boolean): WindowExpect {
  const said = (name: string): string => `expect(${window.toString()})${wanted ? '' : '.not'}.${name}`;
  const there = async (
    name: string,
    fits: (active: boolean) => boolean,
    { timeoutMs }: Timeout = {},
  ): Promise<void> => {
    const { link, place } = window;
    await retried(link, { said: said(name), timeoutMs }, async () => {
      const info = await place.find(link).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        if (error instanceof DesktopError && error.code === 'element_not_found') return undefined;
        throw error;
      });
      return (info !== undefined && fits(info.active)) === wanted;
    });
  };
  return {
    toBeVisible: (options) => there('toBeVisible()', () => true, options),
    toBeFocused: (options) => there('toBeFocused()', (active) => active, options),
    toHaveText: (text, { timeoutMs } = {}) => {
      const condition = wanted ? { text } : { not: { text } };
      return waits(window, { condition, said: said(`toHaveText(${shown(text)})`), timeoutMs });
    },
    toMatchSnapshot: (text, options) => looksLike(window, { text, wanted, ...options }),
  };
}

async function looksLike(
  placed: Placed & { toString(): string },
  { text, wanted, target, timeoutMs }: { text: string; wanted: boolean; target?: string } & Timeout,
): Promise<void> {
  const { link, place } = placed;
  const said = `expect(${placed.toString()})${wanted ? '' : '.not'}.toMatchSnapshot(…)`;
  let missing = '';
  await retried(link, { said, timeoutMs, why: () => missing }, async () => {
    try {
      const window = await place.window(link);
      const { text: seen } = await link.call('ui_snapshot', { target, window, maxTokens: 50_000 });
      const fit = fitsSnapshot(text, seen);
      missing = fit.missing ?? '';
      return (fit.missing === undefined) === wanted;
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing = (error as DesktopError).message;
      return !wanted;
    }
  });
}

interface Retry extends Timeout {
  said: string;
  why?: () => string;
}

/** Again whenever something has happened, until it is so. */
async function retried(link: Link, { said, timeoutMs = link.timeoutMs, why }: Retry, check: () => Promise<boolean>) {
  const end = performance.now() + timeoutMs;
  try {
    while (!(await check())) {
      const left = Math.round(end - performance.now());
      if (left <= 0) {
        throw new DesktopError('verify_failed', `${said} does not hold after ${timeoutMs} ms. ${why?.() ?? ''}`.trim());
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(AGAIN_MS, left)));
    }
  } catch (error) {
    throw await link.tell(error, { said });
  }
}

const AGAIN_MS = 150;

/** Whether it is something that this `expect` is for. */
export function isExpected(given: unknown): given is Locator {
  return given instanceof PlacedWindow || given instanceof ElementLocator;
}

const shown = (value: string | number | RegExp): string =>
  value instanceof RegExp ? String(value) : JSON.stringify(value);
