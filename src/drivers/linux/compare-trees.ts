import type { Box, Node, Role, States } from '../../tree/index.js';

/** What these say changes by itself, without any sign. */
const BY_ITSELF: ReadonlySet<Role> = new Set<Role>(['progressbar', 'meter', 'timer']);
const PIXELS = 2;
/** Enough to see what is wrong. */
const MOST = 20;

export interface Difference {
  what: string;
  /** With the text of the screen in it. */
  words: string;
}

/**
 * How a remembered tree differs from a fresh one; empty when it does not. Not compared: what is not on the
 * screen, the focus of a window that has none, and what changes by itself.
 */
export function differences(remembered: Node, fresh: Node): Difference[] {
  const found: Difference[] = [];
  compare(remembered, fresh, { where: fresh.role, active: fresh.states.active === true, found });
  return found;
}

interface Comparison {
  where: string;
  active: boolean;
  found: Difference[];
}

function compare(a: Node, b: Node, { where, active, found }: Comparison): void {
  if (found.length >= MOST) return;
  const say = (what: string, was: unknown, is: unknown): void => {
    if (JSON.stringify(was) !== JSON.stringify(is))
      found.push({ what, words: `${where}: ${what} ${text(was)}, not ${text(is)}` });
  };
  if (a.states.offscreen && b.states.offscreen) return;
  say('id', a.id, b.id);
  say('role', a.role, b.role);
  say('name', a.name, b.name);
  if (!BY_ITSELF.has(b.role)) say('value', a.value, b.value);
  for (const key of ['range', 'level', 'error', 'table', 'cell', 'items', 'unread', 'description'] as const) {
    say(key, a[key], b[key]);
  }
  say('states', statesOf(a.states, active), statesOf(b.states, active));
  if (!near(a.bounds, b.bounds)) say('bounds', a.bounds, b.bounds);
  say('children', a.children.map(seenAs), b.children.map(seenAs));
  b.children.forEach((child, index) => {
    const other = a.children[index];
    if (other) compare(other, child, { where: `${where} > ${nameOf(child)}`, active, found });
  });
}

function statesOf(states: States, active: boolean): [string, unknown][] {
  return Object.entries(states)
    .filter(([name, value]) => value !== undefined && (active || name !== 'focused'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function near(a: Box | undefined, b: Box | undefined): boolean {
  if (!a || !b) return a === b;
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= PIXELS);
}

function nameOf({ role, name }: Node): string {
  return name === undefined ? role : `${role} ${JSON.stringify(name)}`;
}

function seenAs(node: Node): string {
  return node.states.offscreen ? node.role : nameOf(node);
}

function text(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 300) ?? 'nothing';
}
