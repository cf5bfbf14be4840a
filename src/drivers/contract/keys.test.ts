import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { parseKeys } from './keys.js';

/** Chords as `ctrl+shift|key`. */
const read = (text: string): string[] =>
  parseKeys(text).map(({ key, modifiers }) => (modifiers.length > 0 ? `${modifiers.join('+')}|${key}` : key));

describe('keys by their names', () => {
  test.each<[string, string[]]>([
    ['Enter', ['Enter']],
    ['return', ['Enter']],
    ['ESC', ['Escape']],
    ['ctrl+s Down  Down\tEnter', ['ctrl|s', 'Down', 'Down', 'Enter']],
    ['Ctrl+S', ['ctrl|s']],
    ['ctrl+shift+S', ['ctrl+shift|s']],
    ['shift+ctrl+s', ['ctrl+shift|s']],
    ['ctrl+ctrl+s', ['ctrl|s']],
    ['A', ['A']],
    ['shift+a', ['shift|a']],
    ['+', ['+']],
    ['ctrl++', ['ctrl|+']],
    ['ctrl+shift++', ['ctrl+shift|+']],
    ['-', ['-']],
    ['ctrl+-', ['ctrl|-']],
    ['win+r', ['meta|r']],
    ['Cmd+C', ['meta|c']],
    ['super', ['Meta']],
    ['alt', ['Alt']],
    ['ctrl+alt+del', ['ctrl+alt|Delete']],
    ['PgUp pagedown Ins', ['PageUp', 'PageDown', 'Insert']],
    ['f12 F35', ['F12', 'F35']],
    ['kp_7 KP_ADD Numpad3', ['KP_7', 'KP_Add', 'KP_3']],
    ['ß é 日 😀', ['ß', 'é', '日', '😀']],
    ['e\u0301', ['é']],
    ['ctrl+İ', ['ctrl|İ']],
  ])('%s', (text, expected) => expect(read(text)).toEqual(expected));

  test.each<[string, RegExp, RegExp]>([
    ['', /No key is named/, /Space/],
    ['   ', /No key is named/, /Space/],
    ['ctrl+', /"ctrl\+" has a "\+" with no key/, /ctrl\+s/],
    ['+s', /with no key beside it/, /ctrl\+s/],
    ['ctrl+++', /with no key beside it/, /ctrl\+s/],
    ['Entr', /no key "Entr"/, /Did you mean Enter\?/],
    ['Esacpe', /no key "Esacpe"/, /Did you mean Escape\?/],
    ['contrl+s', /no key "contrl"/, /Did you mean Ctrl\?/],
    ['F36', /no key "F36"/, /Did you mean F3/],
    ['ctrl-s', /"ctrl-s" names no key/, /ctrl\+s/],
    ['a+b', /only the last key is struck/, /ctrl, shift, alt and meta/],
    ['Enter+ctrl', /only the last key is struck/, /between spaces/],
    ['hello', /no key "hello"/, /use type/],
    ['\u200d', /not a key by itself/, /Type it as text/],
    ['x'.repeat(100), /no key "x{40}…"/, /use type/],
    ['a '.repeat(201), /201 chords are more than the 200/, /Split/],
  ])('%s is refused', (text, message, hint) => {
    let error: unknown;
    try {
      parseKeys(text);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(DesktopError);
    expect(error).toMatchObject({ code: 'bad_arguments', delivered: 'no' });
    expect((error as DesktopError).message).toMatch(message);
    expect((error as DesktopError).hint).toMatch(hint);
  });
});
