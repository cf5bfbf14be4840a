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
