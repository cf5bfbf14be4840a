import { ownBar } from '../actionability/wheel-target.js';
import { type Actor } from '../act/actor.js';
import { type ActionReport, type Method } from '../act/action.js';
import { type Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { quote, type Element } from '../../tree/index.js';
import {
  cameToRest,
  type Direction,
  headingOf,
  MOST_NOTCHES,
  moveBar,
  movedFrom,
  partMoved,
  type Places,
  placesIn,
  scrollOnce,
  shiftOf,
  sizeAlong,
  wholeOf,
} from './scroll.js';

/** How much of what shows the next turn moves away, and how many times as many notches it may take. */
const NEXT_PAGE = 0.6;
const FASTER_AT_MOST = 3;
/** So many pages are tried at the most. */
const MOST_PAGES = 200;

/** What one turn did: where everything is now, when it itself moved; else what in it moved instead. */
interface Turned {
  method: Method;
  before: Places;
  after?: Places;
  part?: Element;
}

/** On and on until it shows, or what is scrolled does not move any more. */
export async function scrollUntil(
  actor: Actor,
  target: Target,
  direction: Direction,
  notches: number,
  until: string,
): Promise<ActionReport> {
  const { axis } = headingOf(direction);
  const bar = ownBar(await wholeOf(actor, target), axis);
  let method: Method = 'pattern';
  let part: Element | undefined;
  let notchPx = 0;
  for (let page = 1, queue = notches; page <= MOST_PAGES; page++) {
    const turned = await turnOnce(actor, target, direction, queue, bar);
    if (turned.method === 'input') method = 'input';
    if (await actor.reader.shows(until, target.window.ref))
      return { method, words: `${direction} ${times(page)} until it showed,` };
    if (!turned.after) throw atTheEnd(target, direction, page - 1, turned.part ?? part);
    ({ part } = turned);
    // The farthest counts: a turn that came to an end for now, as in a list that grows, was cut short.
    notchPx = Math.max(notchPx, shiftOf(turned.before, turned.after, axis) / queue);
    queue = paced(queue, notchPx, sizeAlong(target, direction));
  }
  throw atTheEnd(target, direction, MOST_PAGES, part);
}

async function turnOnce(
  actor: Actor,
  target: Target,
  direction: Direction,
  notches: number,
  bar: Element | undefined,
): Promise<Turned> {
  const before = await placesIn(actor, target);
  const stood = await standOf(actor, bar);
  const hasMoved = async (): Promise<boolean> => (await standOf(actor, bar)) !== stood;
  let method: Method = 'input';
  await actor.settled(target.window, async () => {
    method = await scrollOnce(actor, target, direction, notches);
  });
  const first = await movedFrom(actor, target, before);
  const after = first && partMoved(before, first) ? await cameToRest(actor, target, first) : first;
  const part = after && partMoved(before, after);
  if (after && !part) return { method, before, after };
  // Of what scrolls itself only its own way counts; else what scrolls in it is meant.
  const itself = bar !== undefined || target.element.role === 'scrollpane';
  if (!itself) return { method, before, ...(after && { after }), ...(part && { part }) };
  if (after && (await hasMoved())) return { method, before, after };
  // What the wheel did not bring on, its own scroll bar may.
  const more = bar !== undefined && (await setBar(actor, target, direction, notches)) && (await hasMoved());
  return { method, before, ...(more && { after: await placesIn(actor, target) }), ...(part && { part }) };
}

async function setBar(actor: Actor, target: Target, direction: Direction, notches: number): Promise<boolean> {
  let set = false;
  await actor.settled(target.window, async () => {
    set = await moveBar(actor, target, direction, notches);
  });
  return set;
}

async function standOf(actor: Actor, bar: Element | undefined): Promise<Element['value']> {
  if (!bar) return undefined;
  const { roots } = await actor.reader.lookAt(bar.ref, { full: true });
  return roots[0]?.value;
}

/** A notch is 10 pixels in one toolkit and 100 in another: what it was here is known after the first. Nothing is passed over. */
function paced(notches: number, notchPx: number, size: number): number {
  if (notchPx === 0) return notches;
  const wanted = Math.floor((size * NEXT_PAGE) / notchPx);
  return Math.max(1, Math.min(wanted, notches * FASTER_AT_MOST, MOST_NOTCHES));
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** `part`: what in it moved, and not it as a whole. */
function atTheEnd({ element }: Target, direction: string, queue: number, part?: Element): DesktopError {
  const inner = part && `${part.ref} ${part.role}${part.name ? ` ${quote(part.name)}` : ''} in it`;
  return new DesktopError('element_not_found', `${wayOf(element.ref, direction, queue, inner)} and it did not show.`, {
    delivered: 'yes',
    retry: 'no',
    details: { complete: true },
    hint:
      inner && queue === 0
        ? `name what is to scroll, ${part.ref} or another; ui_act scroll_into_view brings up what is known.`
        : 'try the other direction, or ui_read reads rows that are not on the screen.',
  });
}

function wayOf(ref: string, direction: string, queue: number, inner: string | undefined): string {
  if (queue === 0 && inner) return `${inner} took the wheel, ${ref} itself did not move ${direction},`;
  if (queue === 0) return `${ref} did not move when the wheel was turned ${direction},`;
  if (inner) return `${inner} was scrolled ${direction} (${times(queue)}) until ${ref} did not move any more,`;
  return `${ref} was scrolled ${direction} to its end (${times(queue)})`;
}
