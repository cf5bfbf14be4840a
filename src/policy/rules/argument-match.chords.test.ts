import { expect, test } from 'vitest';
import {
  canonicalKeys,
  chordText,
  compileChord,
  keysInText,
  parseChord,
  reachesDesktop,
  sameChords,
} from './argument-match.js';

test.each([
  ['a', 'a'],
  ['Ctrl+S', 'ctrl+s'],
  ['shift+Ctrl+Del', 'ctrl+shift+delete'],
  ['Control+Alt+Delete', 'ctrl+alt+delete'],
  ['Meta', 'super'],
  ['Win+L', 'super+l'],
  ['Return', 'enter'],
  ['KP_Enter', 'enter'],
  ['+', '+'],
  ['ctrl++', 'ctrl++'],
  ['hyper+x', 'hyper+x'],
])('%s is %s', (given, text) => expect(chordText(parseChord(given))).toBe(text));

test.each([
  ['Control_L+N', 'ctrl+n'],
  [' Down  shift+Ctrl+Del ', 'down ctrl+shift+delete'],
  ['Control+*', 'ctrl+*'],
  ['*', '*'],
  ['', ''],
])('%j is normalised to %j', (given, text) => expect(canonicalKeys(given)).toBe(text));

test.each<[pattern: string, chord: string, fits: boolean]>([
  ['ctrl+w', 'Ctrl+W', true],
  ['ctrl+w', 'ctrl+shift+w', false],
  ['delete', 'Del', true],
  ['delete', 'shift+delete', false],
  ['ctrl+alt+*', 'alt+ctrl+F1', true],
  ['ctrl+alt+*', 'ctrl+alt+shift+F1', false],
  ['ctrl+alt+*', 'ctrl+F1', false],
  ['super', 'meta', true],
  ['super', 'super+d', false],
  ['shift+d', 'd', false],
])('%s on %s: %s', (pattern, chord, fits) => expect(compileChord(pattern)(parseChord(chord))).toBe(fits));

test.each<[text: string, enter: boolean, keys: string[]]>([
  ['plain', false, []],
  ['plain', true, ['enter']],
  ['a\nb', false, ['enter']],
  ['a\rb', false, ['enter']],
  ['a\tb', false, ['tab']],
  ['a\tb\n', true, ['enter', 'tab']],
])('typing %j (enter %s) presses %j', (text, enter, keys) => expect(keysInText(text, enter)).toEqual(keys));

test.each<[given: string, also: string[], not: string[]]>([
  ['D', ['d', 'shift+d'], ['ctrl+d']],
  ['d', ['d'], ['shift+d']],
  ['ctrl+D', ['ctrl+d'], ['ctrl+shift+d']],
  ['É', ['é', 'shift+é'], []],
  ['ctrl+!', ['ctrl+!', 'ctrl+shift+!', 'ctrl+shift+1'], ['ctrl+1']],
  ['ctrl+shift+1', ['ctrl+!', 'ctrl+shift+!', 'ctrl+shift+1'], ['ctrl+1']],
  ['ctrl+1', ['ctrl+1'], ['ctrl+!', 'ctrl+shift+1']],
  ['ctrl++', ['ctrl++', 'ctrl+shift+='], ['ctrl+=']],
  ['ctrl+KP_Add', ['ctrl++', 'ctrl+kp_add'], []],
  ['KP_Insert', ['insert', 'kp_insert'], []],
  ['KP_7', ['7', 'kp_7'], ['&']],
])('%s presses the same keys as %j', (given, also, not) => {
  const same = sameChords(given).map(chordText);
  for (const one of also) expect(same).toContain(one);
  for (const one of not) expect(same).not.toContain(one);
});

test.each(
  [
    ...['Meta', 'super+d', 'cmd+shift+q', 'alt+F1', 'alt+shift+F12', 'alt+Tab', 'alt+shift+Tab', 'alt+Space'],
    ...['alt+Esc', 'ctrl+alt+t', 'ctrl+alt+shift+F1', 'ctrl+alt+Delete', 'Print', 'shift+PrtSc', 'ctrl+Escape'],
  ].map((key) => [key]),
)('%s reaches the desktop', (key) => expect(reachesDesktop(key)).toBe(true));

test.each(['Enter', 'ctrl+s', 'alt+s', 'shift+Tab', 'F10', 'Escape', 'Tab', 'ctrl+Tab', 'a'].map((key) => [key]))(
  '%s goes to the app',
  (key) => expect(reachesDesktop(key)).toBe(false),
);
