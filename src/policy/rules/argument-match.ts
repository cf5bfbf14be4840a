import type { Effect } from '../decision.js';
import { compileGlob, foldText } from './glob.js';

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

/** Other names for keys. Every name that a caller may press is here; a test compares it with the list of the drivers. */
const KEY_ALIASES: Readonly<Record<string, string>> = {
  ...{ control: 'ctrl', option: 'alt', meta: 'super', win: 'super', windows: 'super', cmd: 'super', command: 'super' },
  ...{ control_l: 'ctrl', controlleft: 'ctrl', opt: 'alt', alt_l: 'alt', altleft: 'alt' },
  ...{ shift_l: 'shift', shiftleft: 'shift', super_l: 'super', metaleft: 'super' },
  ...{ altgraph: 'altgr', iso_level3_shift: 'altgr' },
  ...{ del: 'delete', kp_delete: 'delete', return: 'enter', kp_enter: 'enter', numpadenter: 'enter', esc: 'escape' },
  ...{ spacebar: 'space', bksp: 'backspace', ins: 'insert', kp_insert: 'insert', kp_home: 'home', kp_end: 'end' },
  ...{ pgup: 'pageup', page_up: 'pageup', prior: 'pageup', kp_pageup: 'pageup', kp_prior: 'pageup' },
  ...{ kp_page_up: 'pageup', pgdn: 'pagedown', pgdown: 'pagedown', page_down: 'pagedown', next: 'pagedown' },
  ...{ kp_pagedown: 'pagedown', kp_next: 'pagedown', kp_page_down: 'pagedown' },
  ...{ arrowup: 'up', uparrow: 'up', kp_up: 'up', arrowdown: 'down', downarrow: 'down', kp_down: 'down' },
  ...{ arrowleft: 'left', leftarrow: 'left', kp_left: 'left', arrowright: 'right', rightarrow: 'right' },
  ...{ kp_right: 'right', contextmenu: 'menu', apps: 'menu' },
  ...{ print: 'printscreen', prtsc: 'printscreen', prtscn: 'printscreen', caps: 'capslock', caps_lock: 'capslock' },
  ...{ num_lock: 'numlock', scroll_lock: 'scrolllock' },
  ...{ xf86audioraisevolume: 'volumeup', xf86audiolowervolume: 'volumedown', mute: 'volumemute' },
  ...{ xf86audiomute: 'volumemute', playpause: 'mediaplay', xf86audioplay: 'mediaplay', xf86audiostop: 'mediastop' },
  ...{ xf86audionext: 'medianext', xf86audioprev: 'mediaprevious', xf86back: 'browserback' },
  ...{ xf86forward: 'browserforward' },
  ...{ kp_add: '+', kp_plus: '+', numpadadd: '+', kp_subtract: '-', kp_minus: '-', numpadsubtract: '-' },
  ...{ kp_multiply: '*', numpadmultiply: '*', kp_divide: '/', numpaddivide: '/', kp_decimal: '.', numpaddecimal: '.' },
  kp_equal: '=',
  ...Object.fromEntries([...'0123456789'].flatMap((digit) => [`kp_${digit}`, `numpad${digit}`].map((n) => [n, digit]))),
};

/** The keys of a US keyboard that write another character with Shift. */
const SHIFTED: Readonly<Record<string, string>> = Object.fromEntries(
  [...'~!@#$%^&*()_+{}|:"<>?'].map((symbol, at) => [symbol, [..."`1234567890-=[]\\;',./"][at]!]),
);
const SYMBOL_OF: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SHIFTED).map(([symbol, key]) => [key, symbol]),
);

/** Keys that are pressed together: the held ones, and the last one. */
interface Chord {
  held: string;
  key: string;
}

/** `Shift+Ctrl+Del` and `ctrl+shift+delete` are the same chord. */
export function parseChord(text: string): Chord {
  const { held, key } = parts(text);
  return { held: heldText(held), key: KEY_ALIASES[key.toLowerCase()] ?? key.toLowerCase() };
}

/** The names of the held keys, and the last key as it was written. */
function parts(text: string): { held: string[]; key: string } {
  const given = text.trim();
  if (given === '+') return { held: [], key: '+' };
  const all = given.endsWith('++') ? [...given.slice(0, -2).split('+'), '+'] : given.split('+');
  const names = all.map((part) => part.trim());
  return {
    held: names.slice(0, -1).map((name) => KEY_ALIASES[name.toLowerCase()] ?? name.toLowerCase()),
    key: names.at(-1)!,
  };
}

function heldText(held: readonly string[]): string {
  const others = new Set(held);
  const known = MODIFIERS.filter((name) => others.delete(name));
  return [...known, ...[...others].sort()].join('+');
}

/**
 * Every chord that presses the same keys. `D` is also `shift+d`, and `ctrl+!` is also `ctrl+shift+1`. The layout of the
 * keyboard is not known: a symbol counts with and without Shift. A key of the number pad also counts by its own name.
 */
export function sameChords(text: string): readonly Chord[] {
  const known = SAME.get(text);
  if (known) return known;
  const found = findSameChords(text);
  if (SAME.size < MAX_REMEMBERED) SAME.set(text, found);
  return found;
}

/** One act decides on many controls, each time with the same keys. */
const SAME = new Map<string, readonly Chord[]>();
const MAX_REMEMBERED = 1_000;

function findSameChords(text: string): Chord[] {
  const { held, key } = parts(text);
  const { key: folded } = parseChord(text);
  const plain = held.filter((name) => name !== 'shift');
  const found = new Map<string, Chord>();
  const add = (names: readonly string[], last: string): void => {
    const chord = { held: heldText(names), key: last };
    found.set(chordText(chord), chord);
  };
  add(held, folded);
  add(held, key.toLowerCase());
  // With Ctrl, Alt or Meta a capital means its key, as in menus.
  if (plain.length === 0 && [...key].length === 1 && key !== key.toLowerCase()) add(['shift'], folded);
  const base = SHIFTED[folded];
  if (base !== undefined) for (const last of [folded, base]) add([...plain, 'shift'], last);
  if (base !== undefined) add(plain, folded);
  const symbol = SYMBOL_OF[folded];
  if (symbol !== undefined && held.includes('shift')) for (const names of [plain, held]) add(names, symbol);
  return [...found.values()];
}

export function chordText({ held, key }: Chord): string {
  return held === '' ? key : `${held}+${key}`;
}

/** Normalises a sequence of chords; the chords may contain globs. */
export function canonicalKeys(text: string): string {
  const words = text.split(/\s+/u).filter(Boolean);
  return words.map((word) => chordText(parseChord(word))).join(' ');
}

/**
 * The texts that a rule about keys is compared with: the whole sequence, and each chord in all its spellings. A capital
 * in a sequence counts as the letter and as the letter with Shift.
 */
export function spellings(keys: readonly string[]): string[] {
  const chords = keys.map((key) => sameChords(key).map(chordText));
  const whole = [keys.map((key) => chordText(parseChord(key))), chords.map((same) => same.at(-1)!)];
  return [...new Set([...whole.map((words) => words.join(' ')), ...chords.flat()])];
}

/** `ctrl+alt+*`: the key may be a glob, the held keys may not. */
export function compileChord(pattern: string): (chord: Chord) => boolean {
  const tests = patternsOf(pattern).map(({ held, key }) => ({ held, fitsKey: compileGlob(key) }));
  return (chord) => tests.some(({ held, fitsKey }) => chord.held === held && fitsKey(chord.key));
}

/** A pattern with its other spellings; a glob has none. `*` and `?` alone are globs and no keys. */
export function patternsOf(pattern: string): readonly Chord[] {
  return /[*?\\]/.test(pattern) ? [parseChord(pattern)] : sameChords(pattern);
}

/** These keys reach the window manager or the desktop, whichever app has the focus. */
const DESKTOP_KEYS: readonly ((chord: { held: ReadonlySet<string>; key: string }) => boolean)[] = [
  ({ held, key }) => held.has('super') || key === 'super',
  ({ held }) => held.has('ctrl') && held.has('alt'),
  ({ held, key }) => held.has('alt') && /^(f\d{1,2}|tab|space|escape|`|~|printscreen)$/.test(key),
  ({ held, key }) => held.has('ctrl') && key === 'escape',
  ({ key }) => key === 'printscreen',
];

export function reachesDesktop(pressed: string): boolean {
  const { held, key } = parseChord(pressed);
  const chord = { held: new Set(held.split('+')), key };
  return DESKTOP_KEYS.some((fits) => fits(chord));
}

/** The special keys that typing a text presses: a line break is Enter, whatever it means in the app. */
export function keysInText(text: string, enter = false): string[] {
  return [...(enter || /[\r\n]/.test(text) ? ['enter'] : []), ...(text.includes('\t') ? ['tab'] : [])];
}
