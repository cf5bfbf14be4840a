import { allSetByWheel, ownBar, type Actor, type Axis, type Method, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { contains, quote, type Element, type Point } from '../../tree/index.js';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** About what one notch of the wheel moves in the toolkits that were measured. */
export const NOTCH_PX = 50;
/** More at once is no scrolling any more. */
export const MOST_NOTCHES = 500;

export function headingOf(direction: Direction): { axis: Axis; forward: boolean; sign: 1 | -1 } {
  const forward = direction === 'down' || direction === 'right';
  return { axis: direction === 'up' || direction === 'down' ? 'y' : 'x', forward, sign: forward ? 1 : -1 };
}

export function sizeAlong({ element }: Target, direction: Direction): number {
  const { width = 400, height = 400 } = element.bounds ?? {};
  return headingOf(direction).axis === 'y' ? height : width;
}

/** With the wheel; where that would scroll or change something else, by its own scroll bar if it has one. */
export async function scrollOnce(actor: Actor, target: Target, direction: Direction, notches: number): Promise<Method> {
  const way = { left: notches };
  try {
    await turnWheel(actor, target, direction, way);
    return 'input';
  } catch (error) {
    const elsewhere = error instanceof DesktopError && error.code === 'not_supported' && way.left > 0;
    if (!elsewhere || !(await moveBar(actor, target, direction, way.left))) throw error;
    return way.left === notches ? 'pattern' : 'input';
  }
}

/** False where it has no scroll bar that can be set, or nothing is left to scroll. */
export async function moveBar(actor: Actor, target: Target, direction: Direction, notches: number): Promise<boolean> {
  const { axis, sign } = headingOf(direction);
  const bar = ownBar(await wholeOf(actor, target), axis);
  const to = bar && next(bar, sign * notches * NOTCH_PX);
  if (to === undefined) return false;
  const held = { ...target, element: bar!, path: [...target.path, target.element] };
  return (await actor.pattern(held, { kind: 'setNumber', value: to })) !== undefined;
}

/** Undefined where it stands there already. */
function next({ value, range }: Element, by: number): number | undefined {
  if (typeof value !== 'number') return undefined;
  const to = Math.max(range?.min ?? 0, Math.min(range?.max ?? value, value + by));
  return to === value ? undefined : to;
}

/** As often as it can be turned there, counted down in `way`; what comes under the mouse meanwhile would be changed instead. */
async function turnWheel(actor: Actor, target: Target, direction: Direction, way: { left: number }): Promise<void> {
  const { axis, forward, sign } = headingOf(direction);
  while (way.left > 0) {
    let before: Element[] = [];
    const look = async (): Promise<Element> => {
      const root = await wholeOf(actor, target);
      before = allSetByWheel(root, axis);
      return root;
    };
    const spot = await actor.wheelSpot(target, { axis, forward }, look);
    const now = Math.min(way.left, spot.notches);
    const go = (): Promise<void> => actor.wheel(spot, { [axis]: sign * now });
    if (before.length === 0) await go();
    else {
      await actor.settled(target.window, go);
      refuseChanged(before, allSetByWheel(await wholeOf(actor, target), axis), spot.at);
    }
    way.left -= now;
  }
}

/** Also what is scrolled out: it is going to come. */
export async function wholeOf(actor: Actor, { element }: Target): Promise<Element> {
  const { roots } = await actor.reader.lookAt(element.ref, { full: true });
  return roots.find(({ ref }) => ref === element.ref) ?? roots[0] ?? element;
}

/** What is set otherwise now was changed by the wheel, whatever else came of it. */
function refuseChanged(before: Element[], after: Element[], at: Point): void {
  for (const { ref, role, name, value, bounds } of before) {
    const now = after.find((one) => one.ref === ref);
    if (!now || now.value === value || role === 'scrollbar') continue;
    // Of a film it goes on by itself.
    if (role === 'slider' && ![bounds, now.bounds].some((box) => box && contains(box, at))) continue;
    const what = `${ref} ${role}${name ? ` ${quote(name)}` : ''}`;
    throw new DesktopError(
      'verify_failed',
      `${what} went from ${told(value)} to ${told(now.value)} when the wheel was turned.`,
      {
        delivered: 'yes',
        retry: 'no',
        hint: `ui_set_value ${ref} sets it back.`,
      },
    );
  }
}

const told = (value: Element['value']): string => (typeof value === 'string' ? quote(value) : String(value));
