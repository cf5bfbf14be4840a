import { ownBar } from '../actionability/wheel-target.js';
import { type Actor } from '../act/actor.js';
import { type ActionReport, type Method } from '../act/action.js';
import { type Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { describeElement, type Element } from '../../tree/index.js';
import {
  waitForRest,
  type Direction,
  headingOf,
  MOST_NOTCHES,
  moveBar,
  waitForMovement,
  partMoved,
  type Positions,
  positionsIn,
  scrollOnce,
  medianShift,
  sizeAlong,
  readWhole,
} from './scroll.js';

/** How much of the visible part the next turn scrolls away, and how many times more notches it may use. */
const PAGE_FRACTION = 0.6;
const MAX_SPEEDUP = 3;
/** The maximum number of pages. */
const MAX_PAGES = 200;

/**
 * The effect of one turn. `after`: the positions afterwards, if the target itself moved. `part`: the inner element that
 * moved instead.
 */
interface TurnEffect {
  method: Method;
  before: Positions;
  after?: Positions;
  part?: Element;
}

/** Scrolls until the selector matches a visible element, or the target no longer moves. */
export async function scrollUntil(
  actor: Actor,
  target: Target,
  direction: Direction,
  notches: number,
  until: string,
): Promise<ActionReport> {
  const { axis } = headingOf(direction);
  const bar = ownBar(await readWhole(actor, target), axis);
  let method: Method = 'pattern';
  let part: Element | undefined;
  let notchPx = 0;
  for (let page = 1, turnNotches = notches; page <= MAX_PAGES; page++) {
    const effect = await turnOnce(actor, target, direction, turnNotches, bar);
    if (effect.method === 'input') method = 'input';
    if (await actor.reader.shows(until, target.window.ref))
      return { method, detail: `${direction} ${times(page)} until it showed,` };
    if (!effect.after) throw endReachedError(target, direction, page - 1, effect.part ?? part);
    ({ part } = effect);
    // The largest shift counts: a turn that reached a temporary end, as in a list that grows while scrolling, was cut
    // short.
    notchPx = Math.max(notchPx, medianShift(effect.before, effect.after, axis) / turnNotches);
    turnNotches = nextNotches(turnNotches, notchPx, sizeAlong(target, direction));
  }
  throw endReachedError(target, direction, MAX_PAGES, part);
}

async function turnOnce(
  actor: Actor,
  target: Target,
  direction: Direction,
  notches: number,
  bar: Element | undefined,
): Promise<TurnEffect> {
  const before = await positionsIn(actor, target);
  const valueBefore = await barValue(actor, bar);
  const hasMoved = async (): Promise<boolean> => (await barValue(actor, bar)) !== valueBefore;
  let method: Method = 'input';
  await actor.settled(target.window, async () => {
    method = await scrollOnce(actor, target, direction, notches);
  });
  const first = await waitForMovement(actor, target, before);
  const after = first && partMoved(before, first) ? await waitForRest(actor, target, first) : first;
  const part = after && partMoved(before, after);
  if (after && !part) return { method, before, after };
  // If the target scrolls itself, only its own movement counts; otherwise the movement of an element inside it.
  const scrollsItself = bar !== undefined || target.element.role === 'scrollpane';
  if (!scrollsItself) return { method, before, ...(after && { after }), ...(part && { part }) };
  if (after && (await hasMoved())) return { method, before, after };
  // The target's own scroll bar may move further when the wheel did not.
  const barMoved = bar !== undefined && (await setBar(actor, target, direction, notches)) && (await hasMoved());
  return { method, before, ...(barMoved && { after: await positionsIn(actor, target) }), ...(part && { part }) };
}

async function setBar(actor: Actor, target: Target, direction: Direction, notches: number): Promise<boolean> {
  let wasSet = false;
  await actor.settled(target.window, async () => {
    wasSet = await moveBar(actor, target, direction, notches);
  });
  return wasSet;
}

async function barValue(actor: Actor, bar: Element | undefined): Promise<Element['value']> {
  if (!bar) return undefined;
  const { roots } = await actor.reader.lookAt(bar.ref, { full: true });
  return roots[0]?.value;
}

/** One notch is 10 pixels in one toolkit and 100 in another; the first turn measures it. No content is skipped. */
function nextNotches(notches: number, notchPx: number, size: number): number {
  if (notchPx === 0) return notches;
  const wanted = Math.floor((size * PAGE_FRACTION) / notchPx);
  return Math.max(1, Math.min(wanted, notches * MAX_SPEEDUP, MOST_NOTCHES));
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** `part`: the inner element that moved while the target as a whole did not. */
function endReachedError({ element }: Target, direction: string, turns: number, part?: Element): DesktopError {
  const innerText = part && `${describeElement(part)} in it`;
  return new FinalActError(
    'element_not_found',
    `${describeScrolling(element.ref, direction, turns, innerText)} and it did not show.`,
    {
      delivered: 'yes',
      retry: 'no',
      hint:
        innerText && turns === 0
          ? `Name the element to scroll, ${part.ref} or another one; ui_act scroll_into_view shows an element that you know.`
          : 'Try the other direction. ui_read also reads rows that are not on the screen.',
    },
  );
}

function describeScrolling(ref: string, direction: string, turns: number, innerText: string | undefined): string {
  if (turns === 0 && innerText) return `${innerText} took the wheel, ${ref} itself did not move ${direction},`;
  if (turns === 0) return `${ref} did not move when the wheel was turned ${direction},`;
  if (innerText) return `${innerText} was scrolled ${direction} (${times(turns)}) until ${ref} no longer moved,`;
  return `${ref} was scrolled ${direction} to its end (${times(turns)})`;
}
