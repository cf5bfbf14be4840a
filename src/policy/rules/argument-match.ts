import type { Effect } from '../decision.js';
import { compileGlob, foldText, type Glob } from './glob.js';

/** Longer ones are not gone through glob by glob: a caller could make every decision slow. */
const LONGEST = 20_000;

/** In place of an argument that may not be written down. */
export const REDACTED = Object.freeze({ redacted: true });

/**
 * An argument by its path; of a list any item. What is hidden or too long to be looked through could be anything: it
 * fits a rule that refuses or asks, and none that allows.
 */
export function argumentFits(
  args: Readonly<Record<string, unknown>>,
  path: readonly string[],
  fits: (folded: string) => boolean,
  decision: Effect,
): boolean {
  return valuesAt(args, path).some((value) => {
    if (typeof value === 'object') return decision !== 'allow';
    const text = String(value);
    return text.length > LONGEST ? decision !== 'allow' : fits(foldText(text));
  });
}

/** An object among them is a hidden one. */
type Leaf = string | number | boolean | object;

function valuesAt(value: unknown, path: readonly string[]): Leaf[] {
  const [step, ...rest] = path;
  if (isRedacted(value)) return [value];
  // A step that is a number names one item.
  if (Array.isArray(value) && !/^\d+$/.test(step ?? '')) return value.flatMap((item) => valuesAt(item, path));
  if (step === undefined) return isLeaf(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

function isLeaf(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isRedacted(value: unknown): value is object {
  return (value as { redacted?: unknown } | null | undefined)?.redacted === true;
}

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
