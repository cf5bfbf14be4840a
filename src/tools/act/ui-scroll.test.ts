import { afterEach, describe, expect, it } from 'vitest';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Node } from '../../tree/index.js';
import { failureText } from '../text/failure.js';
import { uiScroll } from './ui-scroll.js';

const spin = (n: number, box?: WidgetSpec['box']): WidgetSpec => ({
  role: 'spinbutton',
  name: `Volume ${n}`,
  value: 50,
  ...(box && { box }),
});

const page = (children: WidgetSpec[]): WindowSpec => ({
  key: 'settings',
  title: 'Settings',
  app: 'settings',
  bounds: { x: 0, y: 0, width: 300, height: 300 },
  children: [{ role: 'group', name: 'Page', box: { x: 0, y: 0, width: 300, height: 300 }, children }],
});

let fake: FakeDesktop;
let desktop: Desktop;
afterEach(() => desktop.close());

async function scroll(windows: WindowSpec[], args: Record<string, unknown> = {}): Promise<string> {
  fake = fakeDesktop({ windows });
  desktop = new Desktop({ name: 'settings', driver: fake.driver, kind: 'virtual' });
  const all = { target: 'name=Page', settleMs: 60, timeoutMs: 300, unit: 'line', ...args };
  return perform(desktop, [uiScroll], { tool: 'ui_scroll', args: all, caller: 'me' }).then(
    ({ text }) => text,
    (error: unknown) => {
      if (error instanceof DesktopError) return failureText(error);
      throw error;
    },
  );
}

describe('the wheel', () => {
  it('is turned over the middle of what is to scroll', async () => {
    expect(await scroll([page([])], { amount: 3 })).toMatch(/^unconfirmed: scroll down/);
    expect(fake.diary).toEqual(['wheel 0,3 over group "Page"']);
  });

  it('is not turned over another window', async () => {
    const above = { ...page([]), key: 'above', title: 'Above', children: [] };
    expect(await scroll([above, page([])], { window: 'Settings' })).toMatch(
      /^failed: not_ready\. e\d+ group "Page" in w\d is covered by w\d window "Above".* Delivered: no\. Retry: after closing or moving w\d\./,
    );
    expect(fake.diary).toEqual([]);
  });

  it('searches for a point where it changes no value', async () => {
    const middle = spin(1, { x: 100, y: 0, width: 100, height: 300 });
    expect(await scroll([page([middle])], { amount: 3 })).toMatch(/^unconfirmed: scroll down/);
    expect(fake.diary).toEqual(['wheel 0,3 over group "Page"']);
  });

  it.each([
    ['down', ['wheel 0,3 over group "Page"']],
    ['up', ['wheel 0,-1 over group "Page"', 'wheel 0,-1 over group "Page"', 'wheel 0,-1 over group "Page"']],
  ])('%s checks what comes from there', async (direction, diary) => {
    await scroll([page([spin(1, { x: 0, y: 0, width: 300, height: 20 })])], { amount: 3, direction });
    expect(fake.diary).toEqual(diary);
  });

  it('finds the gap between two, and checks again before each notch', async () => {
    const two = [0, 160].map((y, n) => spin(n, { x: 0, y, width: 300, height: 140 }));
    expect(await scroll([page(two)], { amount: 2 })).toMatch(/^unconfirmed: scroll down/);
    expect(fake.diary).toEqual(['wheel 0,1 over group "Page"', 'wheel 0,1 over group "Page"']);
  });

  it.each([
    ['name=Page', /The wheel over e\d+ group "Page" would change e\d+ spinbutton "Volume 1" and not scroll/],
    ['name="Volume 1"', /The wheel over e\d+ spinbutton "Volume 1" would change its own value and not scroll/],
  ])('is not turned over %s that has nothing but values', async (target, why) => {
    const answer = await scroll([page([spin(1, { x: 0, y: 0, width: 300, height: 300 })])], { target });
    expect(answer).toMatch(why);
    expect(answer).toMatch(/^failed: not_supported\..* Delivered: no\./);
    expect(fake.diary).toEqual([]);
  });

  it('that changed a value is no success, whatever the app said of the place', async () => {
    fake = fakeDesktop({ windows: [page([spin(1, { x: 100, y: 0, width: 100, height: 300 })])] });
    const { driver } = fake;
    desktop = new Desktop({ name: 'settings', driver, kind: 'virtual' });
    const turn = driver.input!.wheel.bind(driver.input);
    driver.input!.wheel = async (_, notches, options) => turn({ x: 150, y: 150 }, notches, options);
    const args = { target: 'name=Page', settleMs: 60, unit: 'line' };
    const failed: unknown = await perform(desktop, [uiScroll], { tool: 'ui_scroll', args, caller: 'me' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'verify_failed', delivered: 'yes' });
  });
});

const rows = (name: string, count: number): WidgetSpec[] =>
  Array.from({ length: count }, (_, n) => ({ role: 'label', name: `${name} ${n + 1}` }));

/** A pane of 300 pixels with another in it that scrolls by itself. */
const nested = (height: number, bar?: WidgetSpec): WindowSpec => {
  const inner: WidgetSpec = { role: 'scrollpane', name: 'Inner', scroll: { height }, children: rows('Row', 60) };
  const all = [...rows('Top', 3), inner, ...rows('Bottom', 40)];
  return page([{ role: 'scrollpane', name: 'Outer', scroll: { height: 300 }, children: bar ? [bar, ...all] : all }]);
};

const INNER = /wheel .* over (scrollpane "Inner"|label "Row)/;

describe('a pane in a pane', () => {
  it('is not what is scrolled', async () => {
    const answer = await scroll([nested(150)], { target: 'name=Outer', until: '"Bottom 30"', timeoutMs: 20_000 });
    expect(answer).toMatch(/^ok: scroll down \d+ times until it showed/);
    expect(fake.diary.filter((line) => INNER.test(line))).toEqual([]);
  });

  it('if nothing else is there, this is reported', async () => {
    expect(await scroll([nested(600)], { target: 'name=Outer', amount: 20 })).toMatch(
      /^failed: not_supported\. The wheel over e\d+ scrollpane "Outer" would scroll e\d+ scrollpane "Inner" instead; part of the scroll was done\. Delivered: yes/,
    );
    expect(fake.diary.filter((line) => INNER.test(line))).toEqual([]);
  });

  it('leaves the scroll bar of the pane that it fills', async () => {
    const box = { x: 280, y: 0, width: 20, height: 300 };
    const bar: WidgetSpec = { role: 'scrollbar', value: 0, range: { min: 0, max: 1_200 }, box };
    expect(await scroll([nested(600, bar)], { target: 'name=Outer', amount: 12 })).toMatch(/^(ok|unconfirmed): scroll/);
    expect(fake.diary.filter((line) => INNER.test(line))).toEqual([]);
    expect(fake.diary.at(-1)).toBe('set 500 in scrollbar ""');
  });

  it('scrolls when it is named itself', async () => {
    const answer = await scroll([nested(150)], {
      target: 'name=Inner',
      until: '"Row 30"',
      amount: 2,
      timeoutMs: 20_000,
    });
    expect(answer).toMatch(/^ok: scroll down \d+ times until it showed/);
  });
});

describe('how far', () => {
  it.each([
    [{ amount: 0 }, /^failed: bad_arguments\. ui_scroll: amount must be at least 0\.01/],
    [{ amount: 10_000 }, /^failed: bad_arguments\. amount 10000 of unit line is too far.*\n.*at most 500 here/],
  ])('%j is refused', async (args, why) => {
    expect(await scroll([page([])], args)).toMatch(why);
    expect(fake.diary).toEqual([]);
  });

  it('at the end is reported as it is', async () => {
    const answer = await scroll([page([])], { until: 'button:Nowhere', timeoutMs: 5_000 });
    expect(answer).toMatch(
      /^failed: element_not_found\. e\d+ did not move when the wheel was turned down, and it did not show\. Delivered: yes\. Retry: no\./,
    );
  });

  it('is never more than a page, also after an end that was none', async () => {
    const early = rows('Early', 14).map((row) => ({ ...row, height: 30 }));
    const pane: WidgetSpec = { role: 'scrollpane', name: 'Pane', scroll: { height: 300 }, children: early };
    fake = fakeDesktop({ windows: [page([pane])] });
    const { driver, controls } = fake;
    desktop = new Desktop({ name: 'settings', driver, kind: 'virtual' });
    let queue = 0;
    // The second turn comes to the end, and then there is more.
    afterAct(driver, 'wheel', () => {
      if (++queue === 2) for (const row of rows('Late', 60)) controls.addChild('Pane', row);
    });
    const args = { target: 'name=Pane', unit: 'line', amount: 2, until: '"Late 40"', settleMs: 60, timeoutMs: 20_000 };
    await perform(desktop, [uiScroll], { tool: 'ui_scroll', args, caller: 'me' });
    const notches = fake.diary.map((line) => Number(/^wheel 0,(\d+)/.exec(line)![1]));
    expect(notches.slice(0, 2)).toEqual([2, 3]);
    expect(Math.max(...notches)).toBe(3);
  });

  it('is not at an end if a snapshot was taken during a move', async () => {
    const pane: WidgetSpec = { role: 'scrollpane', name: 'Outer', scroll: { height: 300 }, children: rows('Row', 60) };
    fake = fakeDesktop({ windows: [page([pane])] });
    const { driver } = fake;
    let moving = false;
    let shown: Node[] = [];
    afterAct(driver, 'wheel', () => (moving = true));
    const read = driver.read.bind(driver);
    // Right after a turn one row has moved, and the others are reported at their old places.
    const onItsWay = (row: Node, at: number): Node =>
      at === 4 ? { ...row, bounds: { ...row.bounds!, y: row.bounds!.y - 1 } } : row;
    driver.read = async (...given) => {
      const answer = await read(...given);
      const { root } = answer;
      if (root.name !== 'Outer' || root.children.length === 0 || given[1].full) return answer;
      const children = moving ? shown.map(onItsWay) : root.children;
      [moving, shown] = [false, root.children];
      return { ...answer, root: { ...root, children } };
    };
    desktop = new Desktop({ name: 'settings', driver, kind: 'virtual' });
    const args = { target: 'name=Outer', until: 'label:"Row 40"', amount: 3, unit: 'line', settleMs: 60 };
    const { text } = await perform(desktop, [uiScroll], { tool: 'ui_scroll', args, caller: 'me' });
    expect(text).toMatch(/^ok: scroll down \d+ times until it showed/);
  });
});

describe('tabs, which the wheel switches in Qt', () => {
  const TABS: WidgetSpec = {
    ...{ role: 'tablist', name: 'Bar', box: { x: 0, y: 0, width: 300, height: 30 }, layout: 'row' },
    children: ['Alpha', 'Beta'].map((name, n) => ({
      ...{ role: 'tab', name, states: { selected: n === 0 }, box: { x: n * 80, y: 0, width: 80, height: 30 } },
    })),
  };

  it.each([
    ['tab:Alpha', 'tab "Alpha"'],
    ['name=Bar', 'tablist "Bar"'],
  ])('%s is refused, and the wheel is not turned', { tags: 'safety' }, async (target, words) => {
    const text = await scroll([page([TABS])], { target });
    expect(text).toMatch(/^failed: not_supported\. The wheel over e\d+ /);
    expect(text).toContain(`${words} could show another tab and not scroll.`);
    expect(fake.diary).toEqual([]);
  });

  it('the page around them is scrolled beside them', { tags: 'safety' }, async () => {
    const wide = { ...TABS, box: { x: 0, y: 120, width: 300, height: 60 } };
    expect(await scroll([page([wide])], { amount: 1 })).toMatch(/^unconfirmed: scroll down/);
    expect(fake.diary).toEqual(['wheel 0,1 over group "Page"']);
  });

  it('a page inside its tab is scrolled, as GTK 3 reports it', async () => {
    const text: WidgetSpec = { role: 'list', name: 'Rows', box: { x: 0, y: 40, width: 300, height: 200 } };
    const tab: WidgetSpec = { role: 'tab', name: 'Alpha', box: { x: 0, y: 0, width: 300, height: 30 } };
    const book: WidgetSpec = { role: 'tablist', box: { x: 0, y: 0, width: 300, height: 300 }, children: [tab, text] };
    await scroll([page([book])], { target: 'list:Rows', amount: 1 });
    expect(fake.diary).toEqual(['wheel 0,1 over list "Rows"']);
  });
});
