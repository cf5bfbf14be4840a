import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Axis, Target } from '../../runtime/index.js';
import type { Element, Point, Role } from '../../tree/index.js';

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
