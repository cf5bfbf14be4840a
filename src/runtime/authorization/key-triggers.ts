import type { Chord } from '../../drivers/contract/index.js';
import {
  type Element,
  ITEM_ROLES,
  type Role,
  STRUCTURE_ROLES,
  TEXT_FIELD_ROLES,
  WINDOW_ROLES,
} from '../../tree/index.js';
import type { Target } from '../locate/target.js';
import { isPart } from './shown-names.js';

/**
 * What a key can trigger in addition to its own effect on the focused element:
 *
 * - `self`: the focused element is pressed.
 * - `default`: the default button of the dialog, or the submit button of the form.
 * - `items`, `radios`, `toggles`, `tabs`: every element that the key can select from here.
 * - `mnemonic`: every control whose mnemonic the letter may be.
 * - `binding`: every control that the app reports as activated by this key.
 * - `accelerator`: the same, and an unknown control if the app reports none.
 * - `cancel`: the button that closes the dialog.
 * - `unknown`: a control that is known only after the key.
 */
export type Trigger =
  | 'self'
  | 'default'
  | 'items'
  | 'radios'
  | 'toggles'
  | 'tabs'
  | 'mnemonic'
  | 'binding'
  | 'accelerator'
  | 'cancel'
  | 'unknown';

export interface KeyTrigger {
  trigger: Trigger;
  /** As the refusal names it: `Enter`, `alt+s`. */
  key: string;
}

const ARROWS = /^(KP_)?(Up|Down|Left|Right|Home|End|PageUp|PageDown)$/;
const VERTICAL = /^(KP_)?(Up|Down|PageUp|PageDown)$/;
const ENTER = /^(KP_)?Enter$/;
/** They move the focus, or close or open something: the keys after them land elsewhere. */
const LEAVING = /^(Tab|Menu|Alt|Meta|Escape|F\d{1,2})$/;
const MODIFIER_KEYS = /^(Shift|Ctrl|AltGr|CapsLock|NumLock|ScrollLock|Pause)$/;
/** With Ctrl, in a text: they edit and stay in it. */
const EDITING = /^([acvxyz]|Left|Right|Up|Down|Home|End|Backspace|Delete|Insert|Space)$/i;

const MENUS: ReadonlySet<Role> = new Set(['menu', 'menubar', 'menuitem', 'menuitemcheckbox', 'menuitemradio']);
export const BUTTONS: ReadonlySet<Role> = new Set(['button', 'menubutton', 'togglebutton']);
/** Enter presses them themselves. A default button counts only if the app reports it. */
export const ENTERED: ReadonlySet<Role> = new Set(['button', 'menubutton', 'link']);
export const CONTAINERS: ReadonlySet<Role> = new Set([
  'combobox',
  'grid',
  'list',
  'listbox',
  'table',
  'tree',
  'treegrid',
]);
export const ITEMS: ReadonlySet<Role> = new Set<Role>([
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
  // They have the focus because of a link in them, which Qt does not expose.
  ...(['text', 'paragraph', 'heading', 'image'] as const),
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
    for (const trigger of [...step.triggers, ...boundTo(chord, focus?.element, kind, moved)]) {
      const one = `${trigger} ${BY_KEY.has(trigger) ? key : ''}`;
      if (!found.has(one)) found.set(one, { trigger, key });
    }
    moved ||= step.moves;
    // No later key can add anything.
    if (found.has('unknown ') && moved) break;
  }
  return [...found.values()];
}

/** In a field, they move in a list of suggestions that is open beside it, or take one of them. */
const SUGGESTED = /^(KP_)?(Enter|Tab|Up|Down|PageUp|PageDown)$/;

/** The first key that may choose a suggestion for the field that has the focus. */
export function suggestionKey(chords: Iterable<Chord>, focus: Pick<Target, 'element' | 'path'> | undefined) {
  if (focus && !isTextual(kindOf(focus))) return undefined;
  for (const { key, modifiers } of chords)
    if (SUGGESTED.test(key) && !modifiers.includes('alt') && !modifiers.includes('meta')) return key;
  return undefined;
}

/** A click with Shift, or a drag, in a list, table or tree selects every row on the way. */
export function rangeTriggers(gesture: 'shift+click' | 'drag', { element, path }: Target): KeyTrigger[] {
  const around = [...path, element];
  const isInItems = around.some(({ role }) => CONTAINERS.has(role) && role !== 'combobox') && isPart(element);
  return isInItems ? [{ trigger: 'items', key: gesture }] : [];
}

/** What these trigger depends on the key. */
const BY_KEY: ReadonlySet<Trigger> = new Set(['mnemonic', 'binding', 'accelerator']);

/** These edit, or move the focus, in every toolkit, unless the app binds them to a control. */
const CONVENTIONAL = /^(F6|F10|(KP_)?(PageUp|PageDown|Tab|\d)|Enter|KP_Enter|Tab)$/;

/** A window takes its accelerators before the focused element gets the key. */
function boundTo(
  { key, modifiers }: Chord,
  focus: Element | undefined,
  kind: Kind | undefined,
  moved: boolean,
): Trigger[] {
  const held = modifiers.filter((one) => one !== 'shift');
  if (key === 'Escape') return held.length === 0 ? ['cancel'] : [];
  if (held.includes('meta')) return [];
  if (held.includes('alt')) return ['binding'];
  const ctrl = held.includes('ctrl');
  // In a terminal Ctrl makes control characters; its own accelerators have Shift.
  if (focus?.role === 'terminal' && !moved && ctrl && !modifiers.includes('shift')) return [];
  if (!ctrl && !/^F\d{1,2}$/.test(key))
    return /^(KP_)?(Delete|Insert)$/.test(key) && !isTextual(kind) ? ['binding'] : [];
  if (MODIFIER_KEYS.test(key)) return [];
  return CONVENTIONAL.test(key) || EDITING.test(key) ? ['binding'] : ['accelerator'];
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
  if (MODIFIER_KEYS.test(key)) return STAYS;
  if (ctrl && /^a$/i.test(key) && kind === 'items' && !moved) return { triggers: ['items'], moves: true };
  const acts = ENTER.test(key) || key === 'Space' || ARROWS.test(key) || (isLetter(key) && !ctrl);
  // An accelerator of the app may open or focus anything.
  if (!acts) return ctrl && !(EDITING.test(key) && isTextual(kind)) ? MOVES : STAYS;
  if (moved || !focus || !kind) return { triggers: ['unknown'], moves: true };
  if (ENTER.test(key)) return enterStep(focus, kind, ctrl);
  if (key === 'Space') return spaceStep(focus, kind);
  return ARROWS.test(key) ? arrowStep(key, kind) : letterStep(focus, kind);
}

/** Alt opens menus and presses mnemonics, and no toolkit reports all of them. */
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
  CONTAINERS.has(role) || role === 'menu' || role === 'menubar'
    ? ['items']
    : role === 'tablist'
      ? ['tabs']
      : role === 'radiogroup'
        ? ['radios']
        : ['self'];

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
