import { ALT, CONTROL, isCharacter, isKeypad, LEVEL_3, META, NUM_LOCK, SHIFT, SUPER } from './keysyms.js';
import type { Modifier } from '../../contract/index.js';

/** How a symbol is struck: a key, and what is held or locked meanwhile. */
export interface Stroke {
  keycode: number;
  shift: boolean;
  altGr: boolean;
  /** Key pad: what Num Lock has to be. */
  numLock?: boolean;
}

/** Where the symbols of the first layout stand in a row: plain, with Shift, with AltGr, with both. */
const COLUMNS = [0, 1, 4, 5] as const;

const MODIFIER_SYMBOLS: Readonly<Record<Modifier, readonly number[]>> = {
  shift: [SHIFT, SHIFT + 1],
  ctrl: [CONTROL, CONTROL + 1],
  alt: [ALT, ALT + 1, META],
  meta: [SUPER, SUPER + 1, META],
};

/** The server's table of keys and their symbols at one moment. */
export class KeyboardMap {
  private readonly strokes = new Map<number, Stroke>();
  private readonly inModifier = new Map<number, number>();
  private readonly altGrKey?: number;
  /** Bit of Num Lock among the modifiers; 0 where there is none. */
  readonly numLockMask: number;

  /** `rows[0]` are the symbols of the key `first`; `modifiers` the keys of Shift, Lock, Control, Mod1 to Mod5. */
  constructor(
    readonly first: number,
    readonly rows: readonly (readonly number[])[],
    modifiers: readonly (readonly number[])[],
  ) {
    modifiers.forEach((keys, index) => keys.forEach((key) => key !== 0 && this.inModifier.set(key, 1 << index)));
    this.altGrKey = this.modifierKey([LEVEL_3]);
    this.numLockMask = this.inModifier.get(this.modifierKey([NUM_LOCK]) ?? -1) ?? 0;
    for (const column of COLUMNS) rows.forEach((row, index) => this.learn(first + index, row[column] ?? 0, column));
  }

  find(keysym: number): Stroke | undefined {
    return this.strokes.get(keysym);
  }

  row(keycode: number): readonly number[] {
    return this.rows[keycode - this.first] ?? [];
  }

  /** Keys without any symbol, which may be given some. */
  get spare(): number[] {
    const empty = (row: readonly number[]): boolean => row.every((symbol) => symbol === 0);
    return this.rows
      .map((row, index) => (empty(row) ? this.first + index : 0))
      .filter((keycode) => keycode !== 0 && !this.inModifier.has(keycode));
  }

  modifier(name: Modifier): number | undefined {
    return this.modifierKey(MODIFIER_SYMBOLS[name]);
  }

  get altGr(): number | undefined {
    return this.altGrKey;
  }

  /** A key that has one of these symbols and really is a modifier: others have the symbol for show. */
  private modifierKey(symbols: readonly number[]): number | undefined {
    for (const symbol of symbols) {
      const index = this.rows.findIndex((row, at) => row[0] === symbol && this.inModifier.has(this.first + at));
      if (index >= 0) return this.first + index;
    }
    return undefined;
  }

  /** The plainest way to a symbol wins. */
  private learn(keycode: number, keysym: number, column: (typeof COLUMNS)[number]): void {
    if (keysym === 0 || this.strokes.has(keysym)) return;
    const keypad = isKeypad(keysym);
    // On other keys what stands beside the first symbol may need Alt (Sys_Rq) or Ctrl (Break): the table does not tell.
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
