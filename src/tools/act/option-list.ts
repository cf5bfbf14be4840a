import { setTimeout as pause } from 'node:timers/promises';
import type { Actor, Target } from '../../runtime/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Element, Role } from '../../tree/index.js';

export const OPTIONS: ReadonlySet<Role> = new Set([
  'option',
  'listitem',
  'menuitem',
  'menuitemradio',
  'treeitem',
  'row',
]);
const IN_MENUS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemradio']);
export const LOOK_MS = 50;
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
  for (let before = ''; ; await pause(LOOK_MS)) {
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
  for (const end = actor.deadline.atMost(ARRIVES_MS); !end.over; await pause(LOOK_MS)) {
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
