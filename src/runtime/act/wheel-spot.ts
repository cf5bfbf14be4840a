import { DesktopError, type Deadline } from '../../shared/index.js';
import { quote, roleInText, type Element, type Node } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import { changeOf } from './next-change.js';
import { coverOf, notReady } from './verified-point.js';
import {
  allSetByWheel,
  innerScrollers,
  setByWheel,
  spotsIn,
  type Axis,
  type Heading,
  type Spot,
} from './wheel-spots.js';

/** `lastLook` fails when something else is there by now. */
export interface CheckedSpot extends Spot {
  lastLook: () => Promise<void>;
}

/** Each costs a question to the app. */
const MOST_TRIED = 10;

/**
 * Where the wheel scrolls the target: it, or something in it, is what one meets there, and it is nothing that the
 * wheel would change instead. Waits for that until `ready` is over.
 */
export async function wheelSpot(
  desktop: Desktop,
  target: Target,
  heading: Heading,
  look: () => Promise<Element>,
  { ready, deadline }: { ready: Deadline; deadline: Deadline },
): Promise<CheckedSpot> {
  const { axis } = heading;
  for (;;) {
    const change = changeOf(desktop);
    try {
      const root = await look();
      const tried = spotsIn(root, target.window.bounds, heading).slice(0, MOST_TRIED);
      const inner = innerScrollers(root, axis);
      let why: string | undefined;
      for (const spot of tried) {
        const meet = (): Promise<string | undefined> => metAt(desktop, target, spot, { axis, inner }, deadline);
        const met = await meet();
        if (met === undefined) return { ...spot, lastLook: async () => refuseMet(target, await meet()) };
        if (met !== 'set') why ??= met;
      }
      if (why === undefined && root.bounds) throw nowhere(target, allSetByWheel(root, axis)[0], inner[0]);
      if (ready.over) throw notReady(target, why ?? 'is not on the screen');
      await change.orPause(ready);
    } finally {
      change.stop();
    }
  }
}

/** Undefined when the wheel scrolls there; `set`: it would change or scroll what is there; else what is in the way. */
async function metAt(
  desktop: Desktop,
  target: Target,
  { at }: Spot,
  { axis, inner }: { axis: Axis; inner: readonly Element[] },
  deadline: Deadline,
): Promise<string | undefined> {
  const { driver } = desktop;
  if (!driver.atPoint) return undefined;
  const found = await driver.atPoint(at, { deadline });
  const cover = await coverOf(desktop, target, at, found, deadline);
  if (cover) return cover;
  const from = found?.path.findIndex(({ id }) => id === target.element.id) ?? -1;
  const takes = (node: Node): boolean => setByWheel(node, axis) || inner.some(({ id }) => id === node.id);
  return found?.path.slice(Math.max(from, 0)).some(takes) ? 'set' : undefined;
}

function refuseMet(target: Target, met: string | undefined): void {
  if (met !== undefined)
    throw notReady(target, met === 'set' ? 'has something else where the wheel would be turned' : met);
}

function nowhere({ element }: Target, set: Element | undefined, inner: Element | undefined): DesktopError {
  const named = (one: Element): string => `${one.ref} ${roleInText(one.role)}${one.name ? ` ${quote(one.name)}` : ''}`;
  if (!set && inner)
    return new DesktopError('not_supported', `The wheel over ${named(element)} would scroll ${named(inner)} instead.`, {
      retry: 'no',
      hint: 'ui_act scroll_into_view brings up what is in it; name what is to scroll.',
    });
  const instead = set
    ? `${set === element || set.ref === element.ref ? 'its own value' : named(set)}`
    : 'something else';
  return new DesktopError('not_supported', `The wheel over ${named(element)} would change ${instead} and not scroll.`, {
    retry: 'no',
    hint: 'ui_act scroll_into_view brings up what is in it, ui_set_value sets values and scroll bars.',
  });
}
