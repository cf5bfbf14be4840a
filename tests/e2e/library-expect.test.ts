import { afterAll, beforeAll, describe, expect as so, test } from 'vitest';
import type { Desktop, DesktopError as Failure, DesktopWindow, Locator, LocatorExpect } from '../../src/index.js';
import { DesktopError, expect, OPEN_POLICY, openDesktop, removeFailures } from './support/library.js';

// What is expected is expected of one element that is there. The app is a real calculator.

const SHORT = { timeoutMs: 300 };

let desktop: Desktop;
let calculator: DesktopWindow;
beforeAll(async () => {
  desktop = await openDesktop({ policy: OPEN_POLICY, timeoutMs: 20_000 });
  const app = await desktop.launch('gnome-calculator', { timeoutMs: 60_000 });
  calculator = await app.firstWindow();
  await expect(calculator.locator('button:"7"')).toBeEnabled();
});
afterAll(async () => {
  await desktop?.close();
  if (desktop) removeFailures(desktop);
});

const EVERY: Record<string, (it: LocatorExpect) => Promise<void>> = {
  'toBeEnabled()': (it) => it.toBeEnabled(SHORT),
  'toBeChecked()': (it) => it.toBeChecked(SHORT),
  'toBeFocused()': (it) => it.toBeFocused(SHORT),
  'toHaveValue("x")': (it) => it.toHaveValue('x', SHORT),
  'toHaveValue(/x/)': (it) => it.toHaveValue(/x/, SHORT),
  'toHaveText("x")': (it) => it.toHaveText('x', SHORT),
  'toHaveText(/x/)': (it) => it.toHaveText(/x/, SHORT),
  'toMatchSnapshot(…)': (it) => it.toMatchSnapshot('button "x"', SHORT),
};

async function failure(work: () => Promise<unknown>): Promise<Failure> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  so(error).toBeInstanceOf(DesktopError);
  return error as Failure;
}

describe.each<[string, () => Locator]>([
  ['an element', () => calculator.locator('button:"77"')],
  ['a window', () => desktop.window('No Such').locator('button:"7"')],
  ['a window of a pattern', () => desktop.window(/^No Such$/).locator('button:"7"')],
  ['one of a number', () => calculator.getByRole('button').nth(999)],
])('%s that is not there', (_, missing) => {
  test.each(Object.entries(EVERY))('is not said to be otherwise: not.%s', async (name, check) => {
    const { code, message } = await failure(() => check(expect(missing()).not));
    so(code, message).toBe('verify_failed');
    so(message).toMatch(/does not hold after 300 ms[:.] \S/);
    so(message).toContain(`.not.${name}`);
  });

  test('is not visible, and there are none of it', async () => {
    await expect(missing()).not.toBeVisible(SHORT);
    await expect(missing()).toHaveCount(0, SHORT);
  });
});

describe('several matches where one is needed', () => {
  const buttons = (): Locator => calculator.getByRole('button');
  const checks = Object.entries({ ...EVERY, 'toBeVisible()': (it: LocatorExpect) => it.toBeVisible(SHORT) });

  test.each([...checks, ['toHaveText(/^7$/)', (it: LocatorExpect) => it.toHaveText(/^7$/, SHORT)] as const])(
    '%s',
    async (_, check) => {
      const { code, candidates = [], message } = await failure(() => check(expect(buttons())));
      so(code, message).toBe('ambiguous_target');
      so(candidates.length).toBeGreaterThan(1);
    },
  );

  test.each(Object.entries(EVERY))('not.%s', async (_, check) => {
    so(await failure(() => check(expect(buttons()).not))).toMatchObject({ code: 'ambiguous_target' });
  });

  test('also where it is waited for', async () => {
    so(await failure(() => buttons().waitFor(SHORT))).toMatchObject({ code: 'ambiguous_target' });
    await buttons().first().waitFor();
  });
});

describe('of one that is picked', () => {
  const display = (): Locator => calculator.locator('role=textbox && focused=true');
  const picks: [string, () => Locator][] = [
    ['by its name', () => calculator.locator('button:"7"')],
    ['by number', () => calculator.getByRole('button', { name: '7', exact: true }).nth(0)],
    ['as the first', () => calculator.locator('button:"7"').first()],
    ['as the last', () => calculator.locator('button:"7"').last()],
  ];

  test.each(picks)('everything can be expected: %s', async (_, seven) => {
    await expect(seven()).toBeVisible();
    await expect(seven()).toBeEnabled();
    await expect(seven()).toHaveText(/^7$/);
    await expect(seven()).toHaveText('7');
    await expect(seven()).not.toHaveText(/8/);
    await expect(seven()).not.toHaveValue(/8/);
    await expect(seven()).not.toBeChecked();
    so(await failure(() => expect(seven()).toHaveText(/8/, SHORT))).toMatchObject({ code: 'verify_failed' });
    so(await failure(() => expect(seven()).not.toHaveText(/7/, SHORT))).toMatchObject({ code: 'verify_failed' });
  });

  test('a pattern is waited for', async () => {
    const [shown] = await Promise.all([
      expect(display().first()).toHaveValue(/^7$/),
      calculator.locator('button:"7"').click(),
    ]);
    so(shown).toBeUndefined();
    await expect(display()).toHaveValue(/^7$/);
    await expect(display()).not.toHaveValue(/8/);
  });

  test('reports mistakes through the promise', async () => {
    so(await failure(() => expect(display()).toHaveValue(/7/m))).toMatchObject({ code: 'bad_arguments' });
  });
});
