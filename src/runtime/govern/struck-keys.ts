import { parseKeys, type Chord } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';

/** Keys with a name that write a character all the same. */
const WRITES: Readonly<Record<string, string>> = {
  ...{ Space: ' ', KP_Add: '+', KP_Subtract: '-', KP_Multiply: '*', KP_Divide: '/', KP_Decimal: '.', KP_Equal: '=' },
  ...Object.fromEntries([...'0123456789'].map((digit) => [`KP_${digit}`, digit])),
};

/** What a key writes where text goes; undefined for what commands: names, and all with Ctrl, Alt or Meta. */
function characterOf({ key, modifiers }: Chord): string | undefined {
  if (modifiers.some((modifier) => modifier !== 'shift')) return undefined;
  return [...key].length === 1 ? key : WRITES[key];
}

/** The list of keys in the place of which `keys` stand; undefined when they name none. */
function chordsOf(keys: string): Chord[] | undefined {
  try {
    return parseKeys(keys);
  } catch (error) {
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Whether something may be written with them: one that only presses the space bar presses a button. */
export function writesText(keys: string): boolean {
  const written = chordsOf(keys)?.map(characterOf);
  return !written || written.some((character) => character !== undefined && character !== ' ');
}

export interface HiddenKeys {
  redacted: true;
  /** Those that write nothing, in their order; `…` where others stood, however many. */
  others: string;
}

/** Keys as they may be written down when nobody knows where they go: without what could be a password. */
export function withoutLetters(keys: string): string | HiddenKeys {
  if (!writesText(keys)) return keys;
  const words = (chordsOf(keys) ?? []).map((chord) =>
    characterOf(chord) === undefined ? [...chord.modifiers, chord.key].join('+') : '…',
  );
  return { redacted: true, others: words.filter((word, at) => word !== '…' || words[at - 1] !== '…').join(' ') };
}

/** What a field that held `before` has got by these keys, as far as that can be told. */
export function struckInto(before: string, keys: string): string {
  let text = before;
  for (const chord of chordsOf(keys) ?? []) {
    const character = characterOf(chord);
    if (character !== undefined) text += character;
    else if (chord.key === 'Backspace' && chord.modifiers.length === 0) text = [...text].slice(0, -1).join('');
    // The caret went elsewhere, or the field did.
    else text = '';
  }
  return text;
}

/** They open menus, where Undo is too. */
const OPENS_MENU = /^(F\d{1,2}|Menu|Alt|Meta)$/;

/** Whether they may take an earlier change back and go on with what is there then. Of one alone it is seen what it did. */
export function mayUndo(keys: string): boolean {
  const chords = chordsOf(keys) ?? [];
  const commands = ({ key, modifiers }: Chord): boolean =>
    OPENS_MENU.test(key) || modifiers.some((modifier) => modifier !== 'shift');
  return chords.length > 1 && chords.some(commands);
}
