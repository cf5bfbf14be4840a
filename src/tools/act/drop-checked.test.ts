// @module-tag safety

import { afterEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Role } from '../../tree/index.js';
import { TOOLS } from '../index.js';

const windowAt = (title: string, x: number, pid: number, name: string): WindowSpec => ({
  ...{ key: title, title, app: title, pid, bounds: { x, y: 0, width: 300, height: 300 } },
  children: [{ role: 'button', name, noPattern: true }],
});
const PARCEL = 11;
const SHELF = 12;

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

/** `meanwhile`: what happens once the button is down. */
async function drag(
  meanwhile: () => void,
  args: object = { to: 'button:Shelf' },
  rules: NonNullable<PolicyFile['rules']> = [],
): Promise<DesktopError | string> {
  fake = fakeDesktop({ windows: [windowAt('From', 0, PARCEL, 'Parcel'), windowAt('To', 400, SHELF, 'Shelf')] });
  const policy = compilePolicy({ user: { version: 1, windows: { block: ['*Vault*'] }, rules } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy });
  const resume = fake.driver.resume!.bind(fake.driver);
  let resumed = 0;
  // The first checkpoint is `ready`, before the button goes down.
  fake.driver.resume = (...given) => {
    if (++resumed === 1) setImmediate(meanwhile);
    return resume(...given);
  };
  const call = {
    tool: 'ui_drag',
    args: { from: 'button:Parcel', settleMs: 20, timeoutMs: 500, ...args },
    caller: 'me',
  };
  return perform(desktop, TOOLS, call).then(
    ({ json }) => String(json.status),
    (error: unknown) => {
      if (error instanceof DesktopError) return error;
      throw error;
    },
  );
}

const opened = (spec: Partial<WindowSpec>): void =>
  void fake.controls.openWindow({
    title: 'Sure?',
    app: 'x',
    bounds: { x: 350, y: 0, width: 400, height: 300 },
    ...spec,
  });
const dropped = (): boolean => fake.diary.some((line) => / to \d/.test(line));

it.each<[string, Partial<WindowSpec>, RegExp]>([
  [
    'a dialog',
    { role: 'dialog', pid: SHELF },
    /^w3 dialog "Sure\?" came to \d+,\d+ while e\d+ was dragged there; the drag was cancelled\.$/,
  ],
  ["a dialog of the dragging app's own", { role: 'dialog', pid: PARCEL }, /^w3 dialog "Sure\?" came/],
  ['a menu', { role: 'popup', menu: true, pid: PARCEL }, /^w3 popup "Sure\?" came/],
  ['what another app puts above everything', { role: 'popup', pid: 99 }, /^w3 popup "Sure\?" came/],
  [
    'what the policy hides',
    { title: 'Vault', pid: 99 },
    /^The drag was cancelled: the point \d+,\d+, .* is in a window that the policy hides; part of the drag was done\.$/,
  ],
])('%s that opens over the end while something is dragged there: it is not dropped', async (_, spec, words) => {
  const answer = await drag(() => opened(spec));
  expect(dropped()).toBe(false);
  expect(answer).toBeInstanceOf(DesktopError);
  expect((answer as DesktopError).message).toMatch(words);
  expect(answer).toMatchObject({ delivered: 'yes', retry: 'no' });
});

it('the same by pixels', async () => {
  expect(await drag(() => opened({ role: 'dialog', pid: SHELF }), { dx: 400, dy: 0 })).toMatchObject({
    code: 'target_changed',
    delivered: 'yes',
  });
  expect(dropped()).toBe(false);
});

it('the window at the end is closed', async () => {
  const answer = await drag(() => fake.controls.closeWindow('To'));
  expect(answer).toMatchObject({ code: 'target_changed' });
  expect(String(answer)).toMatch(/The window at .* went away/);
  expect(dropped()).toBe(false);
});

it.each<[string, () => void]>([
  ['the picture of what is dragged', () => opened({ role: 'popup', pid: PARCEL })],
  [
    'a window elsewhere',
    () => opened({ role: 'dialog', pid: SHELF, bounds: { x: 0, y: 400, width: 100, height: 50 } }),
  ],
])('%s does not block the drop', async (_, meanwhile) => {
  expect(await drag(meanwhile)).toMatch(/^(ok|no change)$/);
  expect(dropped()).toBe(true);
});

it('a window that is moved by the drag comes along', async () => {
  const far = { dx: 0, dy: 400 };
  const move = (): void => fake.controls.moveWindow('From', { x: 0, y: 400, width: 300, height: 300 });
  expect(await drag(move, far)).toMatch(/^(ok|no change)$/);
});

/** The end is over the other window's own area, below its only button. */
const BELOW = { dx: 400, dy: 100 };
const inTo = (role: Role, name: string): void =>
  void fake.controls.addChild('To', { role, name, box: { x: 0, y: 50, width: 300, height: 200 } });
const about = (decision: 'deny' | 'ask'): NonNullable<PolicyFile['rules']> => [
  { name: 'no-havoc', when: { name: '*Havoc*', class: ['act', 'raw'] }, decision },
];

describe('an element that comes to the end in the same window during the drag', () => {
  it.each<[string, Role]>([
    ['a menu item', 'menuitem'],
    ['a button', 'button'],
    ['a row', 'listitem'],
    ['a text', 'text'],
  ])('%s that a rule denies: nothing is released on it', async (_, role) => {
    const answer = await drag(() => inTo(role, 'Havoc'), BELOW, about('deny'));
    expect(dropped()).toBe(false);
    expect(answer).toMatchObject({ code: 'policy_denied', delivered: 'yes', retry: 'no' });
    expect(String(answer)).toMatch(/"Havoc" came to \d+,\d+ during the drag, which rule no-havoc denies/);
  });

  it('one that needs approval is not asked about with the button down', async () => {
    const answer = await drag(() => inTo('menuitem', 'Havoc'), BELOW, about('ask'));
    expect(dropped()).toBe(false);
    expect(answer).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    expect(String(answer)).toMatch(/menuitem "Havoc" came to .* needs the user's approval \(rule no-havoc\)/);
  });

  it('counts as clicked: a rule about ui_click applies', async () => {
    const rules = [{ name: 'no-click', when: { name: 'Havoc', tool: 'ui_click' }, decision: 'deny' as const }];
    expect(await drag(() => inTo('menuitem', 'Havoc'), BELOW, rules)).toMatchObject({ code: 'policy_denied' });
    expect(dropped()).toBe(false);
  });

  it('in the element that it was dragged onto', async () => {
    const inside = (): void => void fake.controls.addChild('Shelf', { role: 'menuitem', name: 'Havoc', height: 20 });
    expect(await drag(inside, { to: 'button:Shelf' }, about('deny'))).toMatchObject({ code: 'policy_denied' });
    expect(dropped()).toBe(false);
  });

  it('under the drag image', async () => {
    const both = (): void => {
      inTo('menuitem', 'Havoc');
      opened({ role: 'popup', pid: PARCEL });
    };
    expect(await drag(both, BELOW, about('deny'))).toMatchObject({ code: 'policy_denied' });
    expect(dropped()).toBe(false);
  });

  it('an app that does not answer any more: what is there may be denied', async () => {
    const answer = await drag(() => fake.controls.hang('To'), BELOW, about('deny'));
    expect(dropped()).toBe(false);
    expect(answer).toBeInstanceOf(DesktopError);
  });

  it.each<[string, Role, string]>([
    ['a row that makes room', 'listitem', 'Other'],
    ['a button', 'button', 'Fine'],
    ['a frame', 'group', ''],
  ])('%s that the rules allow does not block the drop', async (_, role, name) => {
    expect(await drag(() => inTo(role, name), BELOW, about('deny'))).toMatch(/^(ok|no change)$/);
    expect(dropped()).toBe(true);
  });
});

it('a drag presses where it begins, so a rule about ui_click applies to its start', async () => {
  const rules = [{ name: 'no-click', when: { name: 'Parcel', tool: 'ui_click' }, decision: 'deny' as const }];
  expect(await drag(() => undefined, { dx: 1, dy: 0 }, rules)).toMatchObject({
    code: 'policy_denied',
    delivered: 'no',
  });
  expect(fake.diary).toEqual([]);
  const end = [{ name: 'no-click', when: { name: 'Shelf', tool: 'ui_click' }, decision: 'deny' as const }];
  expect(await drag(() => undefined, { to: 'button:Shelf' }, end)).toMatch(/^(ok|no change)$/);
});

it.each<[string, object]>([
  ['ui_act', { action: 'invoke', target: 'button:Parcel' }],
  ['ui_act', { action: 'select', target: 'button:Parcel' }],
  ['ui_click_xy', { x: 150, y: 10 }],
])('a rule about ui_click applies to %s %o', async (tool, args) => {
  fake = fakeDesktop({ windows: [windowAt('From', 0, PARCEL, 'Parcel')] });
  const rules = [{ name: 'no-click', when: { name: 'Parcel', tool: 'ui_click' }, decision: 'deny' as const }];
  const policy = compilePolicy({ user: { version: 1, rules } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy });
  await expect(
    perform(desktop, TOOLS, { tool, args: { ...args, timeoutMs: 500 }, caller: 'me' }),
  ).rejects.toMatchObject({
    code: 'policy_denied',
  });
  expect(fake.diary).toEqual([]);
});
