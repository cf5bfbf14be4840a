import type { Caret } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, TEXT_FIELD_ROLES } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { UiState } from './ui-changes.js';

/**
 * The element that keys moved the focus to. Only within one window: a change of the active window is reported
 * separately. Focus on the target or its ancestors is not an effect: the target got it before the first key.
 */
export function focusChange(before: UiState, after: UiState, target?: Target): Element | undefined {
  const active = activeIn(after);
  if (active === undefined || active !== activeIn(before)) return undefined;
  const [was, is] = [focusPath(before, active), focusPath(after, active)];
  const now = is?.at(-1);
  if (!now || now.ref === was?.at(-1)?.ref) return undefined;
  if (!target) return now;
  const { ref } = target.element;
  const within = (path: readonly Element[] | undefined): boolean => path?.some((one) => one.ref === ref) === true;
  if (within(is) && !within(was)) return undefined;
  // The ancestors of a point may have no refs yet.
  return target.path.some((one) => one.id === now.id) ? undefined : now;
}

/** The same for a click. Focus that follows the mouse into the target or its ancestors is not an effect. */
export function focusBeyond(before: UiState, after: UiState, target: Target): Element | undefined {
  const now = focusChange(before, after, target);
  const inside = now && focusPath(after, activeIn(after)!)?.some(({ ref }) => ref === target.element.ref);
  return inside ? undefined : now;
}

/**
 * The same for a click at coordinates, which names no target: that a text field gets the caret is also an effect. If
 * only the window at that point is known, any focus change counts.
 */
export function focusFromPoint(before: UiState, after: UiState, met?: Target): Element | undefined {
  const now = focusChange(before, after);
  if (!now || TEXT_FIELD_ROLES.has(now.role)) return now;
  return met && met.element.ref !== met.window.ref ? focusBeyond(before, after, met) : now;
}

/** A click into a text field places the caret. No further effect is expected. */
export function isExpectedFocus(focus: Element, met?: Target): boolean {
  if (!met || !TEXT_FIELD_ROLES.has(focus.role)) return false;
  return [...met.path, met.element].some(({ id }) => id === focus.id);
}

const activeIn = ({ windows }: UiState): string | undefined => windows.find(({ active }) => active)?.ref;

/** The focused element: the innermost one with the `focused` state in the active window. */
function focusIn(uiState: UiState): Element | undefined {
  const active = activeIn(uiState);
  return active === undefined ? undefined : focusPath(uiState, active)?.at(-1);
}

/** Containers report `focused` together with the item that has the focus: the innermost one counts. */
function focusPath({ snapshot }: UiState, window: string): Element[] | undefined {
  const root = snapshot.roots.find(({ ref }) => ref === window);
  return root && pathIn(root);
}

function pathIn(element: Element): Element[] | undefined {
  for (const child of element.children) {
    const path = pathIn(child);
    if (path) return [element, ...path];
  }
  return element.states.focused ? [element] : undefined;
}

/** A text in which keys moved the caret or selected something. The distance is left out: it could reveal the length of a secret. */
export interface MovedCaret {
  element: Element;
  selects: boolean;
}

/**
 * Home, shift+End and ctrl+A change nothing that a snapshot shows, nor does a menu item "Select All" or a click into a
 * field that has the focus already. Returns a function that compares the caret after the act. Undefined if no text field
 * has the focus, or if the field does not expose its caret.
 */
export async function caretBefore(
  desktop: CallView,
  before: UiState,
  { keys, target }: Pick<ActionPlan, 'keys' | 'target'>,
  deadline: Deadline,
): Promise<((by: Deadline) => Promise<MovedCaret | undefined>) | undefined> {
  // A field that gets the focus by the act gets its caret with it. Only keys are known to come after that.
  const element = (keys && target?.element) || focusIn(before);
  if (!element || !TEXT_FIELD_ROLES.has(element.role) || element.states.secret) return undefined;
  const was = await caretIn(desktop, element, deadline);
  if (!was) return undefined;
  return async (by) => {
    const now = await caretIn(desktop, element, by);
    if (!now || (now.start === was.start && now.end === was.end)) return undefined;
    return { element, selects: now.start !== now.end };
  };
}

async function caretIn({ driver }: CallView, { id }: Element, deadline: Deadline): Promise<Caret | undefined> {
  try {
    return await driver.caret?.(id, { deadline });
  } catch (error) {
    // The caret is only one of several signals. The snapshot shows what happened to the app.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}
