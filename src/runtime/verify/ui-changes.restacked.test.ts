import { expect, test } from 'vitest';
import type { WindowInfo } from '../../tree/index.js';
import { stackingChanged } from './ui-changes.js';

/** `a b -c`: front to back, with a minus what is put away. */
const stack = (words: string): WindowInfo[] =>
  words.split(' ').map((word) => {
    const ref = word.replace('-', '');
    const shown = { visible: true, minimised: word !== ref, maximised: false, active: false, modal: false };
    return { ref, id: ref, title: ref, app: 'app', role: 'window', ...shown };
  });

test.each([
  ['to the front', 'a b me', 'me a b', true],
  ['to the back', 'me a b', 'a b me', true],
  ['past one of several', 'a me b', 'me a b', true],
  ['another one in front than before', 'a me b', 'b me a', true],
  ['as it was', 'a me b', 'a me b', false],
  ['those in front of it in another order', 'a b me', 'b a me', false],
  ['those behind it in another order', 'me a b', 'me b a', false],
  ['one that opened in front of it', 'me a', 'new me a', false],
  ['one that closed in front of it', 'a b me', 'b me', false],
  ['one that was put away', 'a me', '-a me', false],
  ['past one that is put away', '-a me', 'me -a', false],
  ['itself gone', 'a me', 'a', false],
])('%s', (_, before, now, expected) => {
  expect(stackingChanged(stack(before), stack(now), 'me')).toBe(expected);
});
