// @module-tag safety

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Element, Snapshot } from '../../src/tree/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { elements, snapshotUntil, openRealDesktop, theOne, type RealDesktop } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

/** A GTK 4 list reuses the widget of a row for another row when it scrolls, without an event. */
let real: RealDesktop;
let app: FixtureApp;

beforeAll(async () => {
  real = await openRealDesktop();
});
beforeEach(async () => {
  app = await FixtureApp.start('rows.py', real.seat.env);
  await settled();
});
afterEach(() => app?.end());
afterAll(() => real?.stop());

const list = (snapshot: Snapshot): Element => theOne(snapshot, 'list', 'Files');
const words = (row: Element): string => elements(row, 'label')[0]?.name ?? row.name ?? '';
const button = (row: Element): Element | undefined => elements(row, 'button', /^Delete item\d+$/)[0];
/** Each ref that a caller may use, and which item it was said to be. */
function meanings(snapshot: Snapshot): Map<string, string> {
  const rows = list(snapshot).children.flatMap((row): [string, string][] => {
    const remove = button(row);
    return [
      [row.ref, words(row)],
      ...(remove ? [[remove.ref, remove.name!.replace('Delete ', '')] as [string, string]] : []),
    ];
  });
  return new Map(rows);
}

/** Which items are on screen, in the app's own words. */
async function shown(): Promise<{ first: number; last: number }> {
  const from = app.diary.length;
  await app.command('tell');
  const { first, last } = await app.wait('where it is', (line) => line.first !== undefined, from);
  return { first: Number(first), last: Number(last) };
}

/** A snapshot that shows the rows of the app's diary. */
async function settled(): Promise<Snapshot> {
  let where = await shown();
  return snapshotUntil(real, 'the rows that the app shows', async (snapshot) => {
    where = await shown();
    const names = list(snapshot).children.map(words);
    // At the edges a pixel of a row, or the gap between two, may be all that is left.
    const near = (name: string | undefined, n: number, step: number): boolean =>
      name === `item${n}` || name === `item${n + step}`;
    return near(names[0], where.first, 1) && near(names.at(-1), where.last, -1);
  });
}

async function scrolledTo(n: number): Promise<Snapshot> {
  await app.command(`scroll ${n}`);
  return settled();
}

async function wheel(queue: number): Promise<Snapshot> {
  const { first } = await shown();
  const { x, y, width, height } = list(await real.snapshot()).bounds!;
  const at = [String(x + Math.round(width / 3)), String(y + Math.round(height / 2))];
  await ask('xdotool', ['mousemove', ...at, 'click', '--repeat', String(queue), '--delay', '10', '5'], real.seat.env);
  await until('the list to move', async () => (await shown()).first > first);
  // A wheel goes on by itself for a while.
  let last = -1;
  await until('the list to rest', async () => {
    const before = last;
    last = (await shown()).first;
    return before === last;
  });
  return settled();
}

describe('a GTK 4 list of 1,000 items', () => {
  it('shows each row once, with the words and the button that belong together', async () => {
    const snapshot = await scrolledTo(300);
    const rows = list(snapshot).children;
    const first = Number(words(rows[0]!).slice(4));
    expect(rows.map(words)).toEqual(rows.map((_, i) => `item${first + i}`));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows.slice(1, -1)) expect(button(row)!.name).toBe(`Delete ${words(row)}`);
  });

  it('rows that are drawn nowhere are not said to be somewhere', async () => {
    const before = meanings(await real.snapshot());
    // GTK 4.8 draws an empty list after this, and keeps all that it had.
    await app.command('jump 500');
    await snapshotUntil(real, 'the list without its old rows', (now) => list(now).children.length === 0);
    const { refused, away } = await expectHonest(before);
    expect(refused + away).toBeGreaterThan(0);
  });

  // What is scrolled a little way off keeps its widget and its words: it is out of view, and not gone.
  const ways: [string, () => Promise<Snapshot>, 'some are recycled' | 'some are away'][] = [
    ['one turn of the wheel', () => wheel(1), 'some are away'],
    ['many turns of the wheel', () => wheel(12), 'some are away'],
    ['a jump', () => scrolledTo(620), 'some are recycled'],
    ['a jump by half a page', () => scrolledTo(20), 'some are recycled'],
  ];
  it.each(ways)('%s: no ref means another item', async (_, scroll, outcome) => {
    await scrolledTo(300);
    const before = meanings(await real.snapshot());
    const after = meanings(await scroll());
    const betrayed = [...after].filter(([ref, item]) => before.has(ref) && before.get(ref) !== item);
    expect(betrayed).toEqual([]);
    expect([...after.values()]).not.toEqual([...before.values()]);
    const { refused, away } = await expectHonest(before);
    expect(outcome === 'some are recycled' ? refused : refused + away).toBeGreaterThan(0);
  });

  it('refs used without a snapshot in between are checked first', async () => {
    const before = meanings(await real.snapshot());
    await app.command('scroll 410');
    await until('the list to move', async () => (await shown()).first > 300);
    expect((await expectHonest(before)).refused).toBeGreaterThan(0);
  });

  it('a stale ref says what it was and which is the same item now', async () => {
    const before = await scrolledTo(400);
    const row = list(before).children[4]!;
    const old = button(row)!;
    const item = words(row);
    await scrolledTo(900);
    const failure = await real.failure('ui_describe', { target: old.ref });
    expect(failure).toMatch(
      new RegExp(
        `^failed: stale_ref\\. ${old.ref} \\(was button "Delete ${item}" in \\w+ "${item}"\\) is gone since s\\d+\\. Delivered: no\\. Retry: no\\.`,
      ),
    );
    expect(failure).toMatch(/^next: run ui_snapshot w\d+ again\.$/m);
    // Back again: the items are there, most of them in other widgets.
    const stale: [string, string][] = [];
    await scrolledTo(Number(words(list(before).children[1]!).slice(4)));
    for (const known of list(before).children.slice(2, 8)) {
      const { ref, name } = button(known)!;
      const { text } = await real.call('ui_describe', { target: ref }).catch(() => ({ text: '' }));
      if (text === '') stale.push([ref, name!]);
      else expect(text).toContain(`button "${name}"`);
    }
    expect(stale.length).toBeGreaterThan(0);
    const [ref, name] = stale[0]!;
    const again = await real.failure('ui_describe', { target: ref });
    expect(again).toMatch(new RegExp(`^nearest: e\\d+ button "${name}" in \\w+ "${name.replace('Delete ', '')}"`, 'm'));
    const near = /^next: check that (e\d+) is what you mean\.$/m.exec(again)![1]!;
    expect((await real.call('ui_describe', { target: near })).text).toContain(`button "${name}"`);
  });
});

/** Whatever an old ref gives, it is the same item, said to be out of view if it is, or a refusal that names it. */
async function expectHonest(refs: ReadonlyMap<string, string>): Promise<{ refused: number; away: number }> {
  const told = { refused: 0, away: 0 };
  const { first, last } = await shown();
  // Some from the top, the middle and the end: a refusal costs a read, for similar elements.
  const some = [...refs].filter((_, i) => i < 4 || i % 9 === 0);
  for (const [ref, item] of some) {
    try {
      await real.call('ui_describe', { target: ref });
      const { text } = await real.call('ui_snapshot', { target: ref });
      expect(text).toMatch(new RegExp(`"(Delete )?${item}"`));
      const n = Number(item.slice(4));
      const unseen = / offscreen\b/.test(text);
      if (unseen) told.away++;
      else expect(n >= first && n <= last, `${item} is said to show, the app shows ${first} to ${last}`).toBe(true);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code !== 'stale_ref') throw error;
      expect(message).toMatch(new RegExp(`^${ref} \\(was .*"${item}"\\) is gone`));
      told.refused++;
    }
  }
  return told;
}
