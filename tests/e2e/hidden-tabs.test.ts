// @module-tag safety

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

// An editor whose window has the title of the document in front: a hidden one is not to be read by opening another
// beside it.

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(() => real?.stop());

test('a document that hides its window stays hidden in a tab behind another', async () => {
  const [secret, plain] = ['Password-list.txt', 'plain.txt'].map((name) => join(real.seat.env.HOME!, name));
  writeFileSync(secret!, 'topsecretbody\n');
  writeFileSync(plain!, 'everybody may read this\n');
  await real.seat.launch('mousepad', [secret!]);
  const titles = async (): Promise<string[]> =>
    (await real.driver.windows({ deadline: soon() })).windows.map(({ title }) => title);
  await until('its window', async () => (await titles()).some((title) => title.includes('Password-list')));
  expect((await real.call('ui_list_windows')).text).toMatch(/^0 windows, 1 more hidden by policy/);
  await real.seat.launch('mousepad', [plain!]);
  await until('the other document in front', async () => (await titles()).some((title) => title.includes('plain.txt')));
  const text = await until('what is in it', async () => {
    const { text } = await real.call('ui_snapshot', { window: 'plain.txt', full: true, maxTokens: 20_000 });
    return text.includes('everybody may read this') ? text : undefined;
  });
  expect(text).toMatch(/tab "[^"]*Password-list\.txt/);
  expect(text).not.toContain('topsecret');
  for (const [tool, args] of [
    ['ui_query', { target: 'role=textbox', window: 'plain.txt', limit: 50 }],
    ['ui_snapshot', { target: 'role=tab && name~="Password"', window: 'plain.txt', full: true }],
    ['ui_read', { target: 'role=tab && name~="Password"', window: 'plain.txt' }],
  ] as const) {
    const said = await real.call(tool, args).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    expect(said, tool).not.toContain('topsecret');
  }
});
