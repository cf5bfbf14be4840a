import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError } from '../../shared/index.js';
import { contains, type Element, type Point, quote, type Role } from '../../tree/index.js';
import { type Actor } from '../act/actor.js';
import { allSetByWheel, type Axis, ownBar } from '../actionability/wheel-target.js';
import { type Method } from '../act/action.js';
import { type Target } from '../locate/target.js';

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

/** Chromium tells up to a second later where things are: so long nothing new must come before it is the end. */
const END_MS = 1_200;
const LOOK_MS = 60;
/** They stay where they are while the rest of a table moves. */
const HEADERS: ReadonlySet<Role> = new Set(['columnheader', 'rowheader']);

/** What shows and where, within what is scrolled: at its end some apps scroll on what it is in. */
export interface Places {
  root?: Element;
  /** Of each what is told of it; when a turn of the wheel changes none of them, this is the end. */
  words: Map<string, string>;
  at: Map<string, Point>;
}

export async function placesIn(actor: Actor, { element }: Target): Promise<Places> {
  const { roots } = await actor.reader.lookAt(element.ref, {});
  const { x = 0, y = 0 } = roots[0]?.bounds ?? {};
  const words = new Map<string, string>();
  const at = new Map<string, Point>();
  const tell = ({ ref, name, bounds, children }: Element): void => {
    const place = { x: (bounds?.x ?? 0) - x, y: (bounds?.y ?? 0) - y };
    words.set(ref, `${name} ${place.x},${place.y}`);
    if (bounds) at.set(ref, place);
    children.forEach(tell);
  };
  roots.forEach(tell);
  return { ...(roots[0] && { root: roots[0] }), words, at };
}

/** What shows now, when it shows elsewhere, or otherwise, than before. */
export async function movedFrom(actor: Actor, target: Target, before: Places): Promise<Places | undefined> {
  const end = actor.deadline.atMost(END_MS);
  for (;;) {
    const now = await placesIn(actor, target);
    if (!same(now.words, before.words)) return now;
    if (end.over) return undefined;
    await pause(LOOK_MS);
  }
}

/** A look takes its time, and may have come in the middle of a move: what has not moved yet is not standing still. */
export async function cameToRest(actor: Actor, target: Target, seen: Places): Promise<Places> {
  const end = actor.deadline.atMost(END_MS);
  for (let last = seen; ;) {
    await pause(LOOK_MS);
    const now = await placesIn(actor, target);
    if (same(now.words, last.words) || end.over) return now;
    last = now;
  }
}

function same(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([ref, words]) => b.get(ref) === words);
}

/**
 * What moved, when it is not all of it: something in it took the wheel while something beside that stood still.
 * Undefined when it moved as a whole.
 */
export function partMoved(before: Places, after: Places): Element | undefined {
  const moved = (one: Element): boolean =>
    after.words.get(one.ref) !== before.words.get(one.ref) || one.children.some(moved);
  let part = after.root;
  let beside = false;
  while (part) {
    const then = part.children.filter(moved);
    if (then.length !== 1) break;
    beside ||= part.children.some((child) => child !== then[0] && isSeen(child));
    part = then[0];
  }
  return beside ? part : undefined;
}

function isSeen({ role, bounds, children }: Element): boolean {
  if (role === 'scrollbar' || HEADERS.has(role)) return false;
  return bounds !== undefined || children.some(isSeen);
}

/** How far the most of what is still there moved; 0 where nothing is. */
export function shiftOf(before: Places, after: Places, axis: Axis): number {
  const shifts = [...after.at].flatMap(([ref, place]) => {
    const was = before.at.get(ref);
    const shift = was ? Math.abs(place[axis] - was[axis]) : 0;
    return shift > 0 ? [shift] : [];
  });
  return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
}
