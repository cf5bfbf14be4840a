import { expect, test } from 'vitest';
import type { WindowInfo } from '../../tree/index.js';
import { stackingChanged } from './ui-changes.js';

/** `a b -c`: windows front to back; a minus marks a minimised one. */
const stack = (words: string): WindowInfo[] =>
  words.split(' ').map((word) => {
    const ref = word.replace('-', '');
    const shown = { visible: true, minimised: word !== ref, maximised: false, active: false, modal: false };
    return { ref, id: ref, title: ref, app: 'app', role: 'window', ...shown };
  });

test.each([
  ['to the front', 'a b me', 'me a b', true],
  ['to the back', 'me a b', 'a b me', true],
  ['in front of one of several', 'a me b', 'me a b', true],
  ['another window in front than before', 'a me b', 'b me a', true],
  ['unchanged', 'a me b', 'a me b', false],
  ['the windows in front in another order', 'a b me', 'b a me', false],
  ['the windows behind in another order', 'me a b', 'me b a', false],
  ['a window opened in front', 'me a', 'new me a', false],
  ['a window closed in front', 'a b me', 'b me', false],
  ['a window was minimised', 'a me', '-a me', false],
  ['in front of a minimised window', '-a me', 'me -a', false],
  ['the window itself is gone', 'a me', 'a', false],
])('%s', (_, before, now, expected) => {
  expect(stackingChanged(stack(before), stack(now), 'me')).toBe(expected);
});
