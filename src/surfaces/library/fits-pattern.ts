import { infoOf } from './element-calls.js';
import type { ElementLocator } from './locator.js';
import type { Timeout } from './options.js';
import { retried } from './retried.js';
import { SelectorParts } from './selector-parts.js';
import { thereAndNot } from './wait-for-condition.js';

/**
 * What a selector can say of an element and no condition can: it is said of the one that fits now, which is found first
 * and may have been picked by number.
 */
export async function fitsPattern(
  { link, place, target }: ElementLocator,
  { term, wanted, said, timeoutMs }: { term: string; wanted: boolean; said: string } & Timeout,
): Promise<void> {
  await retried(link, { said, timeoutMs }, async () => {
    const { ref, window } = await infoOf(link, target, await place.window(link));
    const fits = { exists: SelectorParts.of(ref).and(term).text };
    // It may be gone when it is asked about.
    await link.call('ui_assert', { condition: wanted ? fits : thereAndNot(ref, fits), window });
    return true;
  });
}
