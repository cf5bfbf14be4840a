import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppRoom, proveClickPoints, type App } from './support/app-room.js';
import { elements, everyElement, theOne } from './support/real-desktop.js';

let room: AppRoom;

beforeAll(async () => {
  room = await AppRoom.open();
});

afterAll(() => room.close());

describe('kcalc (Qt)', () => {
  let app: App;

  beforeAll(async () => {
    app = await room.start(/^KCalc$/, 'kcalc');
  });

  test('every key is named once', async () => {
    const names = elements(await app.look(), 'button').map(({ name }) => name);
    for (const key of [...'0123456789', '+', '−', '×', '÷', '=', '.', '%', 'AC']) {
      expect(
        names.filter((name) => name === key),
        key,
      ).toHaveLength(1);
    }
  });

  test('clicks in the middle of keys calculate, and the display is read', async () => {
    await app.activate();
    for (const name of ['1', '2', '×', '8', '=']) await room.click(await app.the('button', name));
    await app.until('96 in the display', (look) => [...everyElement(look)].some(({ name }) => name === '96'));
  });

  test('menus, and every click point in its control', async () => {
    const look = await app.look();
    for (const name of ['File', 'Edit', 'Settings', 'Help']) theOne(look, 'menuitem', name);
    const { proved, wrong } = await proveClickPoints(app, ({ name }) => name !== undefined);
    expect(wrong).toEqual([]);
    expect(proved).toBeGreaterThan(20);
  });
});

describe('featherpad (Qt)', () => {
  const TEXT = 'First line\nnaïve café 日本\nThird';

  test('its text is the file, and what a person types is read', async () => {
    const app = await room.start(/plan\.txt/, 'featherpad', await room.file('plan.txt', TEXT));
    const area = (await app.until('the text', (look) => elements(look, 'textbox').some(({ value }) => value === TEXT)))
      .roots[0]!;
    expect(elements(area, 'textbox').filter(({ value }) => value === TEXT)).toHaveLength(1);
    for (const name of ['File', 'Edit']) theOne(area, 'menuitem', name);
    await app.activate();
    await room.keys('ctrl+End');
    await room.typeText(' typed');
    await app.until('the typed word', (look) =>
      elements(look, 'textbox').some(({ value }) => value === `${TEXT} typed`),
    );
  });
});
