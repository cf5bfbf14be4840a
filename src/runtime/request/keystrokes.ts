import { type Chord, parseKeys } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';

/** Named keys that write a character. */
const WRITES: Readonly<Record<string, string>> = {
  ...{ Space: ' ', KP_Add: '+', KP_Subtract: '-', KP_Multiply: '*', KP_Divide: '/', KP_Decimal: '.', KP_Equal: '=' },
  ...Object.fromEntries([...'0123456789'].map((digit) => [`KP_${digit}`, digit])),
};

/** The character that a key writes into a text; undefined for commands: named keys, and all with Ctrl, Alt or Meta. */
function characterOf({ key, modifiers }: Chord): string | undefined {
  if (modifiers.some((modifier) => modifier !== 'shift')) return undefined;
  return [...key].length === 1 ? key : WRITES[key];
}

/** The chords that `keys` lists; undefined if it is not a valid list. */
function chordsOf(keys: string): Chord[] | undefined {
  try {
    return parseKeys(keys);
  } catch (error) {
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Whether the keys may write text. The space bar alone presses a button. */
export function writesText(keys: string): boolean {
  const written = chordsOf(keys)?.map(characterOf);
  return !written || written.some((character) => character !== undefined && character !== ' ');
}

interface HiddenKeys {
  redacted: true;
  /** The keys that write no text, in order; `…` in place of any number of others. */
  others: string;
}

/** The keys as they may be logged while their destination is unknown: without those that could be a password. */
export function withoutLetters(keys: string): string | HiddenKeys {
  if (!writesText(keys)) return keys;
  const words = (chordsOf(keys) ?? []).map((chord) =>
    characterOf(chord) === undefined ? [...chord.modifiers, chord.key].join('+') : '…',
  );
  return { redacted: true, others: words.filter((word, at) => word !== '…' || words[at - 1] !== '…').join(' ') };
}

/** The text of a field that contained `before`, after these keys, as far as it can be predicted. */
export function typedInto(before: string, keys: string): string {
  let text = before;
  for (const chord of chordsOf(keys) ?? []) {
    const character = characterOf(chord);
    if (character !== undefined) text += character;
    else if (chord.key === 'Backspace' && chord.modifiers.length === 0) text = [...text].slice(0, -1).join('');
    // The caret moved, or the focus left the field.
    else text = '';
  }
  return text;
}

/** They open menus, which may contain Undo. */
const OPENS_MENU = /^(F\d{1,2}|Menu|Alt|Meta)$/;

/** Whether the keys may undo an earlier change and then continue. The effect of a single key is observed afterwards. */
export function mayUndo(keys: string): boolean {
  const chords = chordsOf(keys) ?? [];
  const commands = ({ key, modifiers }: Chord): boolean =>
    OPENS_MENU.test(key) || modifiers.some((modifier) => modifier !== 'shift');
  return chords.length > 1 && chords.some(commands);
}
