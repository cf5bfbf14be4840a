import { DesktopError } from '../../../src/shared/index.js';
import { isInteractive, type Element } from '../../../src/tree/index.js';
import { sameLabel } from '../../../src/selector/index.js';
import type { AppRoom } from './app-room.js';
import { everyElement, type RealDesktop } from './real-desktop.js';
import { until } from './seat-room.js';

interface Described {
  element: Omit<Element, 'children'>;
  window: { ref: string; title: string };
  selector?: { selector: string; by: string };
}

/** The one element that a selector means. */
export async function meant(real: RealDesktop, target: string, window?: string): Promise<Described> {
  const { json } = await real.call('ui_describe', { target, ...(window !== undefined && { window }) });
  return json as unknown as Described;
}

/** As soon as there is one: apps report what they draw later than they draw it. */
export function meantSoon(real: RealDesktop, target: string): Promise<Described> {
  return until(`one ${target}`, async () => {
    try {
      return await meant(real, target);
    } catch (error) {
      if (error instanceof DesktopError && NOT_YET.has(error.code)) return undefined;
      throw error;
    }
  });
}

const NOT_YET: ReadonlySet<string> = new Set(['element_not_found', 'app_hung', 'stale_ref', 'ambiguous_target']);

/** All of these mean the same element; its ref. */
export async function allMean(real: RealDesktop, ...selectors: string[]): Promise<Described> {
  const [first, ...others] = selectors;
  const found = await meantSoon(real, first!);
  for (const other of others) {
    const again = await meant(real, other);
    if (again.element.ref !== found.element.ref) {
      const words = ({ element: { ref, role, name } }: Described): string => `${ref} ${role} ${JSON.stringify(name)}`;
      throw new Error(`${first} is ${words(found)}, but ${other} is ${words(again)}`);
    }
  }
  return found;
}

/** Pressed by a hand, where the selector says that it is. */
export async function clickOn(room: AppRoom, ...selectors: string[]): Promise<void> {
  const { element } = await allMean(room.real, ...selectors);
  await room.click({ ...element, children: [] });
}

/** What a call that must fail says, as data. */
export async function failureOf(real: RealDesktop, tool: string, args: Record<string, unknown>): Promise<DesktopError> {
  try {
    await real.call(tool, args);
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
  throw new Error(`${tool} ${JSON.stringify(args)} did not fail`);
}

/**
 * Checks that every visible control gets a selector that matches only it, and returns the faults. A control whose name
 * is unique in its window must not be selected by position.
 */
export async function checkSuggestions(
  real: RealDesktop,
  window: string,
): Promise<{ checked: number; byPosition: string[]; wrong: string[] }> {
  const snapshot = await real.snapshot({ window });
  const all = [...everyElement(snapshot)];
  const controls = all.filter((one) => isInteractive(one) && one.states.visible && !one.states.offscreen);
  const wrong: string[] = [];
  const byPosition: string[] = [];
  for (const { ref, role, name } of controls) {
    const words = `${ref} ${role} ${JSON.stringify(name ?? '')}`;
    const { selector } = await meant(real, ref);
    if (!selector) {
      wrong.push(`${words} has no selector`);
      continue;
    }
    const again = await meant(real, selector.selector).catch((error: unknown) => String(error));
    if (typeof again === 'string' || again.element.ref !== ref) {
      wrong.push(`${words}: ${selector.selector} is ${typeof again === 'string' ? again : again.element.ref}`);
    }
    if (selector.by !== 'position') continue;
    byPosition.push(words);
    const alone = name && all.filter((one) => one.role === role && sameLabel(one.name ?? '', name)).length === 1;
    if (alone) wrong.push(`${words} has a name of its own: ${selector.selector}`);
  }
  return { checked: controls.length, byPosition, wrong };
}
