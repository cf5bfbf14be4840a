import type { Chord } from '../../drivers/contract/index.js';
import {
  type Element,
  isInteractive,
  ITEM_ROLES,
  type Role,
  STRUCTURE_ROLES,
  TEXT_FIELD_ROLES,
  WINDOW_ROLES,
} from '../../tree/index.js';
import type { Target } from '../locate/target.js';

/**
 * What a key can trigger in addition to its own effect on the focused element:
 *
 * - `self`: the focused element is pressed.
 * - `default`: the default button of the dialog, or the submit button of the form.
 * - `items`, `radios`, `toggles`, `tabs`: every element that the key can select from here.
 * - `mnemonic`: every control whose mnemonic the letter may be.
 * - `unknown`: a control that is known only after the key.
 */
type Trigger = 'self' | 'default' | 'items' | 'radios' | 'toggles' | 'tabs' | 'mnemonic' | 'unknown';

interface KeyTrigger {
  trigger: Trigger;
  /** As the refusal names it: `Enter`, `alt+s`. */
  key: string;
}

/** A control that a key may activate or select. Without a target it cannot be known before the key is pressed. */
export interface KeyEffect {
  key: string;
  target?: Target;
  verb: 'press' | 'select';
}

const ARROWS = /^(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
const VERTICAL = /^(KP_)?(Up|Down|PageUp|PageDown)$/;
const ENTER = /^(KP_)?Enter$/;
/** They move the focus, or close or open something: the keys after them land elsewhere. */
const LEAVING = /^(Tab|Menu|Alt|Meta|Escape|F\d{1,2})$/;
/** With Ctrl, in a text: they edit and stay in it. */
const EDITING = /^([acvxyz]|Left|Right|Up|Down|Home|End|Backspace|Delete|Insert|Space)$/i;

const MENUS: ReadonlySet<Role> = new Set(['menu', 'menubar', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
const BUTTONS: ReadonlySet<Role> = new Set(['button', 'menubutton', 'togglebutton']);
/** Enter presses them themselves. A default button counts only if the app reports it. */
const ENTERED: ReadonlySet<Role> = new Set(['button', 'menubutton', 'link']);
const CONTAINERS: ReadonlySet<Role> = new Set(['combobox', 'grid', 'list', 'listbox', 'table', 'tree', 'treegrid']);
const ITEMS: ReadonlySet<Role> = new Set<Role>([
  ...ITEM_ROLES,
  'cell',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
]);
/** They only contain the element that has the focus, which the app does not expose. */
const OPAQUE: ReadonlySet<Role> = new Set<Role>([
  ...STRUCTURE_ROLES,
  ...WINDOW_ROLES,
  ...(['application', 'canvas', 'document', 'toolbar', 'statusbar'] as const),
]);

/** How an element handles keys. */
type Kind =
  'text' | 'line' | 'combo' | 'number' | 'items' | 'radio' | 'toggle' | 'tabs' | 'menu' | 'opaque' | 'control';

function kindOf({ element, path }: Pick<Target, 'element' | 'path'>): Kind {
  const { role, states, cell } = element;
  if (role === 'terminal' || cell?.address !== undefined || role === 'sheet') return 'text';
  // The field of a combo box chooses options with the arrow keys.
  const inCombo = path.at(-1)?.role === 'combobox';
  if (TEXT_FIELD_ROLES.has(role)) return inCombo ? 'combo' : states.multiline ? 'text' : 'line';
  if (role === 'combobox') return 'combo';
  if (role === 'spinbutton' || role === 'slider' || role === 'scrollbar') return 'number';
  if (states.editable && !ITEM_ROLES.has(role) && role !== 'cell') return 'text';
  if (role === 'tab' || role === 'tablist') return 'tabs';
  if (CONTAINERS.has(role) || ITEM_ROLES.has(role) || role === 'cell') return 'items';
  // GTK 4.8 reports radio buttons as check boxes.
  if (role === 'radio' || role === 'radiogroup' || role === 'checkbox') return 'radio';
  if (role === 'togglebutton') return 'toggle';
  if (MENUS.has(role)) return 'menu';
  return OPAQUE.has(role) ? 'opaque' : 'control';
}

const isLetter = (key: string): boolean => [...key].length === 1 || /^KP_\d$/.test(key);

/** What the keys can trigger, one after the other. `focus`: where the first one lands, if that is known. */
export function keyTriggers(
  chords: Iterable<Chord>,
  focus: Pick<Target, 'element' | 'path'> | undefined,
): KeyTrigger[] {
  const found = new Map<string, KeyTrigger>();
  const kind = focus && kindOf(focus);
  let moved = false;
  for (const chord of chords) {
    const key = [...chord.modifiers, chord.key].join('+');
    const step = stepOf(chord, focus?.element, kind, moved);
    for (const trigger of step.triggers) {
      const one = `${trigger} ${trigger === 'mnemonic' ? chord.key : ''}`;
      if (!found.has(one)) found.set(one, { trigger, key });
    }
    moved ||= step.moves;
    // No later key can add anything.
    if (found.has('unknown ') && moved) break;
  }
  return [...found.values()];
}

interface Step {
  triggers: readonly Trigger[];
  /** The keys that follow may land on another element. */
  moves: boolean;
}

const STAYS: Step = { triggers: [], moves: false };
const MOVES: Step = { triggers: [], moves: true };

function stepOf({ key, modifiers }: Chord, focus: Element | undefined, kind: Kind | undefined, moved: boolean): Step {
  const alt = modifiers.includes('alt') || modifiers.includes('meta');
  const ctrl = modifiers.includes('ctrl');
  if (alt) return altStep(key, modifiers.includes('meta'));
  if (ctrl && /^(KP_)?(PageUp|PageDown|Tab|\d)$/.test(key)) return { triggers: ['tabs'], moves: true };
  if (LEAVING.test(key)) return MOVES;
  if (/^(Shift|Ctrl|AltGr|CapsLock|NumLock|ScrollLock|Pause)$/.test(key)) return STAYS;
  const acts = ENTER.test(key) || key === 'Space' || ARROWS.test(key) || (isLetter(key) && !ctrl);
  // An accelerator of the app: what it does cannot be known, and it may open or focus anything.
  if (!acts) return ctrl && !(EDITING.test(key) && isTextual(kind)) ? MOVES : STAYS;
  if (moved || !focus || !kind) return { triggers: ['unknown'], moves: true };
  if (ENTER.test(key)) return enterStep(focus, kind, ctrl);
  if (key === 'Space') return spaceStep(focus, kind);
  return ARROWS.test(key) ? arrowStep(key, kind) : letterStep(focus, kind);
}

/** Alt opens menus and presses mnemonics, and no toolkit exposes all of them. */
function altStep(key: string, meta: boolean): Step {
  if (meta || /^(F\d{1,2}|Escape|Tab)$/.test(key)) return MOVES;
  if (/^(KP_)?\d$/.test(key)) return { triggers: ['tabs', 'mnemonic', 'unknown'], moves: true };
  return { triggers: [...(isLetter(key) ? (['mnemonic'] as const) : []), 'unknown'], moves: true };
}

const isTextual = (kind: Kind | undefined): boolean => kind === 'text' || kind === 'line';

function enterStep(focus: Element, kind: Kind, ctrl: boolean): Step {
  // With Ctrl it sends what is written, in many apps.
  if (kind === 'text') return ctrl && focus.role !== 'terminal' ? { triggers: ['default'], moves: true } : STAYS;
  if (kind === 'opaque') return { triggers: ['unknown'], moves: true };
  if (kind === 'line' || kind === 'number') return { triggers: ['default'], moves: true };
  if (kind === 'menu') return { triggers: pressed(focus), moves: true };
  if (kind === 'combo') return { triggers: ['items', 'default'], moves: true };
  return { triggers: [...pressed(focus), 'default'], moves: true };
}

function spaceStep(focus: Element, kind: Kind): Step {
  if (isTextual(kind) || kind === 'number' || (kind === 'combo' && isWritten(focus))) return STAYS;
  if (kind === 'combo') return { triggers: ['items'], moves: true };
  return { triggers: kind === 'opaque' ? ['unknown'] : pressed(focus), moves: true };
}

/** Only the container is known to have the focus: one of its items is pressed. */
const pressed = ({ role }: Element): readonly Trigger[] =>
  CONTAINERS.has(role) ? ['items'] : role === 'tablist' ? ['tabs'] : role === 'radiogroup' ? ['radios'] : ['self'];

const isWritten = ({ role, states }: Element): boolean => TEXT_FIELD_ROLES.has(role) || states.editable === true;

function arrowStep(key: string, kind: Kind): Step {
  switch (kind) {
    case 'text':
    case 'number':
      return STAYS;
    // In GTK, Up and Down leave a single line.
    case 'line':
      return VERTICAL.test(key) ? MOVES : STAYS;
    case 'combo':
    case 'items':
      return { triggers: ['items'], moves: false };
    // An arrow may also leave them: GTK goes on from a check box to the next widget, and from a tab into its page.
    case 'radio':
      return { triggers: ['radios'], moves: true };
    case 'toggle':
      return { triggers: ['toggles'], moves: true };
    case 'tabs':
      return { triggers: ['tabs'], moves: true };
    case 'opaque':
      return { triggers: ['unknown'], moves: true };
    // In an open menu they only move the highlight.
    case 'menu':
    case 'control':
      return MOVES;
  }
}

function letterStep(focus: Element, kind: Kind): Step {
  if (isTextual(kind) || kind === 'number' || (kind === 'combo' && isWritten(focus))) return STAYS;
  if (kind === 'combo' || kind === 'items') return { triggers: ['items'], moves: false };
  if (kind === 'menu' || kind === 'opaque') return { triggers: ['unknown'], moves: true };
  // A message box of Qt takes the letter of a mnemonic without Alt.
  return { triggers: ['mnemonic'], moves: true };
}

/** More controls than this are decided on as if none of them were known. */
const MAX_CONTROLS = 300;

interface Place {
  one: Element;
  above: Element[];
}

/**
 * The controls that the triggers stand for. `focus` has the path from the root of a tree that also contains elements
 * out of view.
 */
export function controlsOf(triggers: readonly KeyTrigger[], focus: Target): KeyEffect[] {
  const all = walk(focus.path[0] ?? focus.element, []);
  const found = new Map<string, KeyEffect>();
  const unknown = (key: string): void => void found.set('?', found.get('?') ?? { key, verb: 'press' });
  for (const { trigger, key } of triggers) {
    const verb = ['self', 'default', 'mnemonic'].includes(trigger) || !ARROWS.test(key) ? 'press' : 'select';
    const { places, complete } = placesOf(trigger, key, focus, all);
    if (!complete) unknown(key);
    for (const { one, above } of places) {
      const same = JSON.stringify([one.role, one.name, one.description, one.states.secret]);
      if (!found.has(same)) found.set(same, { key, verb, target: { ...focus, element: one, path: above } });
    }
  }
  const effects = [...found.values()];
  if (effects.length <= MAX_CONTROLS) return effects;
  return [...effects.slice(0, MAX_CONTROLS), { key: effects[0]!.key, verb: 'press' }];
}

interface Reachable {
  places: Place[];
  /** False: there may be more, which the tree does not contain. */
  complete: boolean;
}

function placesOf(trigger: Trigger, key: string, focus: Target, all: Place[]): Reachable {
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
  const at = CONTAINERS.has(element.role) ? path.length : path.findLastIndex(({ role }) => CONTAINERS.has(role));
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
