import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import type { Timeout } from '../options.js';
import { isMissing, assertionError } from './retry.js';
import type { SearchScope } from './search-scope.js';
import type { SelectorBuilder } from './selector-builder.js';

export interface Scoped {
  link: Link;
  scope: SearchScope;
}

const ON_SCREEN = 'visible=true && !offscreen=true';

/** Adds the requirement that the element is on the screen. */
export function onScreenSelector(selector: SelectorBuilder): string {
  try {
    return selector.and(ON_SCREEN).text;
  } catch (error) {
    // A selector with an index takes no further terms. For it, existing is enough.
    if (error instanceof DesktopError && error.code === 'bad_arguments') return selector.text;
    throw error;
  }
}

/**
 * A condition that holds when exactly one element matches. `exists` also holds for several, and `count` is unknown when
 * any other part of the tree cannot be read. A state is known only if there is exactly one match, and every element has
 * the state `enabled`.
 */
export function exactlyOne(target: string): object {
  return { any: [true, false].map((is) => ({ state: [target, 'enabled', is] })) };
}

/** A negated condition that requires the element to exist: nothing is asserted about a missing element. */
export function existsButNot(target: string, condition: object): object {
  return { all: [{ exists: target }, { not: condition }] };
}

/** Waits in the host for a condition in the given scope. */
export async function waitForCondition(
  { link, scope }: Scoped,
  { condition, expression, timeoutMs = link.timeoutMs }: { condition: object; expression: string } & Timeout,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  const left = (): number => Math.max(0, Math.round(end - performance.now()));
  let window: string | undefined;
  try {
    for (;;) {
      try {
        window = await scope.window(link);
        await link.call('ui_wait', { until: condition, window, timeoutMs: left() });
        return;
      } catch (error) {
        if (!isMissing(error)) throw error;
        // The window does not exist yet, or no longer.
        if (await holdsWithoutWindow(link, condition)) return;
        if (left() === 0) throw error;
        if (scope.appearsCondition) await link.call('ui_wait', { until: scope.appearsCondition, timeoutMs: left() });
        else await link.call('ui_wait', { until: { stableMs: 50 }, timeoutMs: left() });
      }
    }
  } catch (error) {
    throw await link.explain(toAssertionError(error, expression, timeoutMs), { expression, window });
  }
}

/** No window ever has this ref. */
const NO_WINDOW = 'w0';

/**
 * "Does not exist" also holds when the window itself is missing. The host evaluates that, as it does every condition.
 */
async function holdsWithoutWindow(link: Link, condition: object): Promise<boolean> {
  try {
    await link.call('ui_assert', { condition, window: NO_WINDOW });
    return true;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'verify_failed') return false;
    throw error;
  }
}

/** Reports a timeout or a missing element as a failed assertion, and several matches as `ambiguous_target`. */
function toAssertionError(error: unknown, expression: string, timeoutMs: number): unknown {
  if (!(error instanceof DesktopError) || !['timeout', 'element_not_found'].includes(error.code)) return error;
  const { hint, details, message, cause } = error;
  const isAmbiguous = details?.answer === 'unknown' && details.candidates !== undefined;
  const code = isAmbiguous ? 'ambiguous_target' : error.code;
  return assertionError(expression, timeoutMs, new DesktopError(code, message, { hint, details, cause }));
}

/** For `Locator.waitFor`. */
export async function waitForState(
  locator: Scoped & { selector: SelectorBuilder; toString(): string },
  state: 'visible' | 'gone' | 'enabled',
  timeoutMs?: number,
): Promise<void> {
  const { link, scope, selector } = locator;
  const target = selector.text;
  const condition =
    state === 'gone'
      ? { gone: target }
      : state === 'enabled'
        ? { state: [target, 'enabled', true] }
        : exactlyOne(onScreenSelector(selector));
  const expression = `${locator.toString()}.waitFor(${JSON.stringify({ state })})`;
  try {
    await waitForCondition({ link, scope }, { condition, expression, timeoutMs });
  } catch (error) {
    throw error instanceof DesktopError && error.code === 'verify_failed' ? toTimeout(error) : error;
  }
}

/** A wait that is not fulfilled fails with `timeout`, not with `verify_failed`. */
function toTimeout(error: DesktopError): DesktopError {
  const message = error.message.replace('failed: verify_failed.', 'failed: timeout.');
  return DesktopError.fromJSON({ ...error.toJSON(), code: 'timeout', message });
}
