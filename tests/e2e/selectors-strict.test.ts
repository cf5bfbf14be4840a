import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fieldsOf } from '../../src/surfaces/cli/tools/fields.js';
import { TOOLS } from '../../src/tools/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { App, AppRoom } from './support/app-room.js';
import { allMean, clickOn, failureOf, meant, checkSuggestions } from './support/by-selector.js';
import { soon } from './support/real-desktop.js';

let room: AppRoom;
let north: App;
let south: App;
let diaries: { north: FixtureApp; south: FixtureApp };

beforeAll(async () => {
  room = await AppRoom.open();
  const { env } = room.real.seat;
  diaries = {
    north: await FixtureApp.start('twins.py', env, ['Desk North']),
    south: await FixtureApp.start('twins.py', env, ['Desk South', 'Send']),
  };
  south = await room.window(/^Desk South$/);
  await south.move(700, 300);
  const { windows } = await room.real.desktop.listWindows(soon());
  const { ref, id } = windows.find(({ title }) => title === 'Desk North')!;
  north = new App(room, ref, id);
  await north.move(20, 20);
});

afterAll(async () => {
  await diaries?.north.end();
  await diaries?.south.end();
  await room.close();
});

interface Candidates {
  matches: number;
  candidates: { ref: string; selector: string; window: string }[];
}

const said = (which: 'north' | 'south', from: number) =>
  diaries[which].wait('what was clicked', (line) => line.clicked !== undefined, from);

describe('two that are equal', () => {
  test('are refused, with all of them and a selector for each', async () => {
    const failure = await failureOf(room.real, 'ui_describe', { target: 'button:Edit', window: north.ref });
    expect(failure.code).toBe('ambiguous_target');
    expect(failure.delivered).toBe('no');
    const { matches, candidates } = failure.details as unknown as Candidates;
    expect([matches, candidates.length]).toEqual([2, 2]);
    for (const { ref, selector } of candidates) expect((await meant(room.real, selector)).element.ref).toBe(ref);
    const everywhere = await failureOf(room.real, 'ui_describe', { target: 'button:Edit' });
    expect((everywhere.details as unknown as Candidates).matches).toBe(4);
    expect(new Set((everywhere.details as unknown as Candidates).candidates.map(({ window }) => window)).size).toBe(2);
  });

  test('are listed by a query', async () => {
    const { json, text } = await room.real.call('ui_query', { target: 'button:Edit' });
    expect(json).toMatchObject({ total: 4 });
    expect(text.match(/button "Edit"/g)).toHaveLength(4);
    expect(text).toMatch(/one of 4/);
  });

  test.each([
    [
      'Billing',
      ['window="Desk North" >> button:Edit >> nth=0', 'window="Desk North" >> "Total" >> right-of >> button:Edit'],
    ],
    [
      'Shipping',
      ['window="Desk North" >> button:Edit >> nth=-1', 'window="Desk North" >> "Weight" >> right-of >> button:Edit'],
    ],
    [
      'Shipping',
      [
        'window="Desk North" >> "Shipping" >> button:Edit',
        'window="Desk North" >> "Shipping" >> inside >> button:Edit',
      ],
    ],
  ])('the one in %s is distinguished by position, relation and what it is in: %j', async (box, selectors) => {
    await north.activate();
    const from = diaries.north.diary.length;
    await clickOn(room, ...selectors);
    expect(await said('north', from)).toMatchObject({ clicked: 'Edit', box });
  });

  test('the window distinguishes them too', async () => {
    await south.activate();
    const from = diaries.south.diary.length;
    await clickOn(room, 'window="Desk South" >> "Billing" >> button:Edit', `${south.ref} >> button:Edit >> nth=0`);
    expect(await said('south', from)).toMatchObject({ clicked: 'Edit', box: 'Billing' });
  });
});

describe('a field that only its place connects with its label', () => {
  test.each([
    ['Total', 'Billing'],
    ['Weight', 'Shipping'],
  ])('%s, in two ways; what a hand types there arrives there', async (label, box) => {
    await north.activate();
    const from = diaries.north.diary.length;
    await clickOn(
      room,
      `window="Desk North" >> "${label}" >> right-of >> role=textbox`,
      `window="Desk North" >> label:"${label}" >> near >> role=textbox`,
      `window="Desk North" >> "${box}" >> role=textbox`,
    );
    await room.typeText('7');
    expect(await diaries.north.wait('what was typed', (line) => line.typed !== undefined, from)).toMatchObject({
      typed: '7',
      box,
    });
  });

  test('says how sure it is, and why', async () => {
    const { json } = await room.real.call('ui_query', {
      target: 'window="Desk North" >> "Total" >> right-of >> role=textbox',
    });
    const [match] = (json as unknown as { matches: { confidence: number; reasons: string[] }[] }).matches;
    expect(match?.confidence).toBe(0.76);
    expect(match?.reasons).toEqual(['whole name, no role', 'by place beside another']);
  });
});

describe('a window title that fits two', () => {
  const target = 'window~="Desk" >> button:Send';

  test('is refused for one element, even if only one window has it', async () => {
    for (const tool of ['ui_describe', 'ui_read']) {
      const failure = await room.real.failure(tool, { target });
      expect(failure).toMatch(/^failed: ambiguous_target\. The window in .* fits 2 windows\./);
      expect(failure).toContain('"Desk North"');
      expect(failure).toContain('"Desk South"');
    }
    expect(await room.real.failure('ui_snapshot', { window: 'Desk' })).toMatch(/^failed: ambiguous_target/);
    expect(await room.real.failure('ui_describe', { target: 'button:Send', window: 'Desk' })).toMatch(
      /^failed: ambiguous_target/,
    );
  });

  test('is no matter for a query', async () => {
    const { json } = await room.real.call('ui_query', { target });
    expect(json).toMatchObject({ total: 1, matches: [{ name: 'Send', window: south.ref }] });
    expect((await room.real.call('ui_query', { target: 'window~=Desk' })).json).toMatchObject({ total: 2 });
  });

  test('and the whole title is enough', async () => {
    await allMean(room.real, 'window="Desk South" >> button:Send', 'button:Send', `${south.ref} >> Send`);
  });
});

test('every control that shows gets a selector of its own', async () => {
  for (const { ref } of [north, south]) {
    const { checked, wrong, byPosition } = await checkSuggestions(room.real, ref);
    expect({ wrong, byPosition }).toEqual({ wrong: [], byPosition: [] });
    expect(checked).toBeGreaterThanOrEqual(4);
  }
});

describe('a typo is an error everywhere, never a name', () => {
  const TYPOS: [string, RegExp][] = [
    ['nmae="Edit"', /unknown key "nmae".*\n.*\n\^{4}\nnext: did you mean name\?/],
    ['role=buton', /unknown role "buton".*\n.*\n {5}\^{5}\nnext: did you mean button\?/],
    ['buton:Edit', /"buton:" is neither a role nor a prefix.*\n.*\n\^{6}\nnext: did you mean button\?/],
    ['atpsi:"Edit"', /"atpsi:" is neither a role nor a prefix.*\n.*\n\^+\nnext: did you mean atspi\?/],
    ['"Total" >> rigth-of >> role=textbox', /unknown relation "rigth-of"/],
    ['button:Edit && enabeld=true', /unknown key "enabeld"/],
    ['role=row && has(nmae=x)', /unknown key "nmae"/],
    ['button:Edit ?? roel=link', /unknown key "roel"/],
  ];
  // Every tool that reads and takes a selector, those to come among them.
  const CALLS = TOOLS.filter((tool) => tool.class === 'read').flatMap(({ name, input }) => {
    const fields = fieldsOf(input).map((field) => field.name);
    return ['target', 'until', 'condition'].filter((field) => fields.includes(field)).map((field) => ({ name, field }));
  });

  test('where selectors are taken', () => {
    expect(CALLS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['ui_query', 'ui_describe', 'ui_read', 'ui_snapshot']),
    );
  });

  test.each(CALLS)('$name', async ({ name, field }) => {
    for (const [selector, why] of TYPOS) {
      const failure = await room.real.failure(name, { [field]: selector });
      expect(failure, selector).toMatch(/^failed: selector_syntax\. /);
      expect(failure, selector).toMatch(why);
    }
  });
});
