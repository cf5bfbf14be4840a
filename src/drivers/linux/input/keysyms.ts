import { DesktopError } from '../../../shared/index.js';
import { keyName, type KeyName } from '../../contract/index.js';

export const SHIFT = 0xffe1;
export const CONTROL = 0xffe3;
export const ALT = 0xffe9;
export const META = 0xffe7;
export const SUPER = 0xffeb;
export const LEVEL_3 = 0xfe03;
export const NUM_LOCK = 0xff7f;
export const ESCAPE = 0xff1b;
export const ENTER = 0xff0d;
export const TAB = 0xff09;

const KEYSYMS_BY_NAME: Readonly<Record<string, number>> = {
  Enter: ENTER,
  Escape: ESCAPE,
  Tab: TAB,
  Space: 0x20,
  Backspace: 0xff08,
  Delete: 0xffff,
  Insert: 0xff63,
  Home: 0xff50,
  Left: 0xff51,
  Up: 0xff52,
  Right: 0xff53,
  Down: 0xff54,
  PageUp: 0xff55,
  PageDown: 0xff56,
  End: 0xff57,
  Menu: 0xff67,
  PrintScreen: 0xff61,
  Pause: 0xff13,
  CapsLock: 0xffe5,
  NumLock: NUM_LOCK,
  ScrollLock: 0xff14,
  Shift: SHIFT,
  Ctrl: CONTROL,
  Alt: ALT,
  Meta: SUPER,
  AltGr: LEVEL_3,
  VolumeUp: 0x1008ff13,
  VolumeDown: 0x1008ff11,
  VolumeMute: 0x1008ff12,
  MediaPlay: 0x1008ff14,
  MediaStop: 0x1008ff15,
  MediaNext: 0x1008ff17,
  MediaPrevious: 0x1008ff16,
  BrowserBack: 0x1008ff26,
  BrowserForward: 0x1008ff27,
  KP_Enter: 0xff8d,
  KP_Home: 0xff95,
  KP_Left: 0xff96,
  KP_Up: 0xff97,
  KP_Right: 0xff98,
  KP_Down: 0xff99,
  KP_PageUp: 0xff9a,
  KP_PageDown: 0xff9b,
  KP_End: 0xff9c,
  KP_Begin: 0xff9d,
  KP_Insert: 0xff9e,
  KP_Delete: 0xff9f,
  KP_Equal: 0xffbd,
  KP_Multiply: 0xffaa,
  KP_Add: 0xffab,
  KP_Subtract: 0xffad,
  KP_Decimal: 0xffae,
  KP_Divide: 0xffaf,
} satisfies Partial<Record<KeyName, number>>;

/** Keysyms of the keypad. Which of a key's first two keysyms applies depends on Num Lock, not on Shift. */
export const isKeypad = (keysym: number): boolean => keysym >= 0xff80 && keysym <= 0xffbd;

/** Keys that change a lock. Pressing one must keep its effect on the locks. */
export const isLock = (keysym: number): boolean =>
  [KEYSYMS_BY_NAME.CapsLock, NUM_LOCK, KEYSYMS_BY_NAME.ScrollLock].includes(keysym);

/** Latin 1 characters are their own keysyms. All others are the code point plus 0x01000000. */
export function keysymOfCharacter(codePoint: number): number {
  const latin = (codePoint >= 0x20 && codePoint <= 0x7e) || (codePoint >= 0xa0 && codePoint <= 0xff);
  return latin ? codePoint : 0x01000000 + codePoint;
}

/** A keysym that stands for a character. Legacy keysyms of characters are not included. */
export const isCharacter = (keysym: number): boolean =>
  (keysym >= 0x20 && keysym <= 0xff) || (keysym >= 0x01000100 && keysym <= 0x0110ffff);

export function keysymOfKey(key: string): number {
  const name = keyName(key);
  if (name !== undefined) {
    const info = KEYSYMS_BY_NAME[name];
    if (info !== undefined) return info;
    const [, pad, digits] = /^(F|KP_)(\d+)$/.exec(name)!;
    return (pad === 'F' ? 0xffbd : 0xffb0) + Number(digits);
  }
  const [character, ...rest] = [...key];
  if (character === undefined || rest.length > 0) {
    throw new DesktopError('bad_arguments', `There is no key ${JSON.stringify(key.slice(0, 40))}.`);
  }
  return keysymOfCharacter(character.codePointAt(0)!);
}
