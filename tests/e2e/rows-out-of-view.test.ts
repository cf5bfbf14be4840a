import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perform } from '../../src/runtime/index.js';
import type { DesktopError } from '../../src/shared/index.js';
import { failureText, TOOLS } from '../../src/tools/index.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { elements, snapshotUntil, openRealDesktop, theOne, type RealDesktop } from './support/real-desktop.js';

/** Scrolled away is not gone: what a list has, one can read and choose, wherever it is scrolled to. */
let real: RealDesktop;
let app: FixtureApp;

beforeAll(async () => {
  real = await openRealDesktop();
  app = await FixtureApp.start('long-lists.py', real.seat.env);
  await snapshotUntil(real, 'both lists', (snapshot) => elements(snapshot, 'label', /^(row|line)1$/).length === 2);
});
afterAll(async () => {
  await app?.end();
  await real?.stop();
});

/** The row around the label with these words, as a snapshot shows it. */
async function rowOf(list: string, words: string): Promise<string> {
  const snapshot = await snapshotUntil(real, words, (now) => elements(now, 'label', words).length === 1);
  return theOne(snapshot, 'list', list).children.find((row) => elements(row, 'label', words).length === 1)!.ref;
}

async function chosen(facts: DiaryLine, from: number): Promise<void> {
  const [key, value] = Object.entries(facts)[0]!;
  await app.wait(`${key} ${String(value)}`, (line) => line[key] === value, from);
  const others = app.diary.slice(from).filter((line) => key in line && line[key] !== value);
  expect(others).toEqual([]);
}

const OUT_OF_VIEW =
  /^failed: not_ready\. e\d+ listitem.* in w\d+ is not on the screen\. Delivered: no\.[^]*\nnext: use ui_scroll on its container until it is visible\.$/;

/** A click that is not waited for long, in words. */
function clickSoon(target: string): Promise<string> {
  const call = { tool: 'ui_click', args: { target }, caller: 'test', timeoutMs: 2_000 };
  return perform(real.desktop, TOOLS, call).then(
    ({ text }) => text,
    (error: unknown) => failureText(error as DesktopError),
  );
}

describe('a row that a GTK 4 list does not show', () => {
  it.each([
    ['row', 251],
    ['line', 200],
  ])('is read, out of view, and selected where it is: %s %i', async (kind, n) => {
    const name = `${kind}${n}`;
    const described = await real.call('ui_describe', { target: `"${name}"` });
    expect(described.text).toMatch(/listitem offscreen in w\d+ > list "(Box|View)"/);
    expect(described.text).toMatch(/not on screen/);
    expect((await real.call('ui_snapshot', { target: `"${name}"` })).text).toContain(`listitem "${name}" offscreen`);
    const from = app.diary.length;
    const { text } = await real.call('ui_act', { target: `"${name}"`, action: 'select' });
    expect(text).toMatch(/^ok: select e\d+ listitem in w\d+, by pattern/);
    await chosen({ [kind]: name }, from);
  });

  it('is no place for the mouse, and that is what is said', async () => {
    expect(await clickSoon('"row40"')).toMatch(OUT_OF_VIEW);
  });

  it('is the one that was seen before it went away, or none', async () => {
    const names = ['line2', 'line6', 'line9'];
    const refs = await Promise.all(names.map((name) => rowOf('View', name)));
    await app.command('scroll 60');
    await snapshotUntil(real, 'line60', (snapshot) => elements(snapshot, 'label', 'line60').length === 1);
    let kept = 0;
    for (const [i, ref] of refs.entries()) {
      const from = app.diary.length;
      const text = await real
        .call('ui_act', { target: ref, action: 'select' })
        .then((done) => done.text)
        .catch((error: unknown) => (error as { code: string }).code);
      if (text === 'stale_ref') continue;
      expect(text).toMatch(/^ok: select e\d+ listitem/);
      await chosen({ line: names[i] }, from);
      kept++;
    }
    expect(kept).toBeGreaterThan(0);
  });

  it('is gone when its list has it no more', async () => {
    const ref = await rowOf('Box', 'row5');
    await app.command('remove 5');
    const failure = await real.failure('ui_act', { target: ref, action: 'select' });
    expect(failure).toMatch(new RegExp(`^failed: stale_ref\\. ${ref} \\(was listitem "row5"\\) is gone`));
  });
});

describe('an item that a Qt list does not show', () => {
  let items: FixtureApp;
  beforeAll(async () => {
    items = await FixtureApp.start('long-list-qt.py', real.seat.env);
    await snapshotUntil(real, 'its items', (snapshot) => elements(snapshot, 'listitem', 'item1').length === 1, {
      window: 'Plain list',
    });
  });
  afterAll(() => items?.end());

  it('is found, out of view, and clicked once it is scrolled in', async () => {
    const described = await real.call('ui_describe', { target: 'listitem:item36' });
    expect(described.text).toMatch(/listitem "item36" offscreen in w\d+ > list "Items"/);
    expect(await clickSoon('listitem:item36')).toMatch(OUT_OF_VIEW);
    await real.call('ui_scroll', { target: 'list:Items', until: 'listitem:item36' });
    await real.call('ui_click', { target: 'listitem:item36' });
    await items.wait('its click', (line) => line.item === 'item36', 0);
  });

  it('is not found when its app has hidden it', async () => {
    expect(await real.failure('ui_describe', { target: 'listitem:item37' })).toMatch(
      /^failed: element_not_found\.[^]*e\d+ listitem "item37" in w\d+ \(hidden\)/,
    );
  });
});
