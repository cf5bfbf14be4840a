import type { Role, States } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

const CHECKABLE: ReadonlySet<Role> = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox', 'spinbutton']);
const SELECTABLE: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'cell', 'treeitem']);

const ITEMS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio']);

/** AT-SPI's bits as our states. A state that this role cannot have stays absent. */
export function statesOf(bits: StateSet, role: Role, toolkit: Toolkit, parentEnabled: boolean): States {
  const states: States = {
    enabled: isEnabled(bits, toolkit, parentEnabled),
    // Qt calls the items of a closed menu hidden; they are to be opened, as elsewhere.
    visible: bits.has('visible') || (toolkit.name === 'qt' && ITEMS.has(role)),
  };
  if (bits.has('focusable')) states.focusable = true;
  if (bits.has('focused')) states.focused = true;
  if (bits.has('modal')) states.modal = true;
  if (bits.has('editable')) states.editable = true;
  if (FIELDS.has(role) && isReadOnly(bits, role, toolkit)) states.readonly = true;
  if (bits.has('required')) states.required = true;
  if (bits.has('invalidEntry')) states.invalid = true;
  if (bits.has('busy')) states.busy = true;
  if (bits.has('multiLine') && FIELDS.has(role)) states.multiline = true;
  const ticked = (role === 'cell' || role === 'menuitem') && bits.has('checked');
  if (CHECKABLE.has(role) || bits.has('checkable') || ticked) {
    states.checked = bits.has('indeterminate') ? 'mixed' : bits.has('checked');
  }
  // In Qt it means that a finger is on it at this moment, which is nothing that lasts.
  const down = bits.has('pressed') && toolkit.name !== 'qt';
  if (role === 'togglebutton' || (down && role !== 'tab')) {
    states.pressed = bits.has('indeterminate') ? 'mixed' : down || bits.has('checked');
    // A toggle button is pressed, not checked; two words for one thing would confuse.
    if (role === 'togglebutton' || role === 'button') delete states.checked;
  }
  if (SELECTABLE.has(role) && (bits.has('selectable') || bits.has('selected'))) states.selected = bits.has('selected');
  if (bits.has('expandable')) states.expanded = bits.has('expanded');
  // Qt calls the current tab focused, wherever the focus is.
  if (toolkit.name === 'qt' && role === 'tab') {
    states.selected = bits.has('focused');
    delete states.focused;
  }
  return states;
}

/**
 * Qt calls a line that cannot be written into both editable and read-only, and a spin button never editable. Chromium
 * calls a date, a time and their parts neither, though keys write them; all its other fields have one line or many.
 */
function isReadOnly(bits: StateSet, role: Role, toolkit: Toolkit): boolean {
  if (bits.has('readOnly')) return true;
  if (toolkit.name === 'chromium' && !bits.has('singleLine') && !bits.has('multiLine')) return false;
  return !bits.has('editable') && !(toolkit.name === 'qt' && role === 'spinbutton');
}

function isEnabled(bits: StateSet, toolkit: Toolkit, parentEnabled: boolean): boolean {
  if (toolkit.enabledBy === 'sensitive') return parentEnabled && bits.has('sensitive');
  if (toolkit.name === 'other') return bits.has('enabled') || bits.has('sensitive');
  // Chromium takes it from a field that can be read, and have the focus, but not be written into.
  if (toolkit.name === 'chromium' && bits.has('readOnly') && bits.has('focusable')) return true;
  // GTK 3 takes ENABLED from a box that is neither checked nor unchecked, though one can click it.
  return bits.has('enabled') || (toolkit.name === 'gtk3' && bits.has('indeterminate') && bits.has('sensitive'));
}

/** AT-SPI sends states as two 32-bit words; these are the bit numbers over both. */
const BIT = {
  active: 1,
  busy: 3,
  checked: 4,
  defunct: 6,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  modal: 16,
  multiLine: 17,
  multiSelectable: 18,
  pressed: 20,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  singleLine: 26,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  required: 33,
  invalidEntry: 36,
  checkable: 41,
  hasPopup: 42,
  readOnly: 43,
} as const;

export type StateBit = keyof typeof BIT;

export class StateSet {
  constructor(
    private readonly low: number,
    private readonly high: number,
  ) {}

  static from(words: unknown): StateSet {
    const [low = 0, high = 0] = Array.isArray(words) ? (words as number[]) : [];
    return new StateSet(low, high);
  }

  has(state: StateBit): boolean {
    const bit = BIT[state];
    return ((bit < 32 ? this.low >>> bit : this.high >>> (bit - 32)) & 1) === 1;
  }

  /** GTK 3 answers for a dead object without an error: with nothing set at all. */
  get empty(): boolean {
    return this.low === 0 && this.high === 0;
  }
}
