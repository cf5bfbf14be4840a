import { afterEach, expect, it } from 'vitest';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { Deadline } from '../../shared/index.js';
import { uiWindow } from './ui-window.js';

let desktop: Desktop;
afterEach(() => desktop.close());

it.each([
  ['move', { x: 30, y: 40 }, true],
  ['resize', { width: 310, height: 220 }, true],
  ['move', { x: 30, y: 40 }, false],
])('%s %j of a window that is minimised (%s) says that it was restored', async (action, where, minimised) => {
  const bounds = { x: 0, y: 0, width: 300, height: 200 };
  const { driver, controls } = fakeDesktop({
    windows: [
      { key: 'other', title: 'Other', app: 'other', bounds },
      { key: 'form', title: 'Form', app: 'form', bounds },
    ],
  });
  desktop = new Desktop({ name: 'form', driver, kind: 'virtual' });
  if (minimised) controls.minimise('form');
  // As window managers do with what they show again.
  const change = driver.changeWindow!.bind(driver);
  driver.changeWindow = async (id, requested, options) => {
    await change(id, requested, options);
    return change(id, minimised ? { action: 'focus' } : requested, options);
  };
  const args = { action, window: 'Form', ...where, settleMs: 60, timeoutMs: 300 };
  const { text, json } = await perform(desktop, [uiWindow], { tool: 'ui_window', args, caller: 'me' });
  expect(text).toMatch(/^ok: (move|resize) w2 "Form"/);
  expect(text.includes('it was minimised and is restored, w2 is active now')).toBe(minimised);
  if (minimised) expect(json).toMatchObject({ changed: 'yes' });
  expect(json).not.toHaveProperty('reason');
});

it.each([
  ['move', { x: 30, y: 40 }, 'yes'],
  ['move', { x: 0, y: 0 }, 'no'],
  ['resize', { width: 310, height: 220 }, 'yes'],
  ['maximize', {}, 'yes'],
  ['restore', {}, 'no'],
  ['focus', {}, 'no'],
])('%s %j of a window in front says whether that changed it: %s', async (action, where, changed) => {
  const bounds = { x: 0, y: 0, width: 300, height: 200 };
  const { driver } = fakeDesktop({ windows: [{ key: 'form', title: 'Form', app: 'form', bounds }] });
  desktop = new Desktop({ name: 'form', driver, kind: 'virtual' });
  const args = { action, window: 'Form', ...where, settleMs: 60 };
  const { text, json } = await perform(desktop, [uiWindow], { tool: 'ui_window', args, caller: 'me' });
  expect(json).toMatchObject({ status: 'ok', changed, changes: [] });
  expect(text).toMatch(/^ok: \w+ w1 "Form", confirmed by [^\n]+ ms\.$/);
});

it.each([
  ['front', 'Under', 'yes'],
  ['front', 'Over', 'no'],
  ['back', 'Over', 'yes'],
  ['back', 'Under', 'no'],
  ['focus', 'Under', 'yes'],
  ['focus', 'Over', 'no'],
])(
  '%s of the window %s says whether others are in front of it now that were not: %s',
  async (action, title, changed) => {
    const { driver, controls } = fakeDesktop({
      windows: ['Over', 'Under'].map((key) => ({ key, title: key, app: key })),
    });
    controls.openWindow({ key: 'dialog', title: 'Its own', app: 'own', of: title, role: 'dialog' });
    controls.openWindow({ key: 'menu', title: 'Put away', app: 'other' });
    controls.minimise('menu');
    controls.activate('Over');
    desktop = new Desktop({ name: 'form', driver, kind: 'virtual' });
    const args = { action, window: title, settleMs: 60 };
    const { json } = await perform(desktop, [uiWindow], { tool: 'ui_window', args, caller: 'me' });
    expect(json).toMatchObject({ status: 'ok', changed, changes: [] });
  },
);

it('a window whose app asks something first is not closed, which is reported with the question', async () => {
  const { driver, controls } = fakeDesktop({ windows: [{ key: 'form', title: 'Form', app: 'form' }] });
  desktop = new Desktop({ name: 'form', driver, kind: 'virtual' });
  driver.changeWindow = async () => {
    controls.openWindow({ title: 'Save it?', app: 'form', role: 'dialog', of: 'form', modal: true });
    const { windows } = await driver.windows({ deadline: Deadline.in(1_000) });
    return { window: windows.find(({ title }) => title === 'Form') };
  };
  const args = { action: 'close', window: 'Form', settleMs: 60 };
  const answer = await answerTextOf(desktop, [uiWindow], 'ui_window', args);
  expect(answer).toMatch(
    /^failed: verify_failed\. close w1 was asked for, but it is still open\. Delivered: yes\. Retry: no\./,
  );
  expect(answer).toContain('dialog "Save it?"');
});
