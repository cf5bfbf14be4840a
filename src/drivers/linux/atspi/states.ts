import type { Role, States } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

const CHECKABLE: ReadonlySet<Role> = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio']);
const FIELDS: ReadonlySet<Role> = new Set(['textbox', 'searchbox', 'passwordbox', 'spinbutton']);
const SELECTABLE: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'cell', 'treeitem']);

const ITEMS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio']);

/** Converts AT-SPI state bits to our states. States that do not apply to the role are absent. */
export function statesOf(bits: StateSet, role: Role, toolkit: Toolkit, parentEnabled: boolean): States {
  const states: States = {
    enabled: isEnabled(bits, toolkit, parentEnabled),
    // Qt reports the items of a closed menu as hidden. In other toolkits they are visible and can be opened.
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
  if (role === 'button' && (toolkit.reportsDefault || bits.has('isDefault'))) states.default = bits.has('isDefault');
  if (bits.has('multiLine') && FIELDS.has(role)) states.multiline = true;
  const ticked = (role === 'cell' || role === 'menuitem') && bits.has('checked');
  if (CHECKABLE.has(role) || bits.has('checkable') || ticked) {
    states.checked = bits.has('indeterminate') ? 'mixed' : bits.has('checked');
  }
  // In Qt, PRESSED means that the button is held down at this moment. That is not a lasting state.
  const down = bits.has('pressed') && toolkit.name !== 'qt';
  if (role === 'togglebutton' || (down && role !== 'tab')) {
    states.pressed = bits.has('indeterminate') ? 'mixed' : down || bits.has('checked');
    // A toggle button is "pressed", not "checked". Two states for one fact would be confusing.
    if (role === 'togglebutton' || role === 'button') delete states.checked;
  }
  if (SELECTABLE.has(role) && (bits.has('selectable') || bits.has('selected'))) states.selected = bits.has('selected');
  if (bits.has('expandable')) states.expanded = bits.has('expanded');
  // Qt reports the current tab as focused, wherever the focus is.
  if (toolkit.name === 'qt' && role === 'tab') {
    states.selected = bits.has('focused');
    delete states.focused;
  }
  return states;
}

/**
 * Qt reports a read-only line as both editable and read-only. Qt and Swing never report a spin button as editable; the
 * field inside Swing's is. Chromium reports
 * neither for dates, times and their parts, although they accept keys. All other Chromium fields are single-line or
 * multi-line.
 */
function isReadOnly(bits: StateSet, role: Role, toolkit: Toolkit): boolean {
  if (bits.has('readOnly')) return true;
  if (toolkit.name === 'chromium' && !bits.has('singleLine') && !bits.has('multiLine')) return false;
  return !bits.has('editable') && !(NEVER_EDITABLE_SPINS.has(toolkit.name) && role === 'spinbutton');
}

/** Parts of a date in Gecko. */
const NEVER_EDITABLE_SPINS: ReadonlySet<string> = new Set(['qt', 'gecko', 'swing']);

function isEnabled(bits: StateSet, toolkit: Toolkit, parentEnabled: boolean): boolean {
  if (toolkit.enabledBy === 'sensitive') return parentEnabled && bits.has('sensitive');
  if (toolkit.name === 'other') return bits.has('enabled') || bits.has('sensitive');
  // Chromium clears ENABLED on a field that is read-only but readable and focusable.
  if (toolkit.name === 'chromium' && bits.has('readOnly') && bits.has('focusable')) return true;
  // GTK 3 clears ENABLED on an indeterminate check box, although it can be clicked.
  return bits.has('enabled') || (toolkit.name === 'gtk3' && bits.has('indeterminate') && bits.has('sensitive'));
}

/** AT-SPI sends states as two 32-bit words. The bit numbers count across both. */
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
  isDefault: 39,
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

  /** GTK 3 answers for a dead object without an error: no bit is set. */
  get empty(): boolean {
    return this.low === 0 && this.high === 0;
  }
}
