import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../conformance/case.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from '../e2e/support/real-desktop.js';

let real: RealDesktop;
let app: FixtureApp;
beforeAll(async () => {
  real = await openRealDesktop();
  app = await FixtureApp.start('wxwidgets.py', real.seat.env);
  await real.call('ui_wait', { until: 'button:Save', timeoutMs: 30_000 });
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
});

test.each([
  ['ui_click', { target: 'button:Save' }, { clicked: 'Save' }],
  ['ui_act', { target: 'checkbox:Wrap', action: 'check' }, { wrap: true }],
  ['ui_set_value', { target: 'role=textbox', value: 'Grace' }, { name: 'Grace' }],
  ['ui_set_value', { target: 'role=combobox', value: 'Blue' }, { colour: 'Blue' }],
] as [string, Record<string, unknown>, DiaryLine][])('%s %o is written down by the app', async (tool, args, wrote) => {
  const from = app.diary.length;
  await real.call(tool, args);
  const fits = (line: DiaryLine): boolean => Object.entries(wrote).every(([key, value]) => line[key] === value);
  await until(JSON.stringify(wrote), () => Promise.resolve(app.diary.slice(from).some(fits)), 20_000);
});

test('shows what a user sees', async () => {
  const { text } = await real.call('ui_snapshot', {});
  expect(text).toMatch(/button e\d+ "Save"|e\d+ button "Save"/);
  expect(text).toContain('Name');
});
