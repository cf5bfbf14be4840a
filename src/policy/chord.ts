import { compileGlob, type Glob } from './glob.js';

const MODIFIERS = ['ctrl', 'alt', 'shift', 'super'];

/** Other names that people give keys. */
const ALSO: Readonly<Record<string, string>> = {
  ...{ control: 'ctrl', option: 'alt', meta: 'super', win: 'super', windows: 'super', cmd: 'super', command: 'super' },
  ...{ control_l: 'ctrl', controlleft: 'ctrl', opt: 'alt', alt_l: 'alt', altleft: 'alt' },
  ...{ shift_l: 'shift', shiftleft: 'shift', super_l: 'super', metaleft: 'super' },
  ...{ del: 'delete', kp_delete: 'delete', return: 'enter', kp_enter: 'enter', numpadenter: 'enter', esc: 'escape' },
  ...{ spacebar: 'space', bksp: 'backspace', ins: 'insert', pgup: 'pageup', page_up: 'pageup', prior: 'pageup' },
  ...{ pgdn: 'pagedown', pgdown: 'pagedown', page_down: 'pagedown', next: 'pagedown' },
  ...{ arrowup: 'up', uparrow: 'up', arrowdown: 'down', downarrow: 'down', arrowleft: 'left', leftarrow: 'left' },
  ...{ arrowright: 'right', rightarrow: 'right', contextmenu: 'menu', apps: 'menu' },
};

/** Keys that are pressed together: those that are held, and the last one. */
export interface Chord {
  held: string;
  key: string;
}

/** `Shift+Ctrl+Del` and `ctrl+shift+delete` are one. */
export function parseChord(text: string): Chord {
  const small = text.trim().toLowerCase();
  const parts = small.endsWith('++') ? [...small.slice(0, -2).split('+'), '+'] : small.split('+');
  const names = small === '+' ? ['+'] : parts.map((part) => ALSO[part.trim()] ?? part.trim());
  const key = names.at(-1)!;
  const others = new Set(names.slice(0, -1));
  const known = MODIFIERS.filter((name) => others.delete(name));
  return { held: [...known, ...[...others].sort()].join('+'), key };
}

export function chordText({ held, key }: Chord): string {
  return held === '' ? key : `${held}+${key}`;
}

/** The same for chords one after the other, also where they are globs. */
export function canonicalKeys(text: string): string {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.map((word) => chordText(parseChord(word))).join(' ');
}

/** `ctrl+alt+*`: the key may be a glob, what is held may not. */
export function compileChord(pattern: string): (chord: Chord) => boolean {
  const { held, key } = parseChord(pattern);
  const fitsKey: Glob = compileGlob(key);
  return (chord) => chord.held === held && fitsKey(chord.key);
}

/** What typing a text presses besides its letters: a line break is Enter, whatever else it is in the app. */
export function keysInText(text: string, enter = false): string[] {
  return [...(enter || /[\r\n]/.test(text) ? ['enter'] : []), ...(text.includes('\t') ? ['tab'] : [])];
}
