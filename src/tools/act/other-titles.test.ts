import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialog, form, list } from '../../../tests/scenes/accounts.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../../runtime/index.js';
import { uiClick } from './ui-click.js';

const TOOLS: Tool[] = [uiClick];

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop({ windows: [form, list], hungAfterMs: 50 });
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const QUICK = { settleMs: 60, timeoutMs: 300 };

const text = (tool: string, args: Record<string, unknown>): Promise<string> =>
  answerTextOf(desktop, TOOLS, tool, { ...QUICK, ...args });

describe("the title of another of the app's windows", () => {
  const renames = (which: string, title: string, closes = true): WindowSpec => ({
    ...dialog,
    children: [
      {
        role: 'button',
        name: 'Save',
        does: (controls) => [controls.setTitle(which, title), closes && controls.closeWindow('sure')],
      },
    ],
  });

  it.each([
    ['closes', true],
    ['stays open', false],
  ])('is reported when an act in a dialog that %s changes it', async (_, closes) => {
    fake.controls.openWindow(renames('form', 'ada.txt', closes));
    const answer = await text('ui_click', { target: 'button:Save' });
    expect(answer).toMatch(/^ok: click e\d+ button "Save" in w3, by pattern, N ms\..* Changed:\n/);
    expect(answer).toMatch(/\n~ w1 window "ada\.txt"( active)? \(was named "New account"\)(\n|$)/);
    expect(answer.includes('- w3 dialog "Are you sure?"')).toBe(closes);
  });

  it('is in the JSON, too', async () => {
    fake.controls.openWindow(renames('form', 'ada.txt'));
    const call = { tool: 'ui_click', args: { ...QUICK, target: 'button:Save' }, caller: 'me' };
    const { json } = await perform(desktop, TOOLS, call);
    expect(json).toMatchObject({
      changed: 'yes',
      changes: ['~ w1 window "ada.txt" active (was named "New account")', expect.stringMatching(/^- w3 dialog/)],
    });
  });

  it('is reported when it comes only with the post-condition, after another change', async () => {
    const save: WidgetSpec = {
      role: 'button',
      name: 'Save',
      does: (controls) => {
        controls.setName('State', 'Saving');
        setTimeout(() => [controls.setTitle('form', 'ada.txt'), controls.closeWindow('sure')], 200);
      },
    };
    fake.controls.openWindow({ ...dialog, children: [save, { role: 'label', key: 'State', name: 'Not saved' }] });
    const verify = { window: 'ada.txt' };
    const answer = await text('ui_click', { target: 'button:Save', verify, timeoutMs: 5_000 });
    expect(answer).toContain('Verify: satisfied.');
    expect(answer).toMatch(/\n~ w1 window "ada\.txt" active \(was named "New account"\)\n- w3 dialog/);
  });

  it.each([
    ['at once', 0],
    ['a little later', 30],
  ])('is reported when the dialog closes during the read, and the title comes %s', async (_, ms) => {
    const saves: WidgetSpec['does'] = (controls) => controls.setTitle('sure', 'Saving');
    fake.controls.openWindow({ ...dialog, children: [{ role: 'button', name: 'Save', does: saves }] });
    const { driver, controls } = fake;
    const read = driver.read.bind(driver);
    driver.read = async (...given) => {
      const answer = await read(...given);
      if (!fake.diary.includes('invoke button "Save"')) return answer;
      driver.read = read;
      controls.closeWindow('sure');
      setTimeout(() => controls.setTitle('form', 'ada.txt'), ms);
      return answer;
    };
    const answer = await text('ui_click', { target: 'button:Save', settleMs: 5_000 });
    expect(answer).toMatch(/\n~ w1 window "ada\.txt" active \(was named "New account"\)\n- w3 dialog/);
  });

  it('is not reported of another app', async () => {
    fake.controls.openWindow(renames('list', 'Things'));
    const answer = await text('ui_click', { target: 'button:Save' });
    expect(answer).toContain('- w3 dialog');
    expect(answer).not.toContain('Things');
  });

  it('is reported once of the target window', async () => {
    fake.controls.addChild('New account', {
      role: 'button',
      name: 'Go',
      does: (controls) => controls.setTitle('form', 'Gone'),
    });
    expect(await text('ui_click', { target: 'button:Go' })).toMatch(
      /Changed:\n~ w1 window "Gone"( active)? \(was named "New account"\)$/,
    );
  });
});
