import { expect, it } from 'vitest';
import { chordsIn } from './key-bindings.js';

it.each([
  ['s;<Alt>f:s;<Primary>s', ['alt+s', 'ctrl+s']],
  ['<Primary><Shift>Page_Up', ['ctrl+shift+PageUp']],
  ['<Alt>k', ['alt+k']],
  ['Ctrl+Shift+S', ['ctrl+shift+s']],
  ['Ctrl++;Del', ['ctrl++', 'Delete']],
  ['Control+Alt+S Control+D', ['ctrl+alt+s', 'ctrl+d']],
  ['F9', ['F9']],
  ['K', ['alt+k']],
  ['', []],
  ['no such key;<Foo>x', []],
])('the key binding %j stands for %j', (binding, chords) => expect(chordsIn(binding)).toEqual(chords));
