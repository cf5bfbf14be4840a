import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform, type ActResult, type Tool } from '../../runtime/index.js';
import { uiClick } from './ui-click.js';
import { uiClickXy } from './ui-click-xy.js';
import { uiKey } from './ui-key.js';
import { uiType } from './ui-type.js';

const TOOLS: Tool[] = [uiKey, uiType, uiClick, uiClickXy];

const letter = letterWith(
  { role: 'textbox', name: 'To', value: 'ada', states: { editable: true } },
  { role: 'textbox', name: 'Subject', value: '', states: { editable: true } },
  { role: 'button', name: 'Send' },
  { role: 'text', name: 'not sent' },
  {
    role: 'list',
    name: 'Letters',
    children: [{ role: 'listitem', name: 'Row', children: [{ role: 'textbox', name: 'Row text', value: '' }] }],
  },
);

let fake: FakeDesktop;
let desktop: Desktop;
/** What the app does on a key. */
let onKey: (key: string) => void;
/** What it does on a click, by pattern or mouse. */
let onClick: () => void;
beforeEach(() => {
  fake = fakeDesktop({ windows: [letter] });
  desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
  onKey = () => undefined;
  onClick = () => undefined;
  afterAct(fake.driver, 'press', (chords) => {
    for (const { key } of chords) onKey(key);
  });
  afterAct(fake.driver, 'click', () => onClick());
  afterAct(fake.driver, 'act', () => onClick());
});
afterEach(() => desktop.close());

async function call(tool: string, args: Record<string, unknown>): Promise<ActResult> {
  const done = await perform(desktop, TOOLS, { tool, args: { timeoutMs: 2_000, ...args }, caller: 'me' });
  return done.json as unknown as ActResult;
}

it('a key that moves the focus is a change, which is reported', async () => {
  fake.controls.focus('To');
  onKey = () => fake.controls.focus('Send');
  const { status, changes } = await call('ui_key', { keys: 'Tab' });
  expect(status).toBe('ok');
  expect(changes).toEqual([expect.stringMatching(/^focus: e\d+ button "Send"$/)]);
});

it('what the focus went to can be named by its ref at once', async () => {
  fake.controls.focus('To');
  onKey = () => fake.controls.focus('Send');
  const { changes } = await call('ui_key', { keys: 'Tab' });
  const ref = /e\d+/.exec(changes[0]!)![0];
  expect((await call('ui_click', { target: ref })).resolvedTarget).toMatchObject({ name: 'Send' });
});

it('that the target was given the focus for its keys is no effect of them', async () => {
  fake.controls.focus('To');
  expect(await call('ui_key', { target: 'textbox:Subject', keys: 'F7', settleMs: 60 })).toMatchObject({
    status: 'no change',
    changes: [],
  });
});

it('from the target, too, keys take the focus elsewhere', async () => {
  fake.controls.focus('To');
  onKey = () => fake.controls.focus('Send');
  const { status, changes } = await call('ui_key', { target: 'textbox:Subject', keys: 'Tab' });
  expect(status).toBe('ok');
  expect(changes).toEqual([expect.stringMatching(/^focus: e\d+ button "Send"$/)]);
});

it('after Enter its own effect is waited for, not that of the text before it', async () => {
  onKey = (key) => {
    if (key === 'Enter') setTimeout(() => fake.controls.setName('not sent', 'sent'), 250);
  };
  const { changes } = await call('ui_type', { target: 'textbox:Subject', text: 'Hello', enter: true, settleMs: 5_000 });
  expect(changes.join('\n')).toMatch(/"sent"/);
});

describe.each(['pattern', 'input'])('a click by %s', (method) => {
  const click = (more = {}): Promise<ActResult> =>
    call('ui_click', { target: 'button:Send', method, settleMs: 300, ...more });

  it('that moves the focus is a change, and reports the focused element', async () => {
    fake.controls.focus('To');
    onClick = () => fake.controls.focus('Subject');
    const { status, changed, changes } = await click();
    expect({ status, changed }).toEqual({ status: 'ok', changed: 'yes' });
    expect(changes).toEqual([expect.stringMatching(/^focus: e\d+ textbox "Subject"$/)]);
  });

  it('that only gives the focus to what was clicked has changed nothing', async () => {
    fake.controls.focus('To');
    onClick = () => fake.controls.focus('Send');
    expect(await click({ settleMs: 60 })).toMatchObject({ status: 'no change', changes: [] });
  });

  it('that leaves the focus where it was has changed nothing', async () => {
    fake.controls.focus('To');
    onClick = () => fake.controls.focus('To');
    expect(await click({ settleMs: 60 })).toMatchObject({ status: 'no change', changes: [] });
  });

  it('is waited for further when so far only the focus moved', async () => {
    fake.controls.focus('To');
    onClick = () => {
      fake.controls.focus('Subject');
      setTimeout(() => fake.controls.setName('not sent', 'sent'), 250);
    };
    const { changes } = await click({ settleMs: 5_000 });
    expect(changes.join('\n')).toMatch(/"sent"/);
  });
});

it('that a click gives the focus to what is in, or around, what was clicked is no effect', async () => {
  fake.controls.focus('Send');
  onClick = () => fake.controls.focus('Row text');
  const click = { method: 'input', settleMs: 60 };
  expect(await call('ui_click', { target: 'listitem:Row', ...click })).toMatchObject({ status: 'no change' });
  fake.controls.focus('Send');
  onClick = () => fake.controls.focus('Letters');
  expect(await call('ui_click', { target: 'listitem:Row', ...click })).toMatchObject({ status: 'no change' });
});

describe('a click at a bare point', () => {
  // One below the other, each 24 high.
  const [onTo, onSend, onRow, onNothing] = [12, 60, 108, 300];
  const clickAt = (y: number, goesTo: string, more = {}): Promise<ActResult> => {
    onClick = () => fake.controls.focus(goesTo);
    return call('ui_click_xy', { x: 100, y, settleMs: 60, ...more });
  };

  it.each([
    ['elsewhere from a button', onSend, 'Subject', 'textbox "Subject"'],
    ['elsewhere from where nothing lies', onNothing, 'Send', 'button "Send"'],
    ['to the text field that lies there', onTo, 'To', 'textbox "To"'],
    ['to the text field in what lies there', onRow, 'Row text', 'textbox "Row text"'],
  ])('that takes the focus %s is a change, and reports the focused element', async (_, y, goesTo, has) => {
    fake.controls.focus(goesTo === 'Send' ? 'To' : 'Send');
    const { status, changed, changes } = await clickAt(y, goesTo);
    expect({ status, changed }).toEqual({ status: 'ok', changed: 'yes' });
    expect(changes).toEqual([expect.stringMatching(new RegExp(`^focus: e\\d+ ${has}$`))]);
  });

  it.each([
    ['gives it to the button that lies there', onSend, 'To', 'Send'],
    ['gives it to the list around what lies there', onRow, 'To', 'Letters'],
    ['leaves it where it was', onSend, 'Subject', 'Subject'],
    ['leaves it in the text field that lies there', onTo, 'To', 'To'],
  ])('that only %s has changed nothing', async (_, y, from, goesTo) => {
    fake.controls.focus(from);
    expect(await clickAt(y, goesTo)).toMatchObject({ status: 'no change', changes: [] });
  });

  it('is waited for further when so far only the focus moved from what lies there', async () => {
    fake.controls.focus('To');
    setTimeout(() => fake.controls.setName('not sent', 'sent'), 250);
    const { changes } = await clickAt(onSend, 'Subject', { settleMs: 5_000 });
    expect(changes.join('\n')).toMatch(/"sent"/);
  });

  it('is not waited for further when a text field has the caret from it', async () => {
    fake.controls.focus('Send');
    const late = setTimeout(() => fake.controls.setName('not sent', 'sent'), 4_000);
    const { changes } = await clickAt(onTo, 'To', { settleMs: 5_000 });
    clearTimeout(late);
    expect(changes).toEqual([expect.stringMatching(/^focus: e\d+ textbox "To"$/)]);
  });

  it('only moved there, takes no focus', async () => {
    fake.controls.focus('Send');
    expect(await clickAt(onTo, 'To', { action: 'move' })).toMatchObject({ status: 'unconfirmed', changes: [] });
  });
});

describe('each press is checked', () => {
  const becomesPost = (): void => fake.controls.setName('Send', 'Post');

  it.each([
    ['ui_click', { target: 'button:Send', count: 3, method: 'input' }, '1 of 3 clicks was sent'],
    ['ui_key', { target: 'button:Send', keys: 'Space Space' }, '1 of 2 keys were pressed'],
  ])('%s ends when the element means something else', async (tool, args, says) => {
    onKey = becomesPost;
    const press = fake.driver.resume!.bind(fake.driver);
    fake.driver.resume = async (...given) => {
      const step = await press(...given);
      if ('checkpoint' in step && step.checkpoint.sent === 1) becomesPost();
      return step;
    };
    const error = await call(tool, args).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes' });
    expect((error as Error).message).toContain(says);
    expect(fake.diary.filter((line) => /^(invoke|key)/.test(line))).toHaveLength(1);
  });

  it('goes on after a key that moves the focus, and ends after one that should not have', async () => {
    fake.controls.focus('To');
    onKey = (key) => fake.controls.focus(key === 'Tab' ? 'Send' : 'To');
    const error = await call('ui_key', { keys: 'Tab Space Space' }).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', details: { pressed: 2 } });
  });
});

describe('what a click hit', () => {
  const rows = letterWith({
    role: 'list',
    name: 'Rows',
    children: ['One', 'Two'].map((name) => ({ role: 'listitem', name, noPattern: true })),
  });
  beforeEach(async () => {
    await desktop.close();
    fake = fakeDesktop({ windows: [rows] });
    desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
  });

  it('is named if it is another item of the list', async () => {
    afterAct(fake.driver, 'click', () => {
      fake.controls.setState('One', 'selected', false);
      fake.controls.setState('Two', 'selected', true);
    });
    const error = await call('ui_click', { target: 'listitem:One', method: 'input' }).catch(
      (failed: unknown) => failed,
    );
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    expect((error as Error).message).toMatch(/its effect shows on e\d+ listitem "Two"/);
  });

  it('is not doubted if the target was selected as well', async () => {
    afterAct(fake.driver, 'click', () => fake.controls.setState('Two', 'selected', true));
    expect((await call('ui_click', { target: 'listitem:One', method: 'input' })).status).toBe('ok');
  });
});
