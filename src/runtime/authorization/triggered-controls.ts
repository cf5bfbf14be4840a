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
  type Node,
  type Role,
} from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import type { CallRequest } from '../request/policy-request.js';
import { textIn } from '../request/tool-traits.js';

/** They move the mouse or the view, and press nothing. */
const TOUCHING: ReadonlySet<string> = new Set(['hover', 'move', 'scroll', 'scroll_into_view']);
/** Only what takes no focus by itself is clicked for it, unless it is a control; and a field keeps the click. */
const FOCUSING: ReadonlySet<string> = new Set(['focus', 'key', 'set_value', 'type']);

/**
 * The controls that a press on it presses, too. A picture or a word in a button is the button: those that it is in
 * count, those that lie on its click point, and those that it, or what lies there, is the label of.
 */
export function triggeredBy(verb: string, target: Target): Target[] {
  const { element, path } = target;
  if (TOUCHING.has(verb) || (FOCUSING.has(verb) && takesFocus(element))) return [];
  const around = path.flatMap((one, at) => (isInteractive(one) ? [as(target, one, path.slice(0, at))] : []));
  const inWindow = walk(path[0] ?? element, []);
  const ids = new Set([...path, element].map(({ id }) => id));
  const met = new Set(inWindow.filter(({ one, above }) => isMet(one, above, element)).map(({ one }) => one.id));
  const others = inWindow.filter(
    ({ one }) => !ids.has(one.id) && isInteractive(one) && (names(one, ids) || met.has(one.id) || names(one, met)),
  );
  return [...around, ...others.map(({ one, above }) => as(target, one, above))];
}

/** Otherwise it gets the focus by nothing but a click. */
export const takesFocus = ({ role, states }: Element): boolean =>
  INTERACTIVE_ROLES.has(role) || states.focusable === true;

const as = (target: Target, element: Element, path: Element[]): Target => ({ ...target, element, path });

const names = ({ labelId }: Element, ids: ReadonlySet<string>): boolean => labelId !== undefined && ids.has(labelId);

/** Inside of it, where the mouse would press it. */
function isMet({ bounds, states }: Element, above: Element[], { id, ...target }: Element): boolean {
  const at = target.clickPoint ?? (target.bounds && centre(target.bounds));
  if (!at || !bounds || !states.visible || states.offscreen) return false;
  return contains(bounds, at) && above.some((one) => one.id === id);
}

function walk(one: Element, above: Element[]): { one: Element; above: Element[] }[] {
  const below = [...above, one];
  return [{ one, above }, ...one.children.flatMap((child) => walk(child, below))];
}

const CHOSEN_IN: ReadonlySet<Role> = new Set(['combobox', 'listbox']);
/** What toolkits call that which is chosen; it is not known before the list is open. */
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

/** What opens them does nothing else, in every toolkit that was measured. */
const OPENING: ReadonlySet<Role> = new Set(['combobox', 'togglebutton', 'treeitem']);
/** They are opened by a key. */
const ROWS: ReadonlySet<Role> = new Set(['cell', 'listitem', 'row']);

/**
 * To expand or collapse it is no more than that. Everything else is clicked for it, and does what it is for: a page says
 * of any control that it can be expanded, and hears a click.
 */
export function opensOnly({ element, path }: Pick<Target, 'element' | 'path'>): boolean {
  const { role, states, children, unread = 0 } = element;
  // Where the way to it is not known it may lead through a page.
  if (path.length === 0 || path.some((one) => one.role === 'document')) return false;
  // What takes no focus is clicked before the key.
  if (ROWS.has(role)) return states.focusable === true;
  // An item without a menu of its own is chosen.
  if (role === 'menuitem') return states.expanded !== undefined || children.length + unread > 0;
  return OPENING.has(role);
}

/** Everything that was judged of an act, as rules see it. */
export type EvaluatedControls = Set<string>;

export function evaluatedIn(aims: readonly ActionPlan[]): string[] {
  return aims
    .flatMap(({ target, lands }) => [target, lands?.target])
    .flatMap((one) => (one ? [seen(one.element)] : []));
}

/**
 * What a press at the point would press in the target, and nobody has judged: what came into view only now, or shows
 * only when the mouse is there, no look before could tell.
 */
export function notEvaluated(judged: EvaluatedControls, target: Target, { path }: Found): Target[] {
  const from = path.findIndex(({ id }) => id === target.element.id);
  const parts = from < 0 ? [] : path.slice(from + 1);
  const above = [...target.path, target.element];
  return parts
    .filter((one) => isInteractive(one) && !judged.has(seen(one)))
    .map((one) => ({ window: target.window, element: { ...one, ref: '', children: [] }, path: above, how: 'point' }));
}

/** It was judged out of view: where it is pressed, and what lies there, nobody knew. A control is itself all over. */
export function evaluatedOffScreen({ element: { role, bounds, states } }: Target): boolean {
  return (states.offscreen === true || !bounds) && (!INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role));
}

const seen = ({ role, name, states }: Pick<Node, 'role' | 'name' | 'states'>): string =>
  JSON.stringify([role, name ?? '', states.secret === true]);

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
