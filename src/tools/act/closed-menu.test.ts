import { afterEach, beforeEach, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { uiClick } from './ui-click.js';

const item = (name: string, offscreen: boolean) => ({
  ...{ role: 'menuitem' as const, name },
  states: { enabled: false, offscreen },
});
const letter = letterWith({
  role: 'menubar',
  children: [{ role: 'menuitem', name: 'Tools', children: [item('Sort', true), item('Spell', false)] }],
});

let desktop: Desktop;
beforeEach(() => {
  desktop = new Desktop({ name: 'mail', driver: fakeDesktop({ windows: [letter] }).driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

it.each([
  ['in a closed menu', 'menuitem:Sort', /^Open its menu \(ui_act expand e\d+\) first\.$/, 'after'],
  ['in an open one', 'menuitem:Spell', /^Run ui_snapshot to see why\.$/, 'safe'],
])('what to do about a disabled item %s', async (_where, target, hint, retry) => {
  const call = { tool: 'ui_click', args: { target, timeoutMs: 50 }, caller: 'me' };
  const error: unknown = await perform(desktop, [uiClick], call).catch((failed: unknown) => failed);
  expect(error).toMatchObject({ code: 'not_ready', retry, hint: expect.stringMatching(hint) as string });
  expect((error as Error).message).toMatch(/^e\d+ menuitem "\w+" in w1 is disabled/);
});
