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
const POLL_MS = 50;
/** How long keys may take to reach an option. */
const ARRIVAL_MS = 600;

/** An open list as its app exposes it. Of a long list GTK 4 exposes only the options near the current one. */
export interface OptionList {
  /** In list order, without disabled options, because keys skip these. */
  options: Element[];
  /** The index of the option that the keys are at, if the app exposes it. */
  current?: number;
  /** A menu exposes all its items, whether it exposes the current one or not. */
  complete: boolean;
}

/**
 * Reads until two results are equal: a list that is just opening or scrolling exposes only a part of its options. One
 * read is enough if it contains the wanted option and the current one, because the option is checked again after the
 * keys.
 */
export async function readList(actor: Actor, target: Target, wanted: string, end: Deadline): Promise<OptionList> {
  for (let previous = ''; ; await pause(POLL_MS)) {
    const list = await readListOnce(actor, target);
    if (list.current !== undefined && list.options.some((option) => textOf(option) === wanted)) return list;
    const reading = JSON.stringify([list.options.map(textOf), list.current]);
    if (reading === previous || end.over) return list;
    previous = reading;
  }
}

async function readListOnce(actor: Actor, target: Target): Promise<OptionList> {
  const options = (await openOptions(actor, target)).filter(({ states }) => states.enabled);
  const focused = options.findIndex(({ states }) => states.focused);
  const at = focused >= 0 ? focused : options.findIndex(({ states }) => states.selected);
  return { options, complete: options.every(({ role }) => IN_MENUS.has(role)), ...(at >= 0 && { current: at }) };
}

/**
 * Whether the focused option soon has this text. This is faster than reading the list: a long list takes much longer to
 * expose all its options.
 */
export async function isFocusedOption(actor: Actor, text: string): Promise<boolean> {
  for (const end = actor.deadline.atMost(ARRIVAL_MS); !end.over; await pause(POLL_MS)) {
    try {
      const { element } = await actor.reader.target('focused');
      if (!OPTIONS.has(element.role)) return false;
      const { roots } = await actor.reader.snapshotOf(element.ref, { full: true });
      if (roots[0] && textOf(roots[0]) === text) return true;
    } catch (error) {
      // Not every list exposes a focus, and an option may get another widget between the two reads.
      if (error instanceof DesktopError && (error.code === 'element_not_found' || error.code === 'stale_ref'))
        return false;
      throw error;
    }
  }
  return false;
}

/** The options in the combo box itself, or in a list that opened as a separate window. */
async function openOptions(actor: Actor, { element, window }: Target): Promise<Element[]> {
  const { roots, windows } = await actor.reader.takeSnapshot({ window: window.ref, full: true });
  if (!windows.some(({ menu, visible }) => menu && visible)) return [];
  const combo = roots.flatMap(withDescendants).find(({ ref }) => ref === element.ref);
  const lists = roots.filter((_, index) => windows[index]!.menu);
  const found = [...(combo ? [combo] : []), ...lists].map(optionsIn);
  return found.find((options) => options.length > 0) ?? [];
}

export async function isListOpen(actor: Actor, { window }: Target): Promise<boolean> {
  const { windows } = await actor.reader.windows();
  return windows.some(({ menu, visible, of, pid }) => menu && visible && (of === window.ref || pid === window.pid));
}

/** Keys do not go through the items of an option's submenu. */
function optionsIn(element: Element): Element[] {
  const inside = IN_MENUS.has(element.role) ? [] : element.children.flatMap(optionsIn);
  return isOption(element) ? [element, ...inside] : inside;
}

/** The items of an option's submenu. */
export function submenuItems({ role, children }: Element): Element[] {
  return IN_MENUS.has(role) ? children.flatMap(withDescendants).filter(isOption) : [];
}

const isOption = ({ role }: Element): boolean => OPTIONS.has(role);

export function withDescendants(element: Element): Element[] {
  return [element, ...element.children.flatMap(withDescendants)];
}

export function textOf({ name, children }: Element): string {
  return (name ?? children.map(textOf).join(' ')).trim();
}

/** A browser exposes what a page shows up to a quarter of a second later, and longer on a busy machine. */
const PAGE_LIST_MS = 1_500;

/** The lists that are visible in the window, by ref. */
export async function listsIn(actor: Actor, { window }: Target): Promise<Map<string, Element>> {
  const { roots } = await actor.reader.takeSnapshot({ window: window.ref });
  const lists = roots.flatMap(withDescendants).filter((one) => one.role === 'listbox' && optionsOf(one).length > 0);
  return new Map(lists.map((list) => [list.ref, list]));
}

/**
 * Web pages show the list of a combo box inside the page: it is the one that was not there `before`. Undefined if a
 * menu opened, or nothing.
 */
export async function newListInPage(
  actor: Actor,
  target: Target,
  before: ReadonlyMap<string, Element>,
): Promise<Element | undefined> {
  for (const end = actor.deadline.atMost(PAGE_LIST_MS); ; await pause(POLL_MS)) {
    if (await isListOpen(actor, target)) return undefined;
    const newLists = [...(await listsIn(actor, target)).values()].filter(({ ref }) => !before.has(ref));
    if (newLists.length === 1) return newLists[0];
    if (end.over) return undefined;
  }
}

/** Why nothing was selected: not exactly one option has the text. */
interface NoUniqueOption {
  matches: number;
  options: string[];
}

/**
 * Clicks the option, scrolling it into view first. If there is no unique option, closes the list with another click on
 * the combo box.
 */
export async function selectInPage(
  actor: Actor,
  target: Target,
  list: Element,
  name: string,
): Promise<NoUniqueOption | undefined> {
  const options = await allOptions(actor, list);
  const matches = options.filter((option) => option.states.enabled && textOf(option) === name);
  if (matches.length === 1) {
    const { ref, states } = matches[0]!;
    // The option must be inspected at the place where it will be clicked.
    if (states.offscreen) await actor.point(await actor.reader.target(ref));
    await actor.click(await actor.reader.target(ref));
    return undefined;
  }
  await actor.settled(target.window, () => actor.click(target));
  return { matches: matches.length, options: options.map(textOf) };
}

/** Includes options that are scrolled out of view, but not those that the page hides, for example while filtering. */
async function allOptions(actor: Actor, list: Element): Promise<Element[]> {
  const { roots } = await actor.reader.snapshotOf(list.ref, { full: true });
  return roots.flatMap(optionsOf).filter(({ states }) => states.visible);
}

const optionsOf = (list: Element): Element[] => withDescendants(list).filter(({ role }) => OPTIONS.has(role));
