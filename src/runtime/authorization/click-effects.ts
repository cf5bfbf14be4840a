import { type Element, isInteractive, ITEM_ROLES, type Role, TEXT_FIELD_ROLES } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import type { CallRequest } from '../request/policy-request.js';
import { chordsOf, textIn } from '../request/tool-traits.js';
import { isPress } from './triggered-controls.js';

type Place = Pick<Target, 'element' | 'path'>;

/** The roles of the controls that an HTML label can belong to. */
const LABELABLE: ReadonlySet<Role> = new Set<Role>([
  ...TEXT_FIELD_ROLES,
  ...(['button', 'checkbox', 'combobox', 'listbox', 'menubutton', 'radio', 'slider'] as const),
  ...(['spinbutton', 'switch', 'togglebutton'] as const),
]);

/** The label of a page that the target is or is in, unless the target is a control or part of one. */
function labelAround({ element, path }: Place): Element | undefined {
  const all = [...path, element];
  const at = all.findLastIndex(({ role }) => role === 'label');
  const inPage = all.slice(0, Math.max(at, 0)).some(({ role }) => role === 'document');
  return inPage && !all.slice(at).some(isInteractive) ? all[at] : undefined;
}

/**
 * Whether a click on the target also clicks a control that is not known: the target is in a label of a page, and no
 * control there has it as its label. Measured with Chromium 156: a control with an `aria-label` has no relation to its
 * label.
 */
export function isInUnrelatedLabel(target: Place): boolean {
  const label = labelAround(target);
  if (!label) return false;
  const ids = new Set(places(label).map(({ element }) => element.id));
  return !places(target.path[0]!).some(({ element }) => element.labelId !== undefined && ids.has(element.labelId));
}

/** Every control of the page that the label around the target may belong to. `complete`: there are no others. */
export function labelledControls({ element, path }: Place): { controls: Place[]; complete: boolean } {
  const at = path.findLastIndex(({ role }) => role === 'document');
  const inPage = at < 0 ? [] : places(path[at]!, path.slice(0, at));
  const controls = inPage.filter(({ element: one }) => LABELABLE.has(one.role) && one.labelId === undefined);
  const read = inPage.every(({ element: one }) => (one.unread ?? 0) === 0);
  return { controls: controls.filter((one) => one.element.id !== element.id), complete: at >= 0 && read };
}

/** The page of Chromium that lists the suggestions. Its title is not translated. */
const SUGGESTIONS = 'Omnibox Popup';

/** Whether the element belongs to the app itself and not to a page. If its path is unknown, it counts as the app's. */
const isOwn = ({ path }: Pick<Place, 'path'>): boolean =>
  path.every(({ role, name }) => role !== 'document' || name === SUGGESTIONS);

/** A field of the app that may take an address. */
const isOwnField = ({ element: { role, states }, path }: Place): boolean =>
  (TEXT_FIELD_ROLES.has(role) || (role === 'combobox' && states.editable === true)) &&
  !states.multiline &&
  isOwn({ path });

/**
 * The field whose suggestion the target is: choosing one has the effect of Enter in the field. In Chromium, the
 * suggestions are a page of their own; other browsers show a list in their window.
 */
export function suggestedIn({ element, path }: Place): Place | undefined {
  const [root] = path;
  const around = [...path, element];
  if (!root || !around.some(({ role }) => ITEM_ROLES.has(role)) || !isOwn({ path })) return undefined;
  const inPopup = path.some(({ role, name }) => role === 'document' && name === SUGGESTIONS);
  const all = places(root);
  const fields = all.filter(isOwnField).filter((one) => one.element.states.visible && !one.element.states.offscreen);
  const focused = fields.find((one) => one.element.states.focused);
  if (inPopup) return focused ?? fields[0];
  return all.some((one) => one.element.role === 'document') ? focused : undefined;
}

const SCRIPT = 'javascript:';
/** Browsers ignore white space and control characters in an address. */
const plain = (text: string): string => text.replace(/[\s\p{C}]/gu, '').toLowerCase();
const isScript = (text: string): boolean => plain(text).startsWith(SCRIPT);

/**
 * Whether the act runs, or prepares to run, a script by its address (`javascript:`): text for a field of the app, Enter
 * in a field that contains one, a suggestion or bookmark that is one. It can do anything in the page, as a console can.
 */
export function runsScript(request: CallRequest, plan: ActionPlan): boolean {
  const target = plan.target ?? plan.lands?.target;
  const unseen = plan.lands !== undefined && !target;
  if (unseen) return writesScript(request, '');
  if (!target || !isPress(plan.verb, target.element, true)) return false;
  if (isOwnField(target)) return writesScript(request, valueOf(target.element));
  // The name of a tab is the title of its page, and choosing a tab runs nothing.
  if (!isOwn(target) || target.element.role === 'tab' || target.path.length === 0) return false;
  const parts = [...target.path, target.element].filter((one) => isInteractive(one) && one.role !== 'tab');
  if (parts.some(({ name = '' }) => plain(name).includes(SCRIPT))) return true;
  const field = suggestedIn(target);
  return field !== undefined && isScript(valueOf(field.element));
}

const valueOf = ({ value }: Element): string => (value === undefined ? '' : String(value));

/** Whether the field may contain a script after the act, or contains one when Enter is pressed. */
function writesScript(request: CallRequest, value: string): boolean {
  const { text: carried } = request.traits;
  const text = textIn(request);
  if (text !== undefined && carried !== 'none' && carried.to === 'value') return isScript(text);
  const chords = [...(chordsOf(request) ?? [])];
  const enters = chords.some(({ key }) => /^(KP_)?Enter$/.test(key));
  if (enters && isScript(value)) return true;
  if (text !== undefined) return insertsScript(text, value);
  const letters = chords.filter(({ key }) => [...key].length === 1);
  const typed = letters.map(({ key }) => key).join('');
  if (letters.length === 0) return false;
  const only = letters.length === chords.length && letters.every(({ modifiers }) => modifiers.length === 0);
  return only ? insertsScript(typed, value) : hasLetters(typed + value);
}

/** The caret may be anywhere in the value, and the text may replace it. */
function insertsScript(text: string, value: string): boolean {
  const [added, held] = [plain(text), plain(value)];
  if (added === '') return false;
  if (added.startsWith(SCRIPT)) return true;
  return [...SCRIPT].some((_, at) => (held.slice(0, at) + added + held.slice(at)).startsWith(SCRIPT));
}

/** Other keys can move the caret between the letters, and with Shift a key writes another character. */
function hasLetters(text: string): boolean {
  const left = [...plain(text)];
  return [...SCRIPT.slice(0, -1)].every((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function places(one: Element, path: Element[] = []): Place[] {
  const found: Place[] = [];
  const add = (element: Element, above: Element[]): void => {
    found.push({ element, path: above });
    const below = [...above, element];
    for (const child of element.children) add(child, below);
  };
  add(one, path);
  return found;
}
