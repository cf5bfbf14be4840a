// @module-tag safety

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

// The user copies in a hidden window, by keys that the policy did not evaluate.

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(() => real?.stop());

test('what was copied in a hidden window is not read from the clipboard, and what comes after it is', async () => {
  const file = join(real.seat.env.HOME!, 'Password-list.txt');
  writeFileSync(file, 'topsecretbody');
  await real.seat.launch('mousepad', [file]);
  const { clipboard, input: input } = real.driver;
  const pid = await until('its window', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return windows.find(({ title, active }) => active && title.includes('Password-list'))?.pid;
  });
  await until('its copy', async () => {
    const chords = ['a', 'c'].map((key) => ({ key, modifiers: ['ctrl'] as const }));
    await input!.press(chords, { deadline: soon() });
    return (await clipboard!.read({ deadline: soon() })) === 'topsecretbody';
  });
  expect(await clipboard!.owner!({ deadline: soon() })).toMatchObject({ pid, name: 'mousepad' });
  const said = await real.failure('ui_clipboard');
  expect(said).toMatch(/^failed: policy_denied\. The clipboard text was copied in a window that the policy hides\./);
  expect(said).not.toMatch(/topsecret|mousepad|Password/);
  await real.call('ui_clipboard', { text: 'mine' });
  expect((await real.call('ui_clipboard')).json).toMatchObject({ read: 'mine' });
});

test('what its app marks as a password is not read from the clipboard, and what comes after it is', async () => {
  const app = await FixtureApp.start('act-qt.py', real.seat.env);
  try {
    await app.command('copy-password k3p');
    const { clipboard } = real.driver;
    await until('the copy', async () => (await clipboard!.owner!({ deadline: soon() }))?.secret);
    const said = await real.call('ui_clipboard');
    expect(said.json).toMatchObject({ read: '‹secret:clipboard›' });
    expect(JSON.stringify(said)).not.toContain('k3p');
    await app.command('copy plain text');
    await until('the next copy', async () => (await clipboard!.read({ deadline: soon() })) === 'plain text');
    expect((await real.call('ui_clipboard')).json).toMatchObject({ read: 'plain text' });
  } finally {
    await app.end();
  }
});
