import type { Reader, Target } from '../../runtime/index.js';
import { ITEM_DEPTH, ITEM_ROLES, plainSpot } from '../../tree/index.js';

/** A row is aimed at where the mouse presses no control that is in it; it is judged by that point, too. */
export async function besideControls(reader: Reader, target: Target): Promise<Target> {
  const { role, states, bounds, ref } = target.element;
  if (!ITEM_ROLES.has(role) || states.offscreen || !bounds) return target;
  const { element } = await reader.target(ref, undefined, { depth: ITEM_DEPTH });
  const clickPoint = plainSpot(element);
  if (!clickPoint || !element.bounds) return target;
  return { ...target, element: { ...target.element, bounds: element.bounds, clickPoint } };
}
