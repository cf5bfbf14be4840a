import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let real: RealDesktop;
let app: FixtureApp;
let page = 0;
beforeAll(async () => {
  real = await openRealDesktop();
  app = await FixtureApp.start('combo-menus.py', real.seat.env);
  await real.call('ui_wait', { until: 'combobox:Kind', timeoutMs: 15_000 });
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
});
beforeEach(() => void (page = app.diary.length));

const selected = async (): Promise<DiaryLine[]> => {
  await app.command('sleep 0');
  return app.diary.slice(page).filter((line) => 'selected' in line);
};
const noMenu = (): Promise<unknown> =>
  until('all menus to go', async () => {
    const { windows } = await real.driver.windows({ deadline: soon() });
    return !windows.some(({ menu, visible }) => menu && visible);
  });

it.each(['auto', 'input'])('an option in a menu of the list is refused in plain words: %s', async (method) => {
  const told = await real.failure('ui_set_value', { target: 'combobox:Kind', value: 'Plum', method });
  expect(told).toMatch(
    /^failed: not_supported\. e\d+ combobox has "Plum" in a submenu of its list, which is not supported; nothing was chosen, and its list was closed again\b/,
  );
  expect(told).toMatch(/\nnext: run ui_click on it, then on the item that opens the submenu, then on the option\.$/);
  await noMenu();
  expect(await selected()).toEqual([]);
});

it('one beside the menus is chosen', async () => {
  const { text } = await real.call('ui_set_value', { target: 'combobox:Kind', value: 'Other' });
  expect(text).toMatch(/^ok: .*read back the same/);
  await noMenu();
  expect((await selected()).at(-1)).toEqual({ selected: 'Other' });
});

it('what the refusal names does it', async () => {
  await real.call('ui_click', { target: 'combobox:Kind' });
  await real.call('ui_click', { target: 'menuitem:Fruit ?? menu:Fruit', method: 'input' });
  await real.call('ui_click', { target: 'menuitem:Plum', method: 'input' });
  await until('its choice', async () => (await selected()).length > 0);
  expect(await selected()).toEqual([{ selected: 'Plum' }]);
  await noMenu();
});
