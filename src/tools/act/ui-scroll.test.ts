import { afterEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { failureText } from '../failure-text.js';
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

  it('looks for a spot where it changes no value', async () => {
    const middle = spin(1, { x: 100, y: 0, width: 100, height: 300 });
    expect(await scroll([page([middle])], { amount: 3 })).toMatch(/^unconfirmed: scroll down/);
    expect(fake.diary).toEqual(['wheel 0,3 over group "Page"']);
  });

  it.each([
    ['down', ['wheel 0,3 over group "Page"']],
    ['up', ['wheel 0,-1 over group "Page"', 'wheel 0,-1 over group "Page"', 'wheel 0,-1 over group "Page"']],
  ])('%s looks out for what comes from there', async (direction, diary) => {
    await scroll([page([spin(1, { x: 0, y: 0, width: 300, height: 20 })])], { amount: 3, direction });
    expect(fake.diary).toEqual(diary);
  });

  it('finds the gap between two, and looks again before each notch', async () => {
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
    const turn = driver.hands!.wheel.bind(driver.hands);
    driver.hands!.wheel = async (_, notches, options) => turn({ x: 150, y: 150 }, notches, options);
    const args = { target: 'name=Page', settleMs: 60, unit: 'line' };
    const failed: unknown = await perform(desktop, [uiScroll], { tool: 'ui_scroll', args, caller: 'me' }).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 'verify_failed', delivered: 'yes' });
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

  it('at the end is told as it is', async () => {
    const answer = await scroll([page([])], { until: 'button:Nowhere', timeoutMs: 5_000 });
    expect(answer).toMatch(
      /^failed: element_not_found\. e\d+ did not move when the wheel was turned down, and it did not show\. Delivered: yes\. Retry: no\./,
    );
  });
});
