import { expect, test } from 'vitest';
import { canonicalKeys, chordText, compileChord, keysInText, parseChord } from './argument-match.js';

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
])('%s on %s: %s', (pattern, chord, fits) => expect(compileChord(pattern)(parseChord(chord))).toBe(fits));

test.each<[text: string, enter: boolean, keys: string[]]>([
  ['plain', false, []],
  ['plain', true, ['enter']],
  ['a\nb', false, ['enter']],
  ['a\rb', false, ['enter']],
  ['a\tb', false, ['tab']],
  ['a\tb\n', true, ['enter', 'tab']],
])('typing %j (enter %s) presses %j', (text, enter, keys) => expect(keysInText(text, enter)).toEqual(keys));
