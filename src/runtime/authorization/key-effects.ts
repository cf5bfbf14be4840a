import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, isInteractive, type Node, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { BUTTONS, CONTAINERS, ENTERED, ITEMS, type KeyTrigger, type Trigger } from './key-triggers.js';
import { asShown } from './shown-names.js';

/** A control that a key may activate or select. Without a target it cannot be known before the key is pressed. */
export interface KeyEffect {
  key: string;
  target?: Target;
  verb: 'press' | 'select';
  /** It is not known which of several controls is activated. */
  maybe?: true;
}

/** They select, and press nothing. */
const CHOOSING = /^((shift\+)?(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)|ctrl\+[aA]|shift\+click|drag)$/;

/** More controls than this are decided on as if none of them were known. */
const MAX_CONTROLS = 300;

interface Place {
  one: Element;
  above: Element[];
}

/**
 * The controls that the triggers stand for. `focus` has the path from the root of a tree that also contains elements
 * out of view. `bindings`: the keys of its elements by their ids.
 */
export function controlsOf(
  triggers: readonly KeyTrigger[],
  focus: Target,
  bindings: ReadonlyMap<string, readonly string[]> = new Map(),
): KeyEffect[] {
  const all = walk(focus.path[0] ?? focus.element, []);
  const found = new Map<string, KeyEffect>();
  let unknown: KeyEffect | undefined;
  for (const { trigger, key } of triggers) {
    const chooses = ['items', 'radios', 'toggles', 'tabs'].includes(trigger) && CHOOSING.test(key);
    const verb = chooses ? 'select' : 'press';
    const { places, complete } = placesOf(trigger, key, focus, all, bindings);
    if (!complete) unknown ??= { key, verb: 'press' };
    for (const target of places.flatMap(({ one, above }) => asShown({ ...focus, element: one, path: above }))) {
      const { role, name, description, states } = target.element;
      const same = JSON.stringify([role, name, description, states.secret]);
      if (!found.has(same)) found.set(same, { key, verb, target });
    }
  }
  const effects = [...found.values()];
  if (effects.length > MAX_CONTROLS) unknown ??= { key: effects[0]!.key, verb: 'press' };
  // A refusal names the first one that is denied: rather a control than an unknown one.
  return [...effects.slice(0, MAX_CONTROLS), ...(unknown ? [unknown] : [])];
}

export const withoutRefs = (node: Node): Element => ({
  ...node,
  ref: '',
  children: node.children.map(withoutRefs),
});

/**
 * The suggestions that are open beside a field. The field keeps the focus, so nothing else shows that its keys choose
 * one of them. Qt exposes no content of such a list.
 */
export async function suggestionsIn(
  desktop: CallView,
  window: WindowInfo,
  key: string,
  deadline: Deadline,
): Promise<KeyEffect[]> {
  const { windows } = await desktop.listWindows(deadline);
  const belongs = ({ of, pid }: WindowInfo): boolean => of === window.ref || (pid !== undefined && pid === window.pid);
  const open = windows.filter((one) => one.role === 'popup' && one.visible && !one.tooltip && belongs(one));
  const verb = CHOOSING.test(key) ? 'select' : 'press';
  const unknown: KeyEffect = { key, verb: 'press' };
  const found = open.map(async (popup): Promise<KeyEffect[]> => {
    try {
      const { root, degraded } = await requireCapability(desktop.driver, 'read')(
        { window: popup.id },
        { deadline, full: true },
      );
      const all = walk(withoutRefs(root), []);
      const items = all.filter(({ one }) => ITEMS.has(one.role));
      const controls = items.flatMap(({ one, above }) => asShown({ window, element: one, path: above, how: 'focus' }));
      const effects = controls.slice(0, MAX_CONTROLS).map((target): KeyEffect => ({ key, verb, target }));
      const complete = !degraded && all.length > 1 && controls.length <= MAX_CONTROLS;
      return complete && all.every(({ one }) => (one.unread ?? 0) === 0) ? effects : [...effects, unknown];
    } catch (error) {
      if (error instanceof DesktopError) return [unknown];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

interface Reachable {
  places: Place[];
  /** False: there may be more, which the tree does not contain. */
  complete: boolean;
}

function placesOf(
  trigger: Trigger,
  key: string,
  focus: Target,
  all: Place[],
  bindings: ReadonlyMap<string, readonly string[]>,
): Reachable {
  const inWindow = (fits: (one: Element) => boolean): Reachable => ({
    places: all.filter(({ one }) => fits(one)),
    complete: focus.path.length > 0 && all.every(isRead),
  });
  switch (trigger) {
    case 'unknown':
      return { places: [], complete: false };
    case 'self':
      return { places: [{ one: focus.element, above: focus.path }], complete: true };
    case 'default':
      return defaultsOf(focus, all);
    case 'items':
      return itemsOf(focus);
    // Toolkits and pages group them as they like, also across containers.
    case 'radios':
      return inWindow(({ role }) => role === 'radio' || role === focus.element.role);
    case 'tabs':
      return inWindow(({ role }) => role === 'tab');
    case 'toggles':
      return inWindow(({ role }) => role === 'togglebutton');
    case 'binding':
    case 'accelerator': {
      const places = all.filter(({ one }) => bindings.get(one.id)?.some((bound) => isSameChord(bound, key)));
      return { places, complete: trigger === 'binding' || places.length > 0 };
    }
    case 'cancel':
      return cancelsOf(all);
    case 'mnemonic': {
      const letter = key
        .replace(/^.*\+(?=.)/u, '')
        .replace('KP_', '')
        .toLowerCase();
      const named = ({ name = '' }: Element): boolean => name.toLowerCase().includes(letter);
      return { places: inWindow((one) => isInteractive(one) && named(one)).places, complete: true };
    }
  }
}

/** Shift may be part of the key: `ctrl+shift+1` is `ctrl+!`. */
const isSameChord = (a: string, b: string): boolean => withoutShift(a) === withoutShift(b);
const withoutShift = (chord: string): string => chord.replace('shift+', '').replace('KP_', '').toLowerCase();

const CANCEL = /^(abort|cancel|close|dismiss|no)\b/i;

/** Escape presses the button that closes the dialog: where none has such a name, it can be any of them. */
function cancelsOf(all: Place[]): Reachable {
  const dialogs = all.filter(({ one }) => one.role === 'dialog' || one.role === 'alertdialog');
  const inside = dialogs.map(({ one, above }) => walk(one, above));
  const places = inside.flatMap((some) => {
    const buttons = some.filter(({ one }) => BUTTONS.has(one.role));
    const named = buttons.filter(({ one }) => CANCEL.test(one.name ?? ''));
    return named.length > 0 ? named : buttons;
  });
  return { places, complete: inside.flat().every(isRead) };
}

/** Long containers of items are read in part; they contain no default button and no group of radio buttons. */
const isRead = ({ one }: Place): boolean =>
  (one.unread ?? 0) === 0 || CONTAINERS.has(one.role) || ITEMS.has(one.role) || one.role === 'sheet';

/**
 * The default button where the app reports it, else every button that could be it: those of the form, else of the
 * dialog, the document, or the window. A disabled one counts, since the text may enable it.
 */
function defaultsOf({ element, path }: Target, all: Place[]): Reachable {
  const scopes = ['form', 'dialog', 'alertdialog', 'document'];
  const around = path.filter(({ role }, at) => at === 0 || scopes.includes(role)).toReversed();
  const inside = around.map((scope) => walk(scope, path.slice(0, path.indexOf(scope))));
  const places = inside.find((some) => some.some(({ one }) => BUTTONS.has(one.role))) ?? inside.at(-1) ?? [];
  const buttons = places.filter(({ one }) => BUTTONS.has(one.role));
  // A button that has the focus is the default meanwhile, and hides which one is it afterwards.
  const focused = all.some(({ one }) => BUTTONS.has(one.role) && one.states.focused && one.id !== element.id);
  const reported = buttons.some(({ one }) => one.states.default === false) && !focused;
  const chosen = all.filter(({ one }) => one.states.default === true);
  if (ENTERED.has(element.role)) return { places: chosen, complete: true };
  // A form submits by its own button, whichever button is the default of the dialog.
  if (reported && !path.some(({ role }) => role === 'form')) return { places: chosen, complete: true };
  return { places: [...buttons, ...chosen], complete: path.length > 0 && places.every(isRead) };
}

function itemsOf({ element, path }: Target): Reachable {
  const isContainer = CONTAINERS.has(element.role) || element.role === 'menu' || element.role === 'menubar';
  const at = isContainer ? path.length : path.findLastIndex(({ role }) => CONTAINERS.has(role));
  const container = at === path.length ? element : path[at];
  const parent = container ?? path.at(-1);
  if (!parent) return { places: [{ one: element, above: path }], complete: false };
  const below = walk(parent, path.slice(0, at < 0 ? path.length - 1 : at));
  const places = below.filter(({ one }) => ITEMS.has(one.role));
  const total = parent.items?.total ?? parent.table?.rows ?? 0;
  const rows = places.filter(({ one }) => one.role !== 'cell' || !parent.table).length;
  const complete = places.length > 0 && rows >= total && below.every(({ one }) => (one.unread ?? 0) === 0);
  return { places, complete };
}

function walk(one: Element, above: Element[]): Place[] {
  const found: Place[] = [];
  const add = (here: Element, path: Element[]): void => {
    found.push({ one: here, above: path });
    const below = [...path, here];
    for (const child of here.children) add(child, below);
  };
  add(one, above);
  return found;
}
