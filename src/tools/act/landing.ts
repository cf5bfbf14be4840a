import type { Aim, Chord, Reader, Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TEXT_FIELD_ROLES, type WindowInfo } from '../../tree/index.js';

/** They go on from what has the focus: what comes after them lands on something that nobody has seen. */
const LEAVES = /^(Tab|F6)$/;
/** So do these, but in a text they move its caret. */
const STEPS = /^(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
/** They are for the window, whatever has the focus. */
const OF_WINDOW = /^(Escape|F\d{1,2})$/;

/** On what keys land: on nothing but the window, on what has the focus, or on what only pressing them would show. */
export function landingOf(chords: readonly Chord[], focus?: Target): 'window' | 'focus' | 'unseen' {
  const inText = focus !== undefined && TEXT_FIELD_ROLES.has(focus.element.role);
  let landing: 'window' | 'focus' = 'window';
  let moved = false;
  for (const { key, modifiers } of chords) {
    const moves = LEAVES.test(key) || (STEPS.test(key) && !inText);
    const plain = modifiers.every((modifier) => modifier === 'shift');
    // A letter with Alt presses whatever is called after it.
    if (modifiers.includes('alt') && !OF_WINDOW.test(key)) return 'unseen';
    if (plain && !OF_WINDOW.test(key)) {
      if (moved && !moves) return 'unseen';
      landing = 'focus';
    }
    moved ||= moves;
  }
  return landing;
}

/** What the keys of a window will be pressed on, for rules alone: they are given to the window. */
export async function landsIn(
  reader: Reader,
  window: WindowInfo,
  chords: readonly Chord[],
): Promise<Pick<Aim, 'lands'>> {
  if (landingOf(chords) === 'window') return {};
  if (!window.active) return { lands: {} };
  try {
    const target = await reader.target('focused', undefined, { depth: 0 });
    const seen = target.window.ref === window.ref && landingOf(chords, target) === 'focus';
    return { lands: seen ? { target } : {} };
  } catch (error) {
    // Many apps never tell what has their focus.
    if (error instanceof DesktopError && error.code === 'element_not_found') return { lands: {} };
    throw error;
  }
}
