import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppRoom, type App } from './support/app-room.js';
import { allMean, clickOn, meant, checkSuggestions } from './support/by-selector.js';
import { PageServer } from './support/page-server.js';
import { elements } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let room: AppRoom;
let page: PageServer;
let app: App;

beforeAll(async () => {
  [room, page] = await Promise.all([AppRoom.open(), PageServer.start('page.html')]);
  app = await room.start(/^Orders/, 'chromium', '--start-maximized', page.url);
  await app.until('the page', (snapshot) => elements(snapshot, 'button', 'Edit').length > 3);
});

afterAll(async () => {
  await room?.close();
  await page?.stop();
});

/** What the page itself saw of clicks since the last question. */
async function clicked(): Promise<string> {
  return until('the page to see a click', async () => {
    const ids = await page.run<string[]>('clicks.splice(0)');
    return ids.length > 0 ? ids.join(' ') : undefined;
  });
}

describe('a table in Chromium', () => {
  test('a row by what is in it, and the button in that row', async () => {
    const { element } = await allMean(
      room.real,
      'role=row && has("1003")',
      'table:"Open orders" >> role=row && has(cell:"1003")',
      'role=row && has("37.50")',
      'role=row && has("Grace Hopper" >> right-of >> "37.50") ?? role=row && has("1003")',
    );
    expect(element.role).toBe('row');
    await clickOn(
      room,
      'role=row && has("1003") >> button:Edit',
      'table:"Open orders" >> role=row && has("37.50") >> role=button',
      '"37.50" >> right-of >> button:Edit',
    );
    expect(await clicked()).toBe('edit3');
  });

  test('rows with something and without something else', async () => {
    const { json } = await room.real.call('ui_query', {
      target: 'role=row && has("Ada Lovelace") && !has("Paid")',
      limit: 3,
    });
    const refs = (json as unknown as { matches: { ref: string }[] }).matches.map(({ ref }) => ref);
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) {
      const { text } = await room.real.call('ui_snapshot', { target: ref });
      expect(text).toContain('Ada Lovelace');
      expect(text).not.toContain('Paid');
    }
  });

  test('a cell by its place in the table, and by its column', async () => {
    const { element } = await allMean(
      room.real,
      'table:"Open orders" >> cell:R3C2',
      'role=row && has("1003") >> "Grace Hopper"',
    );
    expect(element.name).toBe('Grace Hopper');
  });

  test('a row that is not on the screen, though two hundred are in the page', async () => {
    const { element } = await meant(room.real, 'role=row && has("1190") >> button:Edit');
    expect(element.states.offscreen).toBe(true);
  });
});

describe('a form in Chromium', () => {
  test.each([
    [
      'who',
      [
        'textbox:"Full name"',
        '"Full name" >> right-of >> role=textbox',
        '#who',
        'form:Account >> value="Ada Lovelace" ?? #who',
      ],
    ],
    ['age', ['spinbutton:Age', '"Age" >> right-of >> role=spinbutton', '#age']],
    ['private', ['radio:Private', 'radiogroup:Kind >> checked=true ?? #private', '#private']],
    ['terms', ['checkbox:"I accept the terms"', 'role=checkbox && checked=false', '#terms']],
    ['cancel', ['button:Cancel', '"Create" >> left-of >> role=button', '#cancel']],
  ])('%s, by name, by place and by its id', async (id, selectors) => {
    await clickOn(room, ...selectors);
    expect((await clicked()).split(' ')[0]).toBe(id);
  });

  test('does not find invisible parts of a page, and reports them as hidden or not at all', async () => {
    expect(await room.real.failure('ui_describe', { target: 'button:"Never shown"' })).toMatch(
      /^failed: element_not_found/,
    );
  });
});

test('every control that shows gets a selector of its own', async () => {
  const { checked, wrong } = await checkSuggestions(room.real, app.ref);
  expect(wrong).toEqual([]);
  expect(checked).toBeGreaterThan(30);
});
