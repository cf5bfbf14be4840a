import { DesktopError, didYouMean } from '../../shared/index.js';
import type { Chord, Modifier } from './input-device.js';

const MODIFIERS: Partial<Record<KeyName, Modifier>> = { Ctrl: 'ctrl', Shift: 'shift', Alt: 'alt', Meta: 'meta' };
const ORDER: readonly Modifier[] = ['ctrl', 'alt', 'shift', 'meta'];
const MAX_CHORDS = 200;
const EXAMPLE = 'For example: ctrl+s, shift+Tab, alt+F4, "Down Down Enter", ctrl++';

/** `ctrl+s Down Down Enter`: chords are separated by spaces, keys of a chord by `+`; the last key is pressed. */
export function parseKeys(text: string): Chord[] {
  const words = text.split(/\s+/u).filter(Boolean);
  if (words.length === 0) throw wrong('No key is named.', `${EXAMPLE}; the space bar is called Space.`);
  if (words.length > MAX_CHORDS) {
    throw wrong(`${words.length} chords are more than the ${MAX_CHORDS} that one call presses.`, 'Split the list.');
  }
  return words.map(parseChord);
}

function parseChord(word: string): Chord {
  const parts = partsOf(word);
  const last = parts.pop()!;
  const wanted = new Set(parts.map((part) => modifierOf(part, word)));
  const modifiers = ORDER.filter((modifier) => wanted.has(modifier));
  return { key: keyOf(last, word, modifiers), modifiers };
}

/** The key `+` stands for itself: `+`, `ctrl++`. */
function partsOf(word: string): string[] {
  if (word === '+') return ['+'];
  const parts = word.endsWith('++') ? [...word.slice(0, -2).split('+'), '+'] : word.split('+');
  if (parts.includes('')) throw wrong(`${quoted(word)} has a "+" with no key beside it.`, EXAMPLE);
  return parts;
}

function modifierOf(part: string, word: string): Modifier {
  const name = keyName(part);
  const modifier = name && MODIFIERS[name];
  if (modifier) return modifier;
  if (name !== undefined || [...part].length === 1) {
    throw wrong(
      `In ${quoted(word)} only the last key is struck, and ${quoted(part)} is not one that is held down meanwhile.`,
      'Held are ctrl, shift, alt and meta. Keys one after the other stand between spaces.',
    );
  }
  throw unknown(part, Object.keys(MODIFIERS));
}

function keyOf(part: string, word: string, modifiers: readonly Modifier[]): string {
  const name = keyName(part);
  if (name) return name;
  const character = part.normalize('NFC');
  if ([...character].length !== 1) throw dashed(word) ?? unknown(part, ALL_KEY_NAMES);
  if (/[\p{C}\p{Z}\p{M}]/u.test(character)) {
    throw wrong(`${quoted(part)} is not a key by itself.`, 'Type it as text instead.');
  }
  // As in menus, Ctrl+S means the key S and not a capital letter. A capital is meant only if at most Shift is held.
  return modifiers.some((modifier) => modifier !== 'shift') ? lower(character) : character;
}

/** Some capitals have no lowercase form of one character. */
function lower(character: string): string {
  const small = character.toLowerCase();
  return [...small].length === 1 ? small : character;
}

function dashed(word: string): DesktopError | undefined {
  const parts = word.split('-');
  const modifier = parts.length > 1 ? keyName(parts[0]!) : undefined;
  if (!modifier || !MODIFIERS[modifier]) return undefined;
  return wrong(`${quoted(word)} names no key.`, `Keys of a chord are joined by "+": ${parts.join('+')}`);
}

function unknown(part: string, known: readonly string[]): DesktopError {
  const guess = didYouMean(part, known);
  return wrong(
    `There is no key ${quoted(part)}.`,
    guess ? `Did you mean ${guess}?` : `${EXAMPLE}. To write, use type.`,
  );
}

const quoted = (word: string): string => JSON.stringify(word.length > 40 ? `${word.slice(0, 40)}…` : word);
const wrong = (message: string, hint: string): DesktopError => new DesktopError('bad_arguments', message, { hint });

const numbered = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);

/** Every key that has a name, with its other common names. Case does not matter. */
const NAMES = {
  Enter: ['Return'],
  Escape: ['Esc'],
  Tab: [],
  Space: ['Spacebar'],
  Backspace: ['BkSp'],
  Delete: ['Del'],
  Insert: ['Ins'],
  Home: [],
  End: [],
  PageUp: ['PgUp', 'Page_Up', 'Prior'],
  PageDown: ['PgDn', 'PgDown', 'Page_Down', 'Next'],
  Up: ['ArrowUp', 'UpArrow'],
  Down: ['ArrowDown', 'DownArrow'],
  Left: ['ArrowLeft', 'LeftArrow'],
  Right: ['ArrowRight', 'RightArrow'],
  Menu: ['ContextMenu', 'Apps'],
  PrintScreen: ['Print', 'PrtSc', 'PrtScn'],
  Pause: [],
  CapsLock: ['Caps', 'Caps_Lock'],
  NumLock: ['Num_Lock'],
  ScrollLock: ['Scroll_Lock'],
  Shift: ['Shift_L', 'ShiftLeft'],
  Ctrl: ['Control', 'Control_L', 'ControlLeft'],
  Alt: ['Option', 'Opt', 'Alt_L', 'AltLeft'],
  Meta: ['Win', 'Windows', 'Super', 'Super_L', 'Cmd', 'Command', 'MetaLeft'],
  AltGr: ['AltGraph', 'ISO_Level3_Shift'],
  VolumeUp: ['XF86AudioRaiseVolume'],
  VolumeDown: ['XF86AudioLowerVolume'],
  VolumeMute: ['Mute', 'XF86AudioMute'],
  MediaPlay: ['PlayPause', 'XF86AudioPlay'],
  MediaStop: ['XF86AudioStop'],
  MediaNext: ['XF86AudioNext'],
  MediaPrevious: ['XF86AudioPrev'],
  BrowserBack: ['XF86Back'],
  BrowserForward: ['XF86Forward'],
  KP_Enter: ['NumpadEnter'],
  KP_Add: ['KP_Plus', 'NumpadAdd'],
  KP_Subtract: ['KP_Minus', 'NumpadSubtract'],
  KP_Multiply: ['NumpadMultiply'],
  KP_Divide: ['NumpadDivide'],
  KP_Decimal: ['NumpadDecimal'],
  KP_Equal: [],
  KP_Home: [],
  KP_End: [],
  KP_PageUp: ['KP_Prior', 'KP_Page_Up'],
  KP_PageDown: ['KP_Next', 'KP_Page_Down'],
  KP_Up: [],
  KP_Down: [],
  KP_Left: [],
  KP_Right: [],
  KP_Begin: [],
  KP_Insert: [],
  KP_Delete: [],
} as const satisfies Record<string, readonly string[]>;

/** A name as spelled in `NAMES`, `F1` to `F35`, or `KP_0` to `KP_9`. */
export type KeyName = keyof typeof NAMES | `F${number}` | `KP_${number}`;

const NUMBERED: readonly string[] = [...numbered('F', 1, 35), ...numbered('KP_', 0, 9)];

const KNOWN: ReadonlyMap<string, KeyName> = new Map<string, KeyName>([
  ...NUMBERED.map((name): [string, KeyName] => [name.toLowerCase(), name as KeyName]),
  ...numbered('Numpad', 0, 9).map((name, digit): [string, KeyName] => [name.toLowerCase(), `KP_${digit}`]),
  ...Object.entries(NAMES).flatMap(([name, others]) =>
    [name, ...others].map((word): [string, KeyName] => [word.toLowerCase(), name as KeyName]),
  ),
]);

/** For suggestions. */
export const ALL_KEY_NAMES: readonly string[] = [
  ...Object.entries(NAMES).flatMap(([name, others]) => [name, ...others]),
  ...NUMBERED,
];

/** Our name of a key for any of its names; undefined if the word names no key. */
export function keyName(word: string): KeyName | undefined {
  return KNOWN.get(word.toLowerCase());
}
