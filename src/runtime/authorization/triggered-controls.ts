import type { Found } from '../../drivers/contract/index.js';
import { cleanName, DesktopError } from '../../shared/index.js';
import { PlanOutdatedError } from '../request/act-errors.js';
import {
  describeTarget,
  centre,
  contains,
  type Element,
  INTERACTIVE_ROLES,
  isInteractive,
  ITEM_ROLES,
  type Role,
} from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { type CallRequest, type EvaluatedControls, evaluationKey, isEvaluated } from '../request/policy-request.js';
import { textIn } from '../request/tool-traits.js';
import { asShown, cellsBeside, handlersAround } from './shown-names.js';

/** They move the pointer or scroll, and press nothing. */
const TOUCHING: ReadonlySet<string> = new Set(['hover', 'move', 'scroll', 'scroll_into_view']);
/** They click only an element that is neither focusable nor a control; a field handles the click itself. */
const FOCUSING: ReadonlySet<string> = new Set(['focus', 'key', 'set_value', 'type']);

/**
 * The other elements that a press on the target triggers: its interactive ancestors (an image or a text in a button is
 * the button), whatever else around it may handle the press, the rest of its row, the texts and controls at its click
 * point, and the controls that it, or an element at that point, is the label of.
 */
export function triggeredBy(verb: string, target: Target): Target[] {
  const { element, path } = target;
  if (!isPress(verb, element)) return [];
  const around = path.flatMap((one, at) => (isInteractive(one) ? [as(target, one, path.slice(0, at))] : []));
  const inWindow = walk(path[0] ?? element, []);
  const ids = new Set([...path, element].map(({ id }) => id));
  const hit = new Set(inWindow.filter(({ one, above }) => isHit(one, above, element)).map(({ one }) => one.id));
  const others = inWindow.filter(
    ({ one }) =>
      !ids.has(one.id) &&
      ((isInteractive(one) && (names(one, ids) || names(one, hit))) || (hit.has(one.id) && isPressable(one))),
  );
  const parts = others.map(({ one, above }) => as(target, one, above));
  const all = [...around, ...handlersAround(target), ...cellsBeside(target), ...parts].flatMap(asShown);
  return all.filter((one, at) => all.findIndex((other) => isSame(one.element, other.element)) === at);
}

/** A control, or a text that the user sees at the point. */
const isPressable = (one: Element): boolean =>
  isInteractive(one) || (one.name !== undefined && one.children.length === 0);

const isSame = (a: Element, b: Element): boolean => a.id === b.id && a.name === b.name;

/** Whether the act clicks the element, or has the effect of a click. `keys`: keys and text for it count too. */
export const isPress = (verb: string, element: Element, keys = false): boolean =>
  !TOUCHING.has(verb) && (!FOCUSING.has(verb) || !takesFocus(element) || (keys && verb !== 'focus'));

/** Otherwise only a click focuses it. */
export const takesFocus = ({ role, states }: Element): boolean =>
  INTERACTIVE_ROLES.has(role) || states.focusable === true;

const as = (target: Target, element: Element, path: Element[]): Target => ({ ...target, element, path });

const names = ({ labelId }: Element, ids: ReadonlySet<string>): boolean => labelId !== undefined && ids.has(labelId);

/** Whether the element is inside the target, at its click point. */
function isHit({ bounds, states }: Element, above: Element[], { id, ...target }: Element): boolean {
  const at = target.clickPoint ?? (target.bounds && centre(target.bounds));
  if (!at || !bounds || !states.visible || states.offscreen) return false;
  return contains(bounds, at) && above.some((one) => one.id === id);
}

function walk(one: Element, above: Element[]): { one: Element; above: Element[] }[] {
  const below = [...above, one];
  return [{ one, above }, ...one.children.flatMap((child) => walk(child, below))];
}

const CHOSEN_IN: ReadonlySet<Role> = new Set(['combobox', 'listbox']);
/** The roles that toolkits use for options. Which one applies is unknown until the list is open. */
const OPTIONS: readonly Role[] = ['option', 'listitem', 'menuitem'];

/** A value for a combo box selects the option of that name, which counts as a click on it. */
export function chosenIn(request: CallRequest, target: Target): Target[] {
  const { element, path } = target;
  const { text } = request.traits;
  if (text === 'none' || text.to !== 'value' || request.args[text.secret] !== undefined) return [];
  const words = cleanName(textIn(request) ?? '').text.trim();
  if (!CHOSEN_IN.has(element.role) || words === '') return [];
  const { id, ref, bounds, states } = element;
  const option = (role: Role): Element => ({
    ...{ id, ref, role, name: words, states: { enabled: states.enabled, visible: states.visible } },
    ...(bounds && { bounds }),
    ...{ patterns: [], platformIds: {}, children: [] },
  });
  return OPTIONS.map((role) => ({ ...target, element: option(role), path: [...path, element] }));
}

/** Opening them has no other effect, in every measured toolkit. */
const OPENING: ReadonlySet<Role> = new Set(['combobox', 'togglebutton', 'treeitem']);
/** They are opened with a key. */
const ROWS: ReadonlySet<Role> = new Set(['cell', 'listitem', 'row']);

/**
 * Whether expanding or collapsing it has no other effect. All other elements are clicked, and a click activates them: a
 * page may mark any control as expandable and handle the click.
 */
export function opensOnly({ element, path }: Pick<Target, 'element' | 'path'>): boolean {
  const { role, states, children, unread = 0 } = element;
  // If the path is unknown, the element may be in a page.
  if (path.length === 0 || path.some((one) => one.role === 'document')) return false;
  // An element that is not focusable is clicked before the key is pressed.
  if (ROWS.has(role)) return states.focusable === true;
  // An item without a submenu is chosen.
  if (role === 'menuitem') return states.expanded !== undefined || children.length + unread > 0;
  return OPENING.has(role);
}

export function evaluatedIn(plans: readonly ActionPlan[]): string[] {
  return plans
    .flatMap(({ target, lands }) => [target, lands?.target])
    .flatMap((one) => (one ? [evaluationKey(one.element)] : []));
}

/**
 * The controls in the target that a press at the point would activate and that policy has not evaluated: they came into
 * view only now, or appear only under the pointer, so no earlier snapshot contains them.
 */
export function notEvaluated(evaluated: EvaluatedControls, target: Target, { path }: Found): Target[] {
  const from = path.findIndex(({ id }) => id === target.element.id);
  const parts = from < 0 ? [] : path.slice(from + 1);
  const above = [...target.path, target.element];
  return parts
    .filter((one) => isInteractive(one) && !isEvaluated(evaluated, one))
    .map((one) => ({ window: target.window, element: { ...one, ref: '', children: [] }, path: above, how: 'point' }));
}

/** It was out of view when policy evaluated it, so its click point was unknown. For a control the point does not matter. */
export function evaluatedOffScreen({ element: { role, bounds, states } }: Target): boolean {
  return (states.offscreen === true || !bounds) && (!INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role));
}

/** The act starts again, and policy evaluates the controls that were found. */
export function notEvaluatedError(target: Target, controls: readonly Target[] = []): DesktopError {
  return new PlanOutdatedError(
    `Clicking ${describeTarget(target)} would activate a control that policy has not evaluated.`,
    {
      hint: 'Try again: the control is on the screen now.',
      controls,
    },
  );
}
