import type { Caret } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import { TEXT_FIELD_ROLES, type Element } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import type { Scenery } from './changes.js';
import { focusIn } from './new-focus.js';

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
  desktop: Desktop,
  before: Scenery,
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

async function caretIn({ driver }: Desktop, { id }: Element, deadline: Deadline): Promise<Caret | undefined> {
  try {
    return await driver.caret?.(id, { deadline });
  } catch (error) {
    // It is one sign of many: what has become of its app the look tells.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}
