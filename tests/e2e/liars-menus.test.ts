// @module-tag safety

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WindowInfo } from '../../src/tree/index.js';
import type { DiaryLine } from '../conformance/fixture-app.js';
import { LiarRoom, TOOLKITS, type Toolkit } from './support/liar-room.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

interface Opener {
  /** What is clicked, and what is in the menu that opens. */
  opener: string;
  item: string;
  chosen: DiaryLine;
  /** Its items are nowhere in the tree; this is pressed instead. */
  keys?: string;
}

const FILE: Opener = { opener: 'menuitem:File', item: 'menuitem:Two', chosen: { chosen: 'Two' } };
const MORE: Opener = { opener: 'name="More"', item: 'menuitem:Four', chosen: { chosen: 'Four' } };
const COLOUR: Opener = { opener: 'role=combobox', item: 'menuitem:Blue', chosen: { selected: 'Blue' } };
const MENUS: Record<Toolkit, Opener[]> = {
  gtk3: [FILE, MORE, COLOUR],
  gtk4: [MORE, { ...COLOUR, item: 'role=listitem && has("Blue")' }],
  qt: [FILE, { ...MORE, keys: 'Down Down Enter' }, { ...COLOUR, item: 'listitem:Blue' }],
  chromium: [{ ...COLOUR, item: 'name="Blue"' }],
};

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop({ width: 1400, height: 1000 });
});
afterAll(() => real?.stop());

const popups = async (): Promise<WindowInfo[]> =>
  (await real.desktop.listWindows(soon())).windows.filter(({ role, visible }) => role === 'popup' && visible);

describe.each(TOOLKITS)('a menu that an act opened in %s', (toolkit) => {
  let room: LiarRoom;
  let from = 0;
  beforeAll(async () => {
    room = await LiarRoom.open(real, toolkit);
  });
  afterAll(() => room?.end());
  afterEach(async () => {
    if ((await popups()).length > 0) await ask('xdotool', ['key', 'Escape', 'Escape'], real.seat.env);
    await until('no menu', async () => (await popups()).length === 0);
  });

  const cases = MENUS[toolkit].flatMap((menu) =>
    (['auto', 'input'] as const).map((method): [string, string, Opener] => [menu.opener, method, menu]),
  );
  const open = async ({ opener }: Opener, method: string): Promise<void> => {
    // An app may report its pressed button first, or nothing, and show the menu after the act has ended. Then it is
    // unknown which act opened the menu.
    for (let tries = 0; ; tries++) {
      const { word, text, json } = await room.call('ui_click', { target: opener, window: room.window, method });
      expect(word, text).toMatch(/^(ok|no change|unconfirmed)$/);
      await until(`the menu after ${text}`, async () => (await popups()).length > 0);
      from = await room.mark();
      if ((json as { menu?: string }).menu !== undefined || tries === 5) return;
      await ask('xdotool', ['key', 'Escape'], real.seat.env);
      await until('no menu', async () => (await popups()).length === 0);
    }
  };

  test.each(cases)('%s, opened by %s: it is closed before an act elsewhere', async (_, method, menu) => {
    for (const next of ['pattern', 'input']) {
      await open(menu, method);
      const { text } = await room.call('ui_click', { target: 'button:Pay', window: room.window, method: next });
      expect(await room.did(from), text).toEqual([{ clicked: 'Pay' }]);
      expect(text).toMatch(/after closing the menu w\d+/);
      expect(await popups()).toEqual([]);
    }
  });

  test.each(cases)('%s, opened by %s: it stays for an act in it', async (_, method, menu) => {
    await open(menu, method);
    const { item, keys } = menu;
    // GTK 4 exposes an open list slowly. On a busy machine it takes longer than the time limit of a usual call.
    const patient = { timeoutMs: 30_000 };
    const { text } = keys
      ? await room.call('ui_key', { keys, ...patient })
      : await room.call('ui_click', { target: item, ...patient });
    await until(`${JSON.stringify(menu.chosen)} after ${text}`, async () => (await room.did(from)).length > 0);
    expect(await room.did(from), text).toEqual([menu.chosen]);
    expect(text).not.toMatch(/after closing/);
    await room.call('ui_set_value', { target: 'role=combobox', window: room.window, value: 'Red' });
  });

  test('keys are for it', async () => {
    await open(MENUS[toolkit][0]!, 'auto');
    await room.call('ui_key', { keys: 'Escape' });
    await until('it to go', async () => (await popups()).length === 0);
    expect(await room.did(from)).toEqual([]);
  });

  test('one that the user opened is left alone', async () => {
    const { element } = (await room.call('ui_describe', { target: MENUS[toolkit][0]!.opener, window: room.window }))
      .json as {
      element: { bounds: { x: number; y: number; width: number; height: number } };
    };
    const { x, y, width, height } = element.bounds;
    const at = [String(Math.round(x + width / 2)), String(Math.round(y + height / 2))];
    await ask('xdotool', ['mousemove', ...at, 'click', '1'], real.seat.env);
    await until('the menu', async () => (await popups()).length > 0);
    from = await room.mark();
    const { text } = await room.call('ui_click', { target: 'button:Pay', window: room.window, method: 'pattern' });
    expect(text).not.toMatch(/after closing/);
    expect(await room.did(from), text).toEqual([{ clicked: 'Pay' }]);
  });
});
