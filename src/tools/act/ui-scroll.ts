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
    for (let page = 1; page <= MOST_PAGES; page++) {
      const before = await placesIn(actor, target!);
      await actor.settled(window, () => turn(actor, at, direction, notches));
      const moved = await movedFrom(actor, target!, before);
      if (await actor.reader.shows(until, window!.ref))
        return { method: 'input', words: `${direction} ${times(page)} until it showed,` };
      if (!moved) throw atTheEnd(target!, direction, page - 1);
    }
    throw atTheEnd(target!, direction, MOST_PAGES);
  },
  text: actText,
});

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Whether anything shows elsewhere, or otherwise, than before. */
async function movedFrom(actor: Actor, target: Target, before: string): Promise<boolean> {
  const end = actor.deadline.atMost(END_MS);
  for (;;) {
    if ((await placesIn(actor, target)) !== before) return true;
    if (end.over) return false;
    await pause(LOOK_MS);
  }
}

/** What shows and where: when a turn of the wheel does not change it, this is the end. */
async function placesIn(actor: Actor, { element }: Target): Promise<string> {
  const { roots } = await actor.reader.lookAt(element.ref, {});
  // Within itself: at its end some apps scroll on what it is in.
  const { x = 0, y = 0 } = roots[0]?.bounds ?? {};
  const told: string[] = [];
  const tell = ({ ref, name, bounds, children }: Element): void => {
    told.push(`${ref} ${name} ${(bounds?.x ?? 0) - x},${(bounds?.y ?? 0) - y}`);
    children.forEach(tell);
  };
  roots.forEach(tell);
  return told.join('\n');
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

function notchesFor({ element }: Target, amount: number, unit: string, direction: keyof typeof DIRECTIONS): number {
  const { width = 400, height = 400 } = element.bounds ?? {};
  const size = direction === 'up' || direction === 'down' ? height : width;
  const pixels = { page: size * NOTCHES_A_PAGE, line: NOTCH_PX, percent: size / 100, pixel: 1 }[unit] ?? size;
  return Math.max(1, Math.round((amount * pixels) / NOTCH_PX));
}

async function turn(actor: Actor, at: Point, direction: keyof typeof DIRECTIONS, notches: number): Promise<void> {
  const [x, y] = DIRECTIONS[direction];
  await actor.wheel(at, { x: x * notches, y: y * notches });
}
