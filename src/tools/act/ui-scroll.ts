import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { allSetByWheel, defineAct, type Actor, type Aim, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { contains, quote, type Element, type Point } from '../../tree/index.js';
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
/** More at once is no scrolling any more. */
const MOST_NOTCHES = 500;

export const uiScroll = defineAct({
  name: 'ui_scroll',
  class: 'act',
  harmless: true,
  description: 'Scroll a container; with until, go on until a selector shows or the end is reached.',
  timeoutMs: READY_MS,
  limitMs: ({ timeoutMs, until }) =>
    readyWithin({ timeoutMs: timeoutMs ?? (until === undefined ? undefined : 30_000) }),
  quiet: [...QUIET, 'verify'],
  input: z.object({
    target: TARGET.optional(),
    window: WINDOW,
    direction: z.enum(['up', 'down', 'left', 'right']).default('down'),
    amount: z.number().min(0.01).max(10_000).default(1),
    unit: z.enum(['page', 'line', 'percent', 'pixel']).default('page'),
    until: z.string().max(2_000).optional(),
    ...WAITING,
  }),
  async aim(reader, { target, window, until, amount, unit, direction }): Promise<Aim> {
    const found = await reader.target(target ?? (await reader.activeWindow(window)).ref, window);
    refuseTooMany(found, amount, unit, direction);
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
    const notches = notchesFor(target!, amount, unit, direction);
    const untold = 'this app does not say where it scrolled to';
    if (until === undefined) {
      await turn(actor, target!, direction, notches);
      return { method: 'input', words: direction, untold };
    }
    for (let page = 1, turns = notches; page <= MOST_PAGES; page++) {
      const before = await placesIn(actor, target!);
      await actor.settled(window, () => turn(actor, target!, direction, turns));
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
  return Math.max(1, Math.min(wanted, notches * FASTER_AT_MOST, MOST_NOTCHES));
}

function atTheEnd({ element }: Target, direction: string, turns: number): DesktopError {
  const far =
    turns === 0
      ? `did not move when the wheel was turned ${direction},`
      : `was scrolled ${direction} to its end (${times(turns)})`;
  return new DesktopError('element_not_found', `${element.ref} ${far} and it did not show.`, {
    delivered: 'yes',
    retry: 'no',
    details: { complete: true },
    hint: 'try the other direction, or ui_read reads rows that are not on the screen.',
  });
}

function sizeOf({ element }: Target, direction: keyof typeof DIRECTIONS): number {
  const { width = 400, height = 400 } = element.bounds ?? {};
  return DIRECTIONS[direction][0] === 0 ? height : width;
}

function refuseTooMany(target: Target, amount: number, unit: string, direction: keyof typeof DIRECTIONS): void {
  const notches = notchesFor(target, amount, unit, direction);
  if (notches <= MOST_NOTCHES) return;
  const most = Math.floor((amount * MOST_NOTCHES) / notches);
  throw new DesktopError('bad_arguments', `amount ${amount} of unit ${unit} is too far for one scroll.`, {
    retry: 'no',
    hint: `at most ${most} here; until scrolls on until something shows.`,
  });
}

function notchesFor(target: Target, amount: number, unit: string, direction: keyof typeof DIRECTIONS): number {
  const size = sizeOf(target, direction);
  const pixels = { page: size * NOTCHES_A_PAGE, line: NOTCH_PX, percent: size / 100, pixel: 1 }[unit] ?? size;
  return Math.max(1, Math.round((amount * pixels) / NOTCH_PX));
}

/** As often as it can be turned there; what comes under the mouse meanwhile would be changed instead. */
async function turn(actor: Actor, target: Target, direction: keyof typeof DIRECTIONS, notches: number): Promise<void> {
  const [x, y] = DIRECTIONS[direction];
  const axis = y === 0 ? 'x' : 'y';
  for (let left = notches; left > 0;) {
    let before: Element[] = [];
    const look = async (): Promise<Element> => {
      const root = await wholeOf(actor, target);
      before = allSetByWheel(root, axis);
      return root;
    };
    const { at, notches: most } = await actor.wheelSpot(target, { axis, forward: x + y > 0 }, look);
    const now = Math.min(left, most);
    left -= now;
    const go = (): Promise<void> => actor.wheel(at, { x: x * now, y: y * now });
    if (before.length === 0) await go();
    else {
      await actor.settled(target.window, go);
      refuseChanged(before, allSetByWheel(await wholeOf(actor, target), axis), at);
    }
  }
}

/** Also what is scrolled out: it is going to come. */
async function wholeOf(actor: Actor, { element }: Target): Promise<Element> {
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
