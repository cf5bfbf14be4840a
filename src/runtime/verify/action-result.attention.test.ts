import { expect, test } from 'vitest';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { attentionChange, waitForListsClosed, type AttentionChange } from './action-result.js';

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

test.each<[string, WindowInfo[], WindowInfo[], AttentionChange]>([
  ['nothing', [main], [main], {}],
  ['a dialog that opened', [main], [dialog, behind], { activated: 'w2' }],
  ['the window behind a dialog that closed', [dialog, behind], [main], { activated: 'w1' }],
  ['a menu that opened', [main], [menu, main], { menu: 'w3' }],
  ['a menu that was open before', [menu, main], [menu, main], {}],
  [
    'a menu that its app keeps hidden when it is closed',
    [{ ...menu, visible: false }, main],
    [menu, main],
    { menu: 'w3' },
  ],
  ['a tooltip, which takes no attention', [main], [window(4, { role: 'popup' }), main], {}],
  ['no active window', [main], [behind], {}],
])('%s', (_, before, now, taken) => expect(attentionChange(before, now)).toEqual(taken));

test.each<[string, WindowInfo[][], AttentionChange]>([
  ['closes a little later', [[menu, main], [main]], {}],
  ['stays open', [[menu, main]], { menu: 'w3' }],
])('waits for a list in which an item was chosen and that %s', async (_, polls, taken) => {
  let at = 0;
  const windows = (): Promise<WindowInfo[]> => Promise.resolve(polls[Math.min(at++, polls.length - 1)]!);
  const now = await waitForListsClosed([main], [menu, main], windows, Deadline.in(60_000));
  expect(attentionChange([main], now.windows)).toEqual(taken);
  expect(now.reason).toBeUndefined();
});

test('reports the list as unknown, and does not fail, when windows can no longer be listed', async () => {
  const windows = (): Promise<WindowInfo[]> => Promise.reject(new DesktopError('timeout', 'No answer.'));
  const now = await waitForListsClosed([main], [menu, main], windows, Deadline.in(60_000));
  expect(now).toEqual({ windows: [main], reason: 'it is unknown whether w3 has closed: No answer.' });
});

test('throws programming errors', async () => {
  const windows = (): Promise<WindowInfo[]> => Promise.reject(new TypeError('a bug'));
  await expect(waitForListsClosed([main], [menu, main], windows, Deadline.in(60_000))).rejects.toThrow('a bug');
});
