import { setTimeout as pause } from 'node:timers/promises';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { Element, Role } from '../../tree/index.js';
import type { Actor } from '../act/actor.js';
import type { Target } from '../locate/target.js';

export const OPTIONS: ReadonlySet<Role> = new Set([
  'option',
  'listitem',
  'menuitem',
  'menuitemradio',
  'treeitem',
  'row',
]);
const IN_MENUS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemradio']);
export const POLL_MS = 50;
/** So long keys may take to come to an option. */
const ARRIVES_MS = 600;

/** What an open list tells: of a long one GTK 4 has only the options near the one that the keys are at. */
export interface OptionList {
  /** In their order; keys skip those that cannot be chosen. */
  options: Element[];
  /** Which of them the keys are at, as far as it is told. */
  at?: number;
  /** A menu has all its items, whether it tells where the keys are or not. */
  whole: boolean;
}

/**
 * Told twice the same: a list that is just opening, or being scrolled, tells a part of its options. Once is enough
 * when it tells of the wished one and of where the keys are: what the keys came to is looked at again anyway.
 */
export async function readList(actor: Actor, target: Target, wish: string, end: Deadline): Promise<OptionList> {
  for (let before = ''; ; await pause(POLL_MS)) {
    const list = await lookAtList(actor, target);
    if (list.at !== undefined && list.options.some((option) => wordsOf(option) === wish)) return list;
    const told = JSON.stringify([list.options.map(wordsOf), list.at]);
    if (told === before || end.over) return list;
    before = told;
  }
}

async function lookAtList(actor: Actor, target: Target): Promise<OptionList> {
  const options = (await openOptions(actor, target)).filter(({ states }) => states.enabled);
  const focused = options.findIndex(({ states }) => states.focused);
  const at = focused >= 0 ? focused : options.findIndex(({ states }) => states.selected);
  return { options, whole: options.every(({ role }) => IN_MENUS.has(role)), ...(at >= 0 && { at }) };
}

/** Whether the option that has the focus reads so, soon; a long list takes much longer to tell all its options. */
export async function keysAreAt(actor: Actor, words: string): Promise<boolean> {
  for (const end = actor.deadline.atMost(ARRIVES_MS); !end.over; await pause(POLL_MS)) {
    try {
      const { element } = await actor.reader.target('focused');
      if (!OPTIONS.has(element.role)) return false;
      const { roots } = await actor.reader.lookAt(element.ref, { full: true });
      if (roots[0] && wordsOf(roots[0]) === words) return true;
    } catch (error) {
      // Not every list tells of a focus, and an option may be given another widget between the two.
      if (error instanceof DesktopError && (error.code === 'element_not_found' || error.code === 'stale_ref'))
        return false;
      throw error;
    }
  }
  return false;
}

/** What is in the combo box itself, or in a list that opened as a window of its own. */
async function openOptions(actor: Actor, { element, window }: Target): Promise<Element[]> {
  const { roots, windows } = await actor.reader.look({ window: window.ref, full: true });
  if (!windows.some(({ menu, visible }) => menu && visible)) return [];
  const combo = roots.flatMap(everything).find(({ ref }) => ref === element.ref);
  const lists = roots.filter((_, index) => windows[index]!.menu);
  const found = [...(combo ? [combo] : []), ...lists].map(optionsIn);
  return found.find((options) => options.length > 0) ?? [];
}

export async function isListOpen(actor: Actor, { window }: Target): Promise<boolean> {
  const { windows } = await actor.reader.windows();
  return windows.some(({ menu, visible, of, pid }) => menu && visible && (of === window.ref || pid === window.pid));
}

/** What is in the menu of an option is not among those that the keys go through. */
function optionsIn(element: Element): Element[] {
  const inside = IN_MENUS.has(element.role) ? [] : element.children.flatMap(optionsIn);
  return isOption(element) ? [element, ...inside] : inside;
}

/** Of an option that opens a menu: what can be chosen there. */
export function optionsWithin({ role, children }: Element): Element[] {
  return IN_MENUS.has(role) ? children.flatMap(everything).filter(isOption) : [];
}

const isOption = ({ role }: Element): boolean => OPTIONS.has(role);

export function everything(element: Element): Element[] {
  return [element, ...element.children.flatMap(everything)];
}

export function wordsOf({ name, children }: Element): string {
  return (name ?? children.map(wordsOf).join(' ')).trim();
}

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
  for (const end = actor.deadline.atMost(SHOWS_MS); ; await pause(POLL_MS)) {
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
export async function selectInPage(
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
