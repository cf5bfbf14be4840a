import type { ActionPlan } from '../act/action.js';
import type { Chord } from '../../drivers/contract/index.js';
import type { Reader } from '../act/reader.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { INTERACTIVE_ROLES, ITEM_ROLES, TEXT_FIELD_ROLES, type Role, type WindowInfo } from '../../tree/index.js';

/** These keys move the focus on, or open a menu: the keys after them land on an element that has not been inspected. */
const FOCUS_KEYS = /^(Tab|F6|F10|Menu|Alt|Meta)$/;
/** So do these, except in a text field, where they move the caret. */
const ARROW_KEYS = /^(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
/** The window handles these, whatever has the focus. */
const WINDOW_KEYS = /^(Escape|F\d{1,2})$/;
/** These press the focused element. If that opens something, it receives the keys that follow. */
const PRESS_KEYS = /^(Enter|KP_Enter|Space)$/;
const MENUS: ReadonlySet<Role> = new Set(['menu', 'menubar', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
/** In these a letter moves to the next item that begins with it. */
const LISTS: ReadonlySet<Role> = new Set([...ITEM_ROLES, 'list', 'listbox', 'tree', 'combobox']);

/**
 * Where keys land: only on the window, on the focused element, or on an element that is known only after pressing them.
 */
export function keyLanding(chords: readonly Chord[], focus?: Target): 'window' | 'focus' | 'unseen' {
  let landing: 'window' | 'focus' = 'window';
  let [moved, opened] = [false, false];
  for (const chord of chords) {
    const { key, modifiers } = chord;
    const moves = movesFocus(chord, opened ? undefined : focus);
    const plain = modifiers.every((modifier) => modifier === 'shift');
    // Alt with a letter presses the control with that mnemonic; in a menu the letter alone does.
    if (modifiers.includes('alt') && !WINDOW_KEYS.test(key)) return 'unseen';
    if (plain && isLetter(key) && focus && MENUS.has(focus.element.role)) return 'unseen';
    if (plain && !WINDOW_KEYS.test(key)) {
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

/** Whether the key moves the focus to another element. */
function movesFocus({ key }: Chord, focus: Target | undefined): boolean {
  if (FOCUS_KEYS.test(key)) return true;
  if (ARROW_KEYS.test(key)) return !focus || !isText(focus);
  // Each paragraph of an editor is an element.
  if (focus?.element.role === 'paragraph') return !isLetter(key) && key !== 'Space' && !WINDOW_KEYS.test(key);
  return isLetter(key) && focus !== undefined && LISTS.has(focus.element.role) && !focus.element.states.editable;
}

function opens({ key }: Chord, focus: Target | undefined): boolean {
  if (!focus || !PRESS_KEYS.test(key)) return false;
  const { role, states } = focus.element;
  // In a single-line field Enter belongs to the form around it.
  if (isText(focus)) return key !== 'Space' && !states.multiline;
  return role !== 'terminal' && (INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role));
}

/** The element that keys sent to a window will reach. Only policy uses it: the keys are sent to the window. */
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
    // Many apps never expose their focused element.
    if (error instanceof DesktopError && error.code === 'element_not_found') return { lands: {} };
    throw error;
  }
}
