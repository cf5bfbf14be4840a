import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError } from '../../shared/index.js';
import { describeElement, contains, type Element, type Point, quote, type Role } from '../../tree/index.js';
import { type Actor } from '../act/actor.js';
import { allSetByWheel, type Axis, ownBar } from '../actionability/wheel-target.js';
import { type Method } from '../act/action.js';
import { type Target } from '../locate/target.js';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** Roughly what one notch of the wheel scrolls, averaged over the measured toolkits. */
export const NOTCH_PX = 50;
/** The maximum number of notches in one call. */
export const MOST_NOTCHES = 500;

export function headingOf(direction: Direction): { axis: Axis; forward: boolean; sign: 1 | -1 } {
  const forward = direction === 'down' || direction === 'right';
  return { axis: direction === 'up' || direction === 'down' ? 'y' : 'x', forward, sign: forward ? 1 : -1 };
}

export function sizeAlong({ element }: Target, direction: Direction): number {
  const { width = 400, height = 400 } = element.bounds ?? {};
  return headingOf(direction).axis === 'y' ? height : width;
}

/**
 * Uses the wheel. If the wheel would scroll or change something else, uses the target's own scroll bar, if it has one.
 */
export async function scrollOnce(actor: Actor, target: Target, direction: Direction, notches: number): Promise<Method> {
  const rest = { left: notches };
  try {
    await turnWheel(actor, target, direction, rest);
    return 'input';
  } catch (error) {
    const wrongPlace = error instanceof DesktopError && error.code === 'not_supported' && rest.left > 0;
    if (!wrongPlace || !(await moveBar(actor, target, direction, rest.left))) throw error;
    return rest.left === notches ? 'pattern' : 'input';
  }
}

/** False if the target has no scroll bar that can be set, or is at its end. */
export async function moveBar(actor: Actor, target: Target, direction: Direction, notches: number): Promise<boolean> {
  const { axis, sign } = headingOf(direction);
  const bar = ownBar(await readWhole(actor, target), axis);
  const to = bar && nextBarValue(bar, sign * notches * NOTCH_PX);
  if (to === undefined) return false;
  const barTarget = { ...target, element: bar!, path: [...target.path, target.element] };
  return (await actor.pattern(barTarget, { kind: 'setNumber', value: to })) !== undefined;
}

/** Undefined if the scroll bar is already there. */
function nextBarValue({ value, range }: Element, by: number): number | undefined {
  if (typeof value !== 'number') return undefined;
  const to = Math.max(range?.min ?? 0, Math.min(range?.max ?? value, value + by));
  return to === value ? undefined : to;
}

/**
 * Turns the wheel in steps and counts the rest down in `rest`. It checks after each step, because a control that comes
 * under the pointer would be changed instead.
 */
async function turnWheel(actor: Actor, target: Target, direction: Direction, rest: { left: number }): Promise<void> {
  const { axis, forward, sign } = headingOf(direction);
  while (rest.left > 0) {
    let before: Element[] = [];
    const readControls = async (): Promise<Element> => {
      const root = await readWhole(actor, target);
      before = allSetByWheel(root, axis);
      return root;
    };
    const place = await actor.wheelSpot(target, { axis, forward }, readControls);
    const now = Math.min(rest.left, place.notches);
    const turn = (): Promise<void> => actor.wheel(place, { [axis]: sign * now });
    if (before.length === 0) await turn();
    else {
      await actor.settled(target.window, turn);
      refuseChangedValues(before, allSetByWheel(await readWhole(actor, target), axis), place.at);
    }
    rest.left -= now;
  }
}

/** Includes elements that are scrolled out of view: they may come under the pointer. */
export async function readWhole(actor: Actor, { element }: Target): Promise<Element> {
  const { roots } = await actor.reader.lookAt(element.ref, { full: true });
  return roots.find(({ ref }) => ref === element.ref) ?? roots[0] ?? element;
}

/** Throws if a value differs now: the wheel changed it, whatever else it did. */
function refuseChangedValues(before: Element[], after: Element[], at: Point): void {
  for (const { ref, role, name, value, bounds } of before) {
    const now = after.find((one) => one.ref === ref);
    if (!now || now.value === value || role === 'scrollbar') continue;
    // The slider of a media player moves by itself.
    if (role === 'slider' && ![bounds, now.bounds].some((box) => box && contains(box, at))) continue;
    throw new DesktopError(
      'verify_failed',
      `${describeElement({ ref, role, name })} went from ${shownValue(value)} to ${shownValue(now.value)} when the wheel was turned.`,
      {
        delivered: 'yes',
        retry: 'no',
        hint: `Set it back with ui_set_value ${ref}.`,
      },
    );
  }
}

const shownValue = (value: Element['value']): string => (typeof value === 'string' ? quote(value) : String(value));

/** Chromium reports positions up to a second late. Without a change for this long, the end is reached. */
const END_MS = 1_200;
const POLL_MS = 60;
/** These stay in place while the rest of a table moves. */
const HEADERS: ReadonlySet<Role> = new Set(['columnheader', 'rowheader']);

/**
 * The visible elements and their positions relative to the scrolled element: at its end some apps scroll the element
 * around it.
 */
export interface Positions {
  root?: Element;
  /** Name and position of each element. If a turn of the wheel changes none of them, the end is reached. */
  labels: Map<string, string>;
  at: Map<string, Point>;
}

export async function positionsIn(actor: Actor, { element }: Target): Promise<Positions> {
  const { roots } = await actor.reader.lookAt(element.ref, {});
  const { x = 0, y = 0 } = roots[0]?.bounds ?? {};
  const labels = new Map<string, string>();
  const at = new Map<string, Point>();
  const note = ({ ref, name, bounds, children }: Element): void => {
    const place = { x: (bounds?.x ?? 0) - x, y: (bounds?.y ?? 0) - y };
    labels.set(ref, `${name} ${place.x},${place.y}`);
    if (bounds) at.set(ref, place);
    children.forEach(note);
  };
  roots.forEach(note);
  return { ...(roots[0] && { root: roots[0] }), labels, at };
}

/** The positions now, once they differ from `before`; undefined if they do not change. */
export async function waitForMovement(actor: Actor, target: Target, before: Positions): Promise<Positions | undefined> {
  const end = actor.deadline.atMost(END_MS);
  for (;;) {
    const now = await positionsIn(actor, target);
    if (!sameLabels(now.labels, before.labels)) return now;
    if (end.over) return undefined;
    await pause(POLL_MS);
  }
}

/** A read takes time and may happen in the middle of a movement. An element that has not moved yet may still move. */
export async function waitForRest(actor: Actor, target: Target, first: Positions): Promise<Positions> {
  const end = actor.deadline.atMost(END_MS);
  for (let last = first; ;) {
    await pause(POLL_MS);
    const now = await positionsIn(actor, target);
    if (sameLabels(now.labels, last.labels) || end.over) return now;
    last = now;
  }
}

function sameLabels(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([ref, label]) => b.get(ref) === label);
}

/**
 * The inner element that moved while other elements next to it did not: it took the wheel. Undefined if the content
 * moved as a whole.
 */
export function partMoved(before: Positions, after: Positions): Element | undefined {
  const hasMoved = (one: Element): boolean =>
    after.labels.get(one.ref) !== before.labels.get(one.ref) || one.children.some(hasMoved);
  let part = after.root;
  let hasStillSibling = false;
  while (part) {
    const movedChildren = part.children.filter(hasMoved);
    if (movedChildren.length !== 1) break;
    hasStillSibling ||= part.children.some((child) => child !== movedChildren[0] && isVisible(child));
    part = movedChildren[0];
  }
  return hasStillSibling ? part : undefined;
}

function isVisible({ role, bounds, children }: Element): boolean {
  if (role === 'scrollbar' || HEADERS.has(role)) return false;
  return bounds !== undefined || children.some(isVisible);
}

/** The median shift of the elements that are still there and moved; 0 if there are none. */
export function medianShift(before: Positions, after: Positions, axis: Axis): number {
  const shifts = [...after.at].flatMap(([ref, place]) => {
    const positionBefore = before.at.get(ref);
    const shift = positionBefore ? Math.abs(place[axis] - positionBefore[axis]) : 0;
    return shift > 0 ? [shift] : [];
  });
  return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
}
