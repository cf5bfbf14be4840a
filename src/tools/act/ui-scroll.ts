import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { defineAct, type Actor, type Aim, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { centre, type Element, type Point } from '../../tree/index.js';
import { actText } from './act-text.js';
import { QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from './fields.js';

const DIRECTIONS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;
/** About what one notch of the wheel moves in the toolkits that were measured. */
const NOTCH_PX = 50;
const NOTCHES_A_PAGE = 0.8;
/** Chromium tells up to a second later where things are: so long nothing new must come before it is the end. */
const END_MS = 1_200;
const LOOK_MS = 60;
/** With `until`: how much of what shows the next turn moves away, and how many times as many notches it may take. */
const NEXT_PAGE = 0.6;
const FASTER_AT_MOST = 3;
/** With `until`: so many pages are tried at the most. */
const MOST_PAGES = 200;

export const uiScroll = defineAct({
  name: 'ui_scroll',
  class: 'act',
  description: 'Scroll a container; with until, go on until a selector shows or the end is reached.',
  timeoutMs: READY_MS,
  limitMs: ({ timeoutMs, until }) =>
    readyWithin({ timeoutMs: timeoutMs ?? (until === undefined ? undefined : 30_000) }),
  quiet: QUIET,
  input: z.object({
    target: TARGET.optional(),
    window: WINDOW,
    direction: z.enum(['up', 'down', 'left', 'right']).default('down'),
    amount: z.number().min(0).max(10_000).default(1),
    unit: z.enum(['page', 'line', 'percent', 'pixel']).default('page'),
    until: z.string().max(2_000).optional(),
    ...WAITING,
  }),
  async aim(reader, { target, window, until }): Promise<Aim> {
    const found = await reader.target(target ?? (await reader.activeWindow(window)).ref, window);
    const there = until === undefined ? false : await reader.shows(until, found.window.ref);
    return {
      verb: 'scroll',
      target: found,
      window: found.window,
      needs: { usable: true },
      ...(there && { already: 'shows what was looked for already' }),
    };
  },
  async act(actor, { target, window }, { direction, amount, unit, until }) {
    const at = await middleOf(actor, target!);
    const notches = notchesFor(target!, amount, unit, direction);
    const untold = 'this app does not say where it scrolled to';
    if (until === undefined) {
      await turn(actor, at, direction, notches);
      return { method: 'input', words: direction, untold };
    }
    for (let page = 1, turns = notches; page <= MOST_PAGES; page++) {
      const before = await placesIn(actor, target!);
      await actor.settled(window, () => turn(actor, at, direction, turns));
      const after = await movedFrom(actor, target!, before);
      if (await actor.reader.shows(until, window!.ref))
        return { method: 'input', words: `${direction} ${times(page)} until it showed,` };
      if (!after) throw atTheEnd(target!, direction, page - 1);
      turns = paced(turns, shiftOf(before, after, direction), sizeOf(target!, direction));
    }
    throw atTheEnd(target!, direction, MOST_PAGES);
  },
  text: actText,
});

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** What shows now, when it shows elsewhere, or otherwise, than before. */
async function movedFrom(actor: Actor, target: Target, before: Places): Promise<Places | undefined> {
  const end = actor.deadline.atMost(END_MS);
  for (;;) {
    const now = await placesIn(actor, target);
    if (now.words !== before.words) return now;
    if (end.over) return undefined;
    await pause(LOOK_MS);
  }
}

/** What shows and where, within what is scrolled: at its end some apps scroll on what it is in. */
interface Places {
  /** When a turn of the wheel does not change them, this is the end. */
  words: string;
  at: Map<string, Point>;
}

async function placesIn(actor: Actor, { element }: Target): Promise<Places> {
  const { roots } = await actor.reader.lookAt(element.ref, {});
  const { x = 0, y = 0 } = roots[0]?.bounds ?? {};
  const told: string[] = [];
  const at = new Map<string, Point>();
  const tell = ({ ref, name, bounds, children }: Element): void => {
    const place = { x: (bounds?.x ?? 0) - x, y: (bounds?.y ?? 0) - y };
    told.push(`${ref} ${name} ${place.x},${place.y}`);
    if (bounds) at.set(ref, place);
    children.forEach(tell);
  };
  roots.forEach(tell);
  return { words: told.join('\n'), at };
}

/** How far the most of what is still there moved; 0 where nothing is. */
function shiftOf(before: Places, after: Places, direction: keyof typeof DIRECTIONS): number {
  const axis = DIRECTIONS[direction][0] === 0 ? 'y' : 'x';
  const shifts = [...after.at].flatMap(([ref, place]) => {
    const was = before.at.get(ref);
    const shift = was ? Math.abs(place[axis] - was[axis]) : 0;
    return shift > 0 ? [shift] : [];
  });
  return shifts.sort((a, b) => a - b)[shifts.length >> 1] ?? 0;
}

/** A notch is 10 pixels in one toolkit and 100 in another: what it was here is known after the first. Nothing is passed over. */
function paced(notches: number, shift: number, size: number): number {
  if (shift === 0) return notches;
  const wanted = Math.floor((notches * size * NEXT_PAGE) / shift);
  return Math.max(1, Math.min(wanted, notches * FASTER_AT_MOST));
}

function atTheEnd({ element }: Target, direction: string, turns: number): DesktopError {
  return new DesktopError(
    'element_not_found',
    `${element.ref} was scrolled ${direction} to its end (${times(turns)}) and it did not show.`,
    {
      delivered: turns > 0 ? 'yes' : 'no',
      retry: 'no',
      hint: 'try the other direction, or ui_read reads rows that are not on the screen.',
    },
  );
}

async function middleOf(actor: Actor, target: Target): Promise<Point> {
  return target.element.bounds ? centre(target.element.bounds) : actor.point(target);
}

function sizeOf({ element }: Target, direction: keyof typeof DIRECTIONS): number {
  const { width = 400, height = 400 } = element.bounds ?? {};
  return DIRECTIONS[direction][0] === 0 ? height : width;
}

function notchesFor(target: Target, amount: number, unit: string, direction: keyof typeof DIRECTIONS): number {
  const size = sizeOf(target, direction);
  const pixels = { page: size * NOTCHES_A_PAGE, line: NOTCH_PX, percent: size / 100, pixel: 1 }[unit] ?? size;
  return Math.max(1, Math.round((amount * pixels) / NOTCH_PX));
}

async function turn(actor: Actor, at: Point, direction: keyof typeof DIRECTIONS, notches: number): Promise<void> {
  const [x, y] = DIRECTIONS[direction];
  await actor.wheel(at, { x: x * notches, y: y * notches });
}
