import { LOOK_MS } from './option-list.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Target } from '../../runtime/index.js';
import type { Element } from '../../tree/index.js';
import { everything, isListOpen, OPTIONS, wordsOf } from './option-list.js';

/** A browser tells of what a page shows up to a quarter of a second later, and longer on a busy machine. */
const SHOWS_MS = 1_500;

/** The lists that show in its window, by their refs. */
export async function listsIn(actor: Actor, { window }: Target): Promise<Map<string, Element>> {
  const { roots } = await actor.reader.look({ window: window.ref });
  const lists = roots.flatMap(everything).filter((one) => one.role === 'listbox' && optionsOf(one).length > 0);
  return new Map(lists.map((list) => [list.ref, list]));
}

/** Pages show the list of a combo box among themselves: the one that was not there `before`. Undefined: a menu opened, or nothing. */
export async function listInPage(
  actor: Actor,
  target: Target,
  before: ReadonlyMap<string, Element>,
): Promise<Element | undefined> {
  for (const end = actor.deadline.atMost(SHOWS_MS); ; await pause(LOOK_MS)) {
    if (await isListOpen(actor, target)) return undefined;
    const fresh = [...(await listsIn(actor, target)).values()].filter(({ ref }) => !before.has(ref));
    if (fresh.length === 1) return fresh[0];
    if (end.over) return undefined;
  }
}

/** Why nothing was taken: not just one of what is there reads so. */
export interface Missed {
  fits: number;
  there: string[];
}

/** Clicks the option, which is scrolled into view for that; else closes the list by another click on the combo box. */
export async function takeFromPage(
  actor: Actor,
  target: Target,
  list: Element,
  name: string,
): Promise<Missed | undefined> {
  const options = await allOptions(actor, list);
  const fits = options.filter((option) => option.states.enabled && wordsOf(option) === name);
  if (fits.length === 1) {
    const { ref, states } = fits[0]!;
    // What is pressed has to be seen first, where it is going to be pressed.
    if (states.offscreen) await actor.point(await actor.reader.target(ref));
    await actor.click(await actor.reader.target(ref));
    return undefined;
  }
  await actor.settled(target.window, () => actor.click(target));
  return { fits: fits.length, there: options.map(wordsOf) };
}

/** Also those that one would have to scroll to; not those that the page hides, as it does while one filters them. */
async function allOptions(actor: Actor, list: Element): Promise<Element[]> {
  const { roots } = await actor.reader.lookAt(list.ref, { full: true });
  return roots.flatMap(optionsOf).filter(({ states }) => states.visible);
}

const optionsOf = (list: Element): Element[] => everything(list).filter(({ role }) => OPTIONS.has(role));
