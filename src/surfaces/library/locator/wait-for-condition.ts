import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import type { Timeout } from '../options.js';
import { isMissing, neverSo } from './retry.js';
import type { Place } from './place.js';
import type { SelectorParts } from './selector-builder.js';

export interface Placed {
  link: Link;
  place: Place;
}

const ON_SCREEN = 'visible=true && !offscreen=true';

/** With a pick by number the state is asked of what was picked. */
export function onScreen(parts: SelectorParts): string {
  try {
    return parts.and(ON_SCREEN).text;
  } catch (error) {
    // It picks by number: there it is enough to be there.
    if (error instanceof DesktopError && error.code === 'bad_arguments') return parts.text;
    throw error;
  }
}

/**
 * Exactly one shows. `exists` holds of several too, and `count` is not known where anything else cannot be read; of a
 * state it is known when there is one, and everything has this one.
 */
export function one(target: string): object {
  return { any: [true, false].map((is) => ({ state: [target, 'enabled', is] })) };
}

/** Of what is not there nothing is said: neither that it is so nor that it is not. */
export function thereAndNot(target: string, condition: object): object {
  return { all: [{ exists: target }, { not: condition }] };
}

/** A condition, waited for by the host, in the window that is meant. */
export async function waits(
  { link, place }: Placed,
  { condition, said, timeoutMs = link.timeoutMs }: { condition: object; said: string } & Timeout,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  const left = (): number => Math.max(0, Math.round(end - performance.now()));
  let window: string | undefined;
  try {
    for (;;) {
      try {
        window = await place.window(link);
        await link.call('ui_wait', { until: condition, window, timeoutMs: left() });
        return;
      } catch (error) {
        if (!isMissing(error)) throw error;
        // There is no such window yet, or no more.
        if (await holdsOfNothing(link, condition)) return;
        if (left() === 0) throw error;
        if (place.comes) await link.call('ui_wait', { until: place.comes, timeoutMs: left() });
        else await link.call('ui_wait', { until: { stableMs: 50 }, timeoutMs: left() });
      }
    }
  } catch (error) {
    throw await link.tell(notSo(error, said, timeoutMs), { said, window });
  }
}

/** No window is ever called so. */
const NOWHERE = 'w0';

/** That something is not there holds where there is no window for it. The host judges it, as everything. */
async function holdsOfNothing(link: Link, condition: object): Promise<boolean> {
  try {
    await link.call('ui_assert', { condition, window: NOWHERE });
    return true;
  } catch (error) {
    if (error instanceof DesktopError && error.code === 'verify_failed') return false;
    throw error;
  }
}

/** The same failure whatever was missing: what was expected did not become so. Several that fit are told as such. */
function notSo(error: unknown, said: string, timeoutMs: number): unknown {
  if (!(error instanceof DesktopError) || !['timeout', 'element_not_found'].includes(error.code)) return error;
  const { hint, details, message, cause } = error;
  const isAmbiguous = details?.answer === 'unknown' && details.candidates !== undefined;
  const code = isAmbiguous ? 'ambiguous_target' : error.code;
  return neverSo(said, timeoutMs, new DesktopError(code, message, { hint, details, cause }));
}

/** For `Locator.waitFor`. */
export async function waitForState(
  locator: Placed & { parts: SelectorParts; toString(): string },
  state: 'visible' | 'gone' | 'enabled',
  timeoutMs?: number,
): Promise<void> {
  const { link, place, parts } = locator;
  const target = parts.text;
  const condition =
    state === 'gone'
      ? { gone: target }
      : state === 'enabled'
        ? { state: [target, 'enabled', true] }
        : one(onScreen(parts));
  const said = `${locator.toString()}.waitFor(${JSON.stringify({ state })})`;
  try {
    await waits({ link, place }, { condition, said, timeoutMs });
  } catch (error) {
    throw error instanceof DesktopError && error.code === 'verify_failed' ? lateFor(error) : error;
  }
}

/** It is a wait: at its end it is late, not wrong. */
function lateFor(error: DesktopError): DesktopError {
  const message = error.message.replace('failed: verify_failed.', 'failed: timeout.');
  return DesktopError.fromJSON({ ...error.toJSON(), code: 'timeout', message });
}
