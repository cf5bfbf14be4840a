import { ALT, CONTROL, isCharacter, isKeypad, LEVEL_3, META, NUM_LOCK, SHIFT, SUPER } from './keysyms.js';
import type { Modifier } from '../../contract/index.js';

/** How to type a keysym: the key, and the modifiers and locks it needs. */
export interface Stroke {
  keycode: number;
  shift: boolean;
  altGr: boolean;
  /** Keypad keys: the required state of Num Lock. */
  numLock?: boolean;
}

/** Columns of the first layout in a row: plain, with Shift, with AltGr, with both. */
const COLUMNS = [0, 1, 4, 5] as const;

const MODIFIER_KEYSYMS: Readonly<Record<Modifier, readonly number[]>> = {
  shift: [SHIFT, SHIFT + 1],
  ctrl: [CONTROL, CONTROL + 1],
  alt: [ALT, ALT + 1, META],
  meta: [SUPER, SUPER + 1, META],
};

/** The server's keyboard mapping at one moment. */
export class KeyboardMap {
  private readonly strokes = new Map<number, Stroke>();
  private readonly modifierBits = new Map<number, number>();
  private readonly altGrKey?: number;
  /** The modifier bit of Num Lock; 0 if there is none. */
  readonly numLockMask: number;

  /** `rows[0]` are the keysyms of the key `first`; `modifiers` are the keys of Shift, Lock, Control, Mod1 to Mod5. */
  constructor(
    readonly first: number,
    readonly rows: readonly (readonly number[])[],
    modifiers: readonly (readonly number[])[],
  ) {
    modifiers.forEach((keys, index) => keys.forEach((key) => key !== 0 && this.modifierBits.set(key, 1 << index)));
    this.altGrKey = this.findModifierKey([LEVEL_3]);
    this.numLockMask = this.modifierBits.get(this.findModifierKey([NUM_LOCK]) ?? -1) ?? 0;
    for (const column of COLUMNS) rows.forEach((row, index) => this.addStroke(first + index, row[column] ?? 0, column));
  }

  find(keysym: number): Stroke | undefined {
    return this.strokes.get(keysym);
  }

  row(keycode: number): readonly number[] {
    return this.rows[keycode - this.first] ?? [];
  }

  /** Keys without any keysym. They can get temporary ones. */
  get spare(): number[] {
    const empty = (row: readonly number[]): boolean => row.every((symbol) => symbol === 0);
    return this.rows
      .map((row, index) => (empty(row) ? this.first + index : 0))
      .filter((keycode) => keycode !== 0 && !this.modifierBits.has(keycode));
  }

  modifierKey(name: Modifier): number | undefined {
    return this.findModifierKey(MODIFIER_KEYSYMS[name]);
  }

  get altGr(): number | undefined {
    return this.altGrKey;
  }

  /**
   * A key that has one of these keysyms and is in the modifier map. Other keys can have the keysym without acting as a
   * modifier.
   */
  private findModifierKey(symbols: readonly number[]): number | undefined {
    for (const symbol of symbols) {
      const index = this.rows.findIndex((row, at) => row[0] === symbol && this.modifierBits.has(this.first + at));
      if (index >= 0) return this.first + index;
    }
    return undefined;
  }

  /** The first entry wins. Columns are read from the simplest to the most complex. */
  private addStroke(keycode: number, keysym: number, column: (typeof COLUMNS)[number]): void {
    if (keysym === 0 || this.strokes.has(keysym)) return;
    const keypad = isKeypad(keysym);
    // On other keys the second keysym may need Alt (Sys_Rq) or Ctrl (Break); the mapping does not contain that.
    if (column > 0 && !isCharacter(keysym) && !(keypad && column === 1)) return;
    const altGr = column >= 4;
    if (altGr && this.altGrKey === undefined) return;
    const second = this.row(keycode)[1] ?? 0;
    if (keypad && second !== 0 && second !== this.row(keycode)[0]) {
      this.strokes.set(keysym, { keycode, shift: false, altGr: false, numLock: column === 1 });
    } else {
      this.strokes.set(keysym, { keycode, shift: column === 1 || column === 5, altGr });
    }
  }
}
