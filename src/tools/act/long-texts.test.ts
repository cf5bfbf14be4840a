import { expect, it } from 'vitest';
import { uiDrag } from './ui-drag.js';
import { uiSetValue } from './ui-set-value.js';
import { uiType } from './ui-type.js';

// What takes long by itself is given time once it is begun. Until then it holds up everybody else on the desktop.

it.each([
  ['a text', uiType, { text: 'x'.repeat(60_000) }, 600_000],
  ['a slow text', uiType, { text: 'xx', delayMs: 100 }, 320],
  ['an emoji', uiType, { text: '😀' }, 10],
  ['nothing', uiType, {}, 0],
  ['a drag', uiDrag, { from: 'e1', dx: 5, steps: 100, stepMs: 80 }, 8_000],
  ['a long list', uiSetValue, { target: 'e1', value: '9' }, 20_000],
])('%s: its time is for the doing', (_, tool, args, longer) => {
  const given = tool.input.parse({ ...args, timeoutMs: 500 });
  expect([tool.limitMs!(given as never), tool.longerMs!(given as never)]).toEqual([500, longer]);
  expect(tool.limitMs!(tool.input.parse(args) as never)).toBe(5_000);
});
