import { DesktopError, type Deadline } from '../../shared/index.js';
import { quote, type Node, type Point, type Role } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import { sameNow } from './same-target.js';

/** These do what they are for when the button is let go above them: a press can be called off. */
export const ACTS_WHEN_LET_GO: ReadonlySet<Role> = new Set([
  'button',
  'togglebutton',
  'checkbox',
  'radio',
  'switch',
  'link',
]);
/** So far from its edge the button is let go. */
const BESIDE_PX = 4;
const ANOTHER: ReadonlySet<string> = new Set(['stale_ref', 'target_changed', 'element_not_found']);

/**
 * Asked with the button down: between the last look and the press something else may have come under the mouse. Then
 * the answer is where to let go without doing anything; undefined when all is well, or when there is nothing to save.
 */
export async function wayOut(
  desktop: Desktop,
  target: Target,
  at: Point,
  pressedAt: number,
  deadline: Deadline,
): Promise<Point | undefined> {
  const { driver } = desktop;
  if (!driver.atPoint) return undefined;
  const { id, bounds, states } = target.element;
  const focus = states.focusable && !states.focused ? { pressedAt } : {};
  // Some apps press what they show and tell of it later.
  if (bounds) await driver.caughtUp?.(id, bounds, { deadline, patient: true, at, ...focus });
  const [same, found] = await Promise.all([isSame(desktop, target, deadline), driver.atPoint(at, { deadline })]);
  const own = found?.path.find((one) => one.id === id);
  if (own && same) return undefined;
  const pressed = own ?? found?.path.findLast(({ role }) => ACTS_WHEN_LET_GO.has(role));
  return pressed && beside(pressed, at);
}

/** Most apps have done nothing then; those that act on the press have done what they do. */
export function letGoElsewhere({ element, window }: Target, cause: DesktopError): DesktopError {
  const name = element.name ? ` ${quote(element.name)}` : '';
  const what = `${element.ref} ${element.role}${name} in ${window.ref} was no longer what it was when the mouse button`;
  return new DesktopError(cause.code, `${what} went down on it; the button was pressed and let go of elsewhere.`, {
    delivered: 'unknown',
    retry: 'no',
    hint: `look what the press did before you repeat it: ui_snapshot ${window.ref}.`,
    details: { ...cause.details, complete: true },
    cause,
  });
}

async function isSame(desktop: Desktop, target: Target, deadline: Deadline): Promise<boolean> {
  try {
    await sameNow(desktop, target, deadline);
    return true;
  } catch (error) {
    if (error instanceof DesktopError) return !ANOTHER.has(error.code);
    throw error;
  }
}

function beside({ bounds }: Node, { x, y }: Point): Point | undefined {
  if (!bounds) return undefined;
  const left = bounds.x - BESIDE_PX;
  return left >= 0 ? { x: left, y } : { x: Math.max(x, bounds.x + bounds.width + BESIDE_PX), y };
}
