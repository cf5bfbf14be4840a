import { expect, test } from 'vitest';
import type { WindowInfo } from '../../tree/index.js';
import { takenBy, type Taken } from './taken.js';

const window = (number: number, over: Partial<WindowInfo> = {}): WindowInfo => ({
  ref: `w${number}`,
  id: `x${number}`,
  title: 'A',
  app: 'app',
  role: 'window',
  visible: true,
  minimised: false,
  maximised: false,
  active: false,
  ...over,
});
const main = window(1, { active: true });
const behind = window(1);
const dialog = window(2, { active: true, role: 'dialog' });
const menu = window(3, { role: 'popup', menu: true });

test.each<[string, WindowInfo[], WindowInfo[], Taken]>([
  ['nothing', [main], [main], {}],
  ['a dialog that opened', [main], [dialog, behind], { activated: 'w2' }],
  ['the window behind it, when it is closed', [dialog, behind], [main], { activated: 'w1' }],
  ['a menu that opened', [main], [menu, main], { menu: 'w3' }],
  ['a menu that was open before', [menu, main], [menu, main], {}],
  [
    'a menu that its app keeps hidden when it is closed',
    [{ ...menu, visible: false }, main],
    [menu, main],
    { menu: 'w3' },
  ],
  ['a tool tip, which takes nothing', [main], [window(4, { role: 'popup' }), main], {}],
  ['no active window any more', [main], [behind], {}],
])('%s', (_, before, now, taken) => expect(takenBy(before, now)).toEqual(taken));
