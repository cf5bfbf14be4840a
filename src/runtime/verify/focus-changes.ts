import type { Caret } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, TEXT_FIELD_ROLES } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { UiState } from './ui-changes.js';

/**
 * What has the keys now, where keys took it there from something else. In one window alone: that another one is active
 * is told anyway. That the target has the focus, or what is around it, is no effect: it was given to it before the
 * first key.
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
  // What is around a point may have no refs yet.
  return target.path.some((one) => one.id === now.id) ? undefined : now;
}

/** The same for a click: that the focus went along with the mouse, into the target or around it, is no effect. */
export function focusBeyond(before: UiState, after: UiState, target: Target): Element | undefined {
  const now = focusChange(before, after, target);
  const inside = now && focusPath(after, activeIn(after)!)?.some(({ ref }) => ref === target.element.ref);
  return inside ? undefined : now;
}

/**
 * The same for a bare point, where nobody named what lies there: also that a text field has the caret now is an effect.
 * Where nothing is known to lie but the window, every focus is beyond it.
 */
export function focusFromPoint(before: UiState, after: UiState, met?: Target): Element | undefined {
  const now = focusChange(before, after);
  if (!now || TEXT_FIELD_ROLES.has(now.role)) return now;
  return met && met.element.ref !== met.window.ref ? focusBeyond(before, after, met) : now;
}

/** In a text field a click means the caret, and nothing that comes after it. */
export function isExpectedFocus(focus: Element, met?: Target): boolean {
  if (!met || !TEXT_FIELD_ROLES.has(focus.role)) return false;
  return [...met.path, met.element].some(({ id }) => id === focus.id);
}

const activeIn = ({ windows }: UiState): string | undefined => windows.find(({ active }) => active)?.ref;

/** What has the keys: the innermost that says so in the active window. */
function focusIn(uiState: UiState): Element | undefined {
  const active = activeIn(uiState);
  return active === undefined ? undefined : focusPath(uiState, active)?.at(-1);
}

/** Containers say "focused" along with the item that really has it: the innermost counts. */
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

/** A text in which keys moved the caret, or selected something. How far is not told: that would be a secret's length. */
export interface MovedCaret {
  element: Element;
  selects: boolean;
}

/**
 * Home, shift+End and ctrl+A change nothing that a look shows. What to ask after the keys; undefined where nothing that
 * is written in has them, or it does not tell of its caret.
 */
export async function caretBefore(
  desktop: CallView,
  before: UiState,
  target: Target | undefined,
  deadline: Deadline,
): Promise<(() => Promise<MovedCaret | undefined>) | undefined> {
  const element = target?.element ?? focusIn(before);
  if (!element || !TEXT_FIELD_ROLES.has(element.role) || element.states.secret) return undefined;
  const was = await caretIn(desktop, element, deadline);
  if (!was) return undefined;
  return async () => {
    const now = await caretIn(desktop, element, deadline);
    if (!now || (now.start === was.start && now.end === was.end)) return undefined;
    return { element, selects: now.start !== now.end };
  };
}

async function caretIn({ driver }: CallView, { id }: Element, deadline: Deadline): Promise<Caret | undefined> {
  try {
    return await driver.caret?.(id, { deadline });
  } catch (error) {
    // It is one sign of many: what has become of its app the look tells.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}
