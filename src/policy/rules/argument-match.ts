import type { Effect } from '../decision.js';
import { compileGlob, foldText, type Glob } from './glob.js';

/** Longer arguments are not matched glob by glob: a caller could make every decision slow. */
const MAX_MATCHED_LENGTH = 20_000;

/** Stands in for an argument that must not be logged. */
export const REDACTED = Object.freeze({ redacted: true });

/**
 * Matches an argument by its path; in a list, any item may match. A redacted argument, or one too long to be searched,
 * could contain anything: it matches rules that deny or ask, and no rule that allows.
 */
export function argumentMatches(
  args: Readonly<Record<string, unknown>>,
  path: readonly string[],
  fits: (folded: string) => boolean,
  decision: Effect,
): boolean {
  return valuesAt(args, path).some((value) => {
    if (typeof value === 'object') return decision !== 'allow';
    const text = String(value);
    return text.length > MAX_MATCHED_LENGTH ? decision !== 'allow' : fits(foldText(text));
  });
}

/** An object here is a redacted value. */
type Leaf = string | number | boolean | object;

function valuesAt(value: unknown, path: readonly string[]): Leaf[] {
  const [step, ...rest] = path;
  if (isRedacted(value)) return [value];
  // A numeric step selects one item.
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

/** Other names for keys. */
const KEY_ALIASES: Readonly<Record<string, string>> = {
  ...{ control: 'ctrl', option: 'alt', meta: 'super', win: 'super', windows: 'super', cmd: 'super', command: 'super' },
  ...{ control_l: 'ctrl', controlleft: 'ctrl', opt: 'alt', alt_l: 'alt', altleft: 'alt' },
  ...{ shift_l: 'shift', shiftleft: 'shift', super_l: 'super', metaleft: 'super' },
  ...{ del: 'delete', kp_delete: 'delete', return: 'enter', kp_enter: 'enter', numpadenter: 'enter', esc: 'escape' },
  ...{ spacebar: 'space', bksp: 'backspace', ins: 'insert', pgup: 'pageup', page_up: 'pageup', prior: 'pageup' },
  ...{ pgdn: 'pagedown', pgdown: 'pagedown', page_down: 'pagedown', next: 'pagedown' },
  ...{ arrowup: 'up', uparrow: 'up', arrowdown: 'down', downarrow: 'down', arrowleft: 'left', leftarrow: 'left' },
  ...{ arrowright: 'right', rightarrow: 'right', contextmenu: 'menu', apps: 'menu' },
};

/** Keys that are pressed together: the held ones, and the last one. */
export interface Chord {
  held: string;
  key: string;
}

/** `Shift+Ctrl+Del` and `ctrl+shift+delete` are the same chord. */
export function parseChord(text: string): Chord {
  const small = text.trim().toLowerCase();
  const parts = small.endsWith('++') ? [...small.slice(0, -2).split('+'), '+'] : small.split('+');
  const names = small === '+' ? ['+'] : parts.map((part) => KEY_ALIASES[part.trim()] ?? part.trim());
  const key = names.at(-1)!;
  const others = new Set(names.slice(0, -1));
  const known = MODIFIERS.filter((name) => others.delete(name));
  return { held: [...known, ...[...others].sort()].join('+'), key };
}

export function chordText({ held, key }: Chord): string {
  return held === '' ? key : `${held}+${key}`;
}

/** Normalises a sequence of chords; the chords may contain globs. */
export function canonicalKeys(text: string): string {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.map((word) => chordText(parseChord(word))).join(' ');
}

/** `ctrl+alt+*`: the key may be a glob, the held keys may not. */
export function compileChord(pattern: string): (chord: Chord) => boolean {
  const { held, key } = parseChord(pattern);
  const fitsKey: Glob = compileGlob(key);
  return (chord) => chord.held === held && fitsKey(chord.key);
}

/** The special keys that typing a text presses: a line break is Enter, whatever it means in the app. */
export function keysInText(text: string, enter = false): string[] {
  return [...(enter || /[\r\n]/.test(text) ? ['enter'] : []), ...(text.includes('\t') ? ['tab'] : [])];
}
