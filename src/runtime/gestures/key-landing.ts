import type { ActionPlan } from '../act/action.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Reader } from '../act/reader.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_FIELD_ROLES, type Role, type WindowInfo } from '../../tree/index.js';

/** They go on from what has the focus, or open a menu: what comes after them lands on something that nobody has seen. */
const LEAVES = /^(Tab|F6|F10|Menu|Alt|Meta)$/;
/** So do these, but in a text they move its caret. */
const STEPS = /^(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
/** They are for the window, whatever has the focus. */
const OF_WINDOW = /^(Escape|F\d{1,2})$/;
/** They press what has the focus, and what that opens takes the keys after them. */
const PRESSES = /^(Enter|KP_Enter|Space)$/;
const MENUS: ReadonlySet<Role> = new Set(['menu', 'menubar', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
/** A letter goes to what begins with it. */
const LISTS: ReadonlySet<Role> = new Set([...ITEM_ROLES, 'list', 'listbox', 'tree', 'combobox']);

/** On what keys land: on nothing but the window, on what has the focus, or on what only pressing them would show. */
export function keyLanding(chords: readonly Chord[], focus?: Target): 'window' | 'focus' | 'unseen' {
  let landing: 'window' | 'focus' = 'window';
  let [moved, opened] = [false, false];
  for (const chord of chords) {
    const { key, modifiers } = chord;
    const moves = goesOn(chord, opened ? undefined : focus);
    const plain = modifiers.every((modifier) => modifier === 'shift');
    // A letter with Alt presses whatever is called after it, and in a menu without.
    if (modifiers.includes('alt') && !OF_WINDOW.test(key)) return 'unseen';
    if (plain && isLetter(key) && focus && MENUS.has(focus.element.role)) return 'unseen';
    if (plain && !OF_WINDOW.test(key)) {
      if (moved && !moves) return 'unseen';
      landing = 'focus';
    }
    opened ||= opens(chord, focus);
    moved ||= moves || opened;
  }
  return landing;
}

const isLetter = (key: string): boolean => [...key].length === 1;
const isText = ({ element }: Target): boolean => TEXT_FIELD_ROLES.has(element.role);

/** From what has the focus to something else. */
function goesOn({ key }: Chord, focus: Target | undefined): boolean {
  if (LEAVES.test(key)) return true;
  if (STEPS.test(key)) return !focus || !isText(focus);
  return isLetter(key) && focus !== undefined && LISTS.has(focus.element.role) && !focus.element.states.editable;
}

function opens({ key }: Chord, focus: Target | undefined): boolean {
  if (!focus || !PRESSES.test(key)) return false;
  const { role, states } = focus.element;
  // In a single line Enter is for what the line is in.
  if (isText(focus)) return key !== 'Space' && !states.multiline;
  return role !== 'terminal' && (INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role));
}

/** What the keys of a window will be pressed on, for rules alone: they are given to the window. */
export async function landsIn(
  reader: Reader,
  window: WindowInfo,
  chords: readonly Chord[],
): Promise<Pick<ActionPlan, 'lands'>> {
  if (keyLanding(chords) === 'window') return {};
  if (!window.active) return { lands: {} };
  try {
    const target = await reader.target('focused', undefined, { depth: 0 });
    const seen = target.window.ref === window.ref && keyLanding(chords, target) === 'focus';
    return { lands: seen ? { target } : {} };
  } catch (error) {
    // Many apps never tell what has their focus.
    if (error instanceof DesktopError && error.code === 'element_not_found') return { lands: {} };
    throw error;
  }
}
