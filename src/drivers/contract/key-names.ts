const numbered = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);

/** Every key that has a name, and the other names that people give it. Case does not matter. */
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

/** A name as `NAMES` spells it, `F1` to `F35`, `KP_0` to `KP_9`. */
export type KeyName = keyof typeof NAMES | `F${number}` | `KP_${number}`;

const NUMBERED: readonly string[] = [...numbered('F', 1, 35), ...numbered('KP_', 0, 9)];

const KNOWN: ReadonlyMap<string, KeyName> = new Map<string, KeyName>([
  ...NUMBERED.map((name): [string, KeyName] => [name.toLowerCase(), name as KeyName]),
  ...numbered('Numpad', 0, 9).map((name, digit): [string, KeyName] => [name.toLowerCase(), `KP_${digit}`]),
  ...Object.entries(NAMES).flatMap(([name, others]) =>
    [name, ...others].map((word): [string, KeyName] => [word.toLowerCase(), name as KeyName]),
  ),
]);

/** For guesses. */
export const ALL_KEY_NAMES: readonly string[] = [
  ...Object.entries(NAMES).flatMap(([name, others]) => [name, ...others]),
  ...NUMBERED,
];

/** What a key is called here, whatever the caller calls it; undefined for a word that names none. */
export function keyName(word: string): KeyName | undefined {
  return KNOWN.get(word.toLowerCase());
}
