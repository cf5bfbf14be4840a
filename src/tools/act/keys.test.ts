import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import type { Caret } from '../../drivers/contract/index.js';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { uiKey } from './ui-key.js';
import { uiSetValue } from './ui-set-value.js';

const TOOLS: Tool[] = [uiKey, uiSetValue];

const letter = letterWith(
  { role: 'textbox', name: 'To', value: 'ada', states: { editable: true } },
  { role: 'textbox', name: 'Plain', value: 'old', states: { editable: true } },
  { role: 'textbox', name: 'Notes', value: 'old', states: { editable: true, multiline: true } },
  { role: 'button', name: 'Send', lies: 'says yes, does nothing' },
  {
    ...{ role: 'tab', name: 'View' },
    children: [
      { role: 'button', name: 'Apply', states: { offscreen: true }, lies: 'says yes, does nothing' },
      { role: 'textbox', name: 'Margin', states: { editable: true, offscreen: true }, lies: 'says yes, does nothing' },
    ],
  },
  // Says that it has the focus, and has not.
  { role: 'textbox', name: 'Search', value: 'find', lies: 'says yes, does nothing', states: { editable: true } },
);
const other: WindowSpec = {
  key: 'other',
  title: 'Other',
  app: 'chat',
  bounds: { x: 420, y: 0, width: 300, height: 300 },
  children: [{ role: 'textbox', name: 'Say', states: { editable: true } }],
};

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({ windows: [letter, other], hungAfterMs: 50 });
  desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

async function call(tool: string, args: Record<string, unknown>): Promise<DesktopError | undefined> {
  const all = { settleMs: 60, timeoutMs: 300, ...args };
  try {
    await perform(desktop, TOOLS, { tool, args: all, caller: 'me' });
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
}

const keys = (): string[] => fake.diary.filter((line) => line.startsWith('key '));

it.each([
  ['ui_set_value', { value: '', method: 'input' }],
  ['ui_set_value', { value: 'new', method: 'input' }],
  ['ui_key', { keys: 'ctrl+a Delete' }],
])('%s %j presses nothing while something else is known to have the focus', async (tool, args) => {
  fake.controls.focus('To');
  const error = await call(tool, { target: 'textbox:Search', ...args });
  expect(error).toMatchObject({
    code: 'not_ready',
    delivered: 'yes',
    retry: 'no',
    message: expect.stringMatching(
      /^e\d+ textbox "Search" in w1 does not take the focus, although it was clicked: textbox "To" has it; part of the \w+ was done\.$/,
    ) as string,
  });
  expect(keys()).toEqual([]);
});

it('presses keys if no element reports the focus, or if a parent does', async () => {
  expect(await call('ui_key', { target: 'textbox:Search', keys: 'Delete' })).toBeUndefined();
  fake.controls.focus('To');
  expect(await call('ui_key', { target: 'w1', keys: 'a' })).toBeUndefined();
  expect(keys()).toEqual(['key Delete', 'key a']);
});

it('keys are not sent to an app that does not answer', async () => {
  fake.controls.hang('letter');
  for (const args of [{}, { window: 'w1' }]) {
    expect(await call('ui_key', { keys: 'a', ...args, timeoutMs: 2_000 })).toMatchObject({
      code: 'app_hung',
      delivered: 'no',
    });
  }
  expect(keys()).toEqual([]);
});

it.each([
  ['Plain', 'Ann\nLee', true],
  ['Plain', 'Ann\r', true],
  ['Plain', 'Ann\t4444', true],
  ['Plain', 'Ann Lee', false],
  ['Notes', 'Ann\tLee', true],
  ['Notes', 'Ann\nLee', false],
])('into %s by keys, %j is refused: %s', async (name, value, refused) => {
  const error = await call('ui_set_value', { target: `textbox:${name}`, value, method: 'input' });
  expect(error?.code).toBe(refused ? 'bad_arguments' : 'verify_failed');
  if (refused) expect({ delivered: error!.delivered, diary: fake.diary }).toEqual({ delivered: 'no', diary: [] });
});

it('stops pressing keys when another window becomes active, and reports how many were pressed', async () => {
  afterAct(fake.driver, 'press', () => {
    if (keys().length === 5) fake.controls.activate('other');
  });
  const error = await call('ui_key', { keys: 'x '.repeat(200).trim() });
  expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', details: { pressed: 5 } });
  expect(error!.message).toMatch(/^Keys go to w2 window "Other" now, not to w1; 5 of 200 keys were pressed/);
  expect(keys()).toHaveLength(5);
});

it.each([
  ['ui_key', 'button:Apply', { keys: 'Return' }, 'not_ready'],
  ['ui_set_value', 'textbox:Margin', { value: '5', method: 'input' }, 'not_ready'],
  ['ui_key', 'button:Send', { keys: 'Return' }, 'pattern_unsupported'],
])('%s %s: what does not get the focus gets no keys, and nothing was delivered', async (tool, target, args, code) => {
  const error = await call(tool, { target, ...args });
  expect(error).toMatchObject({ code, delivered: 'no' });
  expect(error?.message).not.toContain('was done');
  if (code === 'not_ready') expect(error?.hint).toMatch(/^Show its tab first: ui_act select e\d+\.$/);
  expect(keys()).toEqual([]);
});

describe('keys that move the caret of a text and do nothing else', () => {
  const answer = async (caret: Caret, target: string): Promise<unknown> => {
    let now: Caret = { start: 3, end: 3 };
    fake.driver.caret = async () => now;
    afterAct(fake.driver, 'press', () => (now = caret));
    fake.controls.focus('To');
    const args = { keys: 'Home', ...(target !== '' && { target }), settleMs: 200 };
    return (await perform(desktop, TOOLS, { tool: 'ui_key', args, caller: 'me' })).json;
  };

  it.each([
    [{ start: 0, end: 0 }, '', 'caret'],
    [{ start: 0, end: 0 }, 'textbox:To', 'caret'],
    [{ start: 0, end: 3 }, '', 'selection'],
  ])('to %j in %j: an effect, reported as the %s', async (caret, target, word) => {
    const line = expect.stringMatching(new RegExp(`^${word}: e\\d+ textbox "To"$`)) as string;
    expect(await answer(caret, target)).toMatchObject({ status: 'ok', changed: 'yes', changes: [line] });
  });

  it('none where it stays', async () => {
    expect(await answer({ start: 3, end: 3 }, '')).toMatchObject({ status: 'no change', changes: [] });
  });
});
