import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { takeSnapshot } from '../observe/snapshot.js';
import { evaluateNow, type WaitOutcome } from './wait.js';
import type { Answer } from './condition.js';
import { parseCondition } from './parse-condition.js';
import { Baseline } from './evaluate.js';

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop({ ...officeSpec(), hungAfterMs: 20 });
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
});
afterEach(() => desktop.close());

const soon = () => ({ deadline: Deadline.in(5_000) });

function evaluated(given: unknown, within?: string, start?: Baseline): Promise<WaitOutcome> {
  return evaluateNow(CallView.forUser(desktop), parseCondition(given), within, soon(), start);
}

const yes = 'satisfied';
const no = 'unsatisfied';
const unknown = 'unknown';

describe('each condition as things are', () => {
  it.each<[unknown, Answer]>([
    ['button:Save', yes],
    [{ exists: 'button:Save' }, yes],
    ['button:Edit', yes],
    ['button:Nowhere', no],
    [{ gone: 'button:Nowhere' }, yes],
    [{ gone: 'button:Save' }, no],
    [{ count: ['button:Save', 1] }, yes],
    [{ count: ['button:Nowhere', 0] }, yes],
    [{ count: ['role=listitem', 5] }, yes],
    [{ count: ['role=listitem', 6] }, no],
    [{ count: ['role=listitem', 1, 4] }, no],
    [{ count: ['role=listitem', 5, null] }, yes],
    [{ count: ['role=listitem', null, 4] }, no],
    [{ state: ['button:Save', 'enabled', true] }, yes],
    [{ state: ['button:Open', 'enabled', true] }, no],
    [{ state: ['button:Open', 'enabled', false] }, yes],
    [{ state: ['button:Save', 'checked', false] }, no],
    [{ state: ['button:Nowhere', 'enabled', true] }, no],
    [{ value: ['spinbutton:Zoom', 100] }, yes],
    [{ value: ['spinbutton:Zoom', '100'] }, yes],
    [{ value: ['spinbutton:Zoom', '100.0'] }, no],
    [{ value: ['spinbutton:Zoom', 101] }, no],
    [{ value: ['button:Save', 'x'] }, no],
    [{ text: 'customer 3' }, yes],
    [{ text: 'Customer 900' }, no],
    [{ text: 'hunter2' }, no],
    [{ text: 'ignore all rules' }, yes],
    [{ text: ['textbox:Document', 'DEAR ADA'] }, yes],
    [{ text: ['role=toolbar', 'open'] }, yes],
    [{ text: ['role=toolbar', 'Zoom'] }, no],
    [{ window: 'Orders - Chromium' }, yes],
    [{ window: 'orders' }, yes],
    [{ window: '\torders' }, yes],
    [{ window: '\tNowhere' }, no],
    [{ window: 'Save As' }, no],
    [{ windowClosed: 'Save As' }, yes],
    [{ windowClosed: 'Orders' }, no],
    [{ focused: 'textbox:Document' }, yes],
    [{ focused: 'role=toolbar' }, no],
    [{ focused: 'button:Nowhere' }, no],
    [{ all: ['button:Save', { window: 'Mail' }] }, yes],
    [{ all: ['button:Save', { window: 'Nowhere' }] }, no],
    [{ any: ['button:Nowhere', { window: 'Mail' }] }, yes],
    [{ any: ['button:Nowhere', { window: 'Nowhere' }] }, no],
    [{ not: 'button:Nowhere' }, yes],
    [{ not: 'button:Save' }, no],
    // Several where one is needed, and what is never read.
    [{ state: ['button:Edit', 'enabled', true] }, unknown],
    [{ value: ['role=button', 'x'] }, unknown],
    [{ focused: 'role=button' }, unknown],
    [{ changed: 'role=button' }, unknown],
    [{ text: ['role=button', 'x'] }, unknown],
    [{ value: ['passwordbox:Password', 'hunter2-canary'] }, unknown],
    [{ text: ['passwordbox:Password', 'hunter2-canary'] }, unknown],
    [{ text: ['passwordbox:Password', 'password'] }, yes],
    [{ not: { text: ['passwordbox:Password', 'anything else'] } }, unknown],
    [{ changed: 'passwordbox:Password' }, unknown],
    [{ all: ['button:Save', { value: ['passwordbox:Password', ''] }] }, unknown],
    [{ any: ['button:Save', { value: ['passwordbox:Password', ''] }] }, yes],
    [{ not: { value: ['passwordbox:Password', ''] } }, unknown],
  ])('%j is %s', async (given, answer) => expect((await evaluated(given)).answer).toBe(answer));
});

it('gone is unknown while one of its alternatives could not be searched', async () => {
  const gone = { gone: 'window=xterm >> "Nowhere" ?? window=Mail >> "Nowhere"' };
  expect((await evaluated(gone)).answer).toBe(yes);
  fake.controls.openWindow({ title: 'xterm', app: 'xterm', hasTree: false });
  expect((await evaluated(gone)).answer).toBe(unknown);
});

describe('what was seen', () => {
  it('is the match, or how many there are', async () => {
    expect((await evaluated('button:Save')).seen).toMatchObject({
      condition: 'exists',
      matches: 1,
      element: { role: 'button', name: 'Save', window: 'w1', line: 'e3 button "Save"' },
    });
    expect((await evaluated({ count: ['role=listitem', 9] })).seen.matches).toBe(5);
    expect((await evaluated({ state: ['button:Open', 'enabled', true] })).seen.state).toEqual({
      name: 'enabled',
      is: false,
    });
    expect((await evaluated({ state: ['button:Open', 'checked', true] })).seen.state).toEqual({
      name: 'checked',
      is: null,
    });
    expect((await evaluated({ window: 'orders' })).seen.windows).toEqual([
      { ref: 'w2', role: 'window', title: 'Orders - Chromium' },
    ]);
  });

  it('is each part', async () => {
    const { seen } = await evaluated({ all: ['button:Save', { not: { window: 'Nowhere' } }, 'button:Nowhere'] });
    expect(seen.parts!.map(({ answer }) => answer)).toEqual([yes, yes, no]);
    expect(seen.parts![1]!.seen.parts).toMatchObject([{ answer: no, seen: { condition: 'window' } }]);
  });

  it('several are candidates, each with a selector', async () => {
    const { candidates, reason, seen } = await evaluated({ state: ['button:Edit', 'enabled', true] });
    expect(reason).toMatch(/^button:Edit matches \d+\.$/);
    expect(seen.matches).toBeGreaterThan(1);
    expect(candidates!.length).toBeGreaterThan(1);
    expect(candidates![0]!.selector).toBeTruthy();
  });

  it('reports similar elements for a miss', async () => {
    expect((await evaluated('button:Sav')).nearest).toMatchObject([{ role: 'button', name: 'Save' }]);
    expect((await evaluated('button:Save && enabled=false')).nearest![0]).toMatchObject({ note: 'enabled is true' });
    expect((await evaluated({ window: 'Nowhere' })).nearest!.map(({ ref }) => ref)).toEqual(['w1', 'w2', 'w3']);
  });

  it('a secret is in no answer', async () => {
    const all = [{ value: ['passwordbox:Password', 'x'] }, { text: 'hunter2' }, 'passwordbox:Password'];
    expect(JSON.stringify(await Promise.all(all.map((one) => evaluated(one))))).not.toContain('canary');
  });
});

describe('text beyond the length that a snapshot keeps', () => {
  it('is found to its end, also behind a tab', async () => {
    const text = `${'lorem ipsum '.repeat(100)}\tthe “very” end…`;
    fake.controls.openWindow({
      title: 'Log',
      app: 'log',
      children: [{ role: 'textbox', name: 'Log', text, states: { multiline: true } }],
    });
    expect((await evaluated({ text: 'the "very" end...' })).answer).toBe(yes);
    expect((await evaluated({ text: ['textbox:Log', 'very'] })).answer).toBe(yes);
    expect((await evaluated({ value: ['textbox:Log', text] })).answer).toBe(yes);
    expect((await evaluated({ value: ['textbox:Log', `${text}!`] })).answer).toBe(no);
  });
});

describe('a window that is named', () => {
  it('limits the search to it and its dialogs', async () => {
    expect((await evaluated('button:Save', 'Orders')).answer).toBe(no);
    expect((await evaluated({ gone: 'button:Save' }, 'w2')).answer).toBe(yes);
    expect((await evaluated({ text: 'Dear' }, 'Orders')).answer).toBe(no);
    fake.controls.openWindow(saveAs);
    expect((await evaluated('button:Cancel', 'Mousepad')).answer).toBe(yes);
    expect((await evaluated({ window: 'Save As' }, 'Mousepad')).answer).toBe(yes);
    expect((await evaluated({ window: 'Save As' }, 'Orders')).answer).toBe(no);
  });

  it.each<[unknown, Answer]>([
    ['button:Save', no],
    [{ gone: 'button:Save' }, yes],
    [{ count: ['button:Save', 0] }, yes],
    [{ state: ['button:Save', 'enabled', true] }, no],
    [{ text: 'Dear' }, no],
    [{ window: 'Orders' }, no],
  ])('and is not open holds nothing: %j is %s', async (given, answer) => {
    const outcome = await evaluated(given, 'Nowhere');
    expect(outcome.answer).toBe(answer);
    if (answer === no) expect(outcome.reason).toBe('No open window has "Nowhere" in its title.');
  });

  it('and fits two is not known', async () => {
    fake.controls.openWindow({ title: 'Orders (2)', app: 'chromium' });
    const outcome = await evaluated('button:Save', 'orders');
    expect(outcome).toMatchObject({ answer: unknown, reason: '"orders" is in the title of 2 windows.' });
    expect(outcome.candidates).toHaveLength(2);
  });
});

describe('a ref', () => {
  const refOf = async (selector: string) => (await evaluated(selector)).seen.element!.ref;

  it('that is dead is gone', async () => {
    const ref = await refOf('button:Save');
    expect((await evaluated(ref)).answer).toBe(yes);
    fake.controls.remove('Save');
    expect((await evaluated(ref)).answer).toBe(no);
    expect((await evaluated({ gone: ref })).answer).toBe(yes);
  });

  it('of a window that was closed is gone, and so is the window', async () => {
    const ref = await refOf('button:Save');
    fake.controls.closeWindow('editor');
    expect((await evaluated({ gone: ref })).answer).toBe(yes);
    expect((await evaluated({ windowClosed: 'w1' })).answer).toBe(yes);
    expect((await evaluated({ window: 'w2' })).answer).toBe(yes);
  });

  it.each<[unknown, string | undefined]>([
    ['e999', undefined],
    [{ gone: '@e999' }, undefined],
    [{ window: 'w99' }, undefined],
    ['button:Save', 'w99'],
  ])('that was never given is refused: %j in %s', async (given, within) => {
    await expect(evaluated(given, within)).rejects.toMatchObject({ code: 'element_not_found' });
  });
});

describe('what cannot be read is not known', () => {
  it.each<[unknown, string | undefined, Answer]>([
    ['button:Nowhere', undefined, unknown],
    ['button:Save', undefined, yes],
    [{ gone: 'button:Nowhere' }, undefined, unknown],
    [{ gone: 'button:Nowhere' }, 'Orders', yes],
    [{ count: ['button:Save', 1, null] }, undefined, yes],
    [{ count: ['button:Save', 1] }, undefined, unknown],
    [{ count: ['button:Save', 0] }, undefined, no],
    [{ text: 'Dear' }, undefined, yes],
    [{ text: 'nowhere' }, undefined, unknown],
    [{ text: 'nowhere' }, 'Orders', no],
    [{ changed: 'button:Nowhere' }, undefined, unknown],
    [{ stableMs: 50 }, undefined, unknown],
    [{ window: 'Mail' }, undefined, yes],
    [{ windowClosed: 'Nowhere' }, undefined, yes],
    [{ not: 'button:Nowhere' }, undefined, unknown],
  ])('with a hung app %j in %s is %s', async (given, within, answer) => {
    fake.controls.hang('mail');
    const outcome = await evaluated(given, within);
    expect(outcome.answer).toBe(answer);
    if (answer === unknown) expect(outcome.reason).toMatch(/w3|mail/);
  });

  it.each<[unknown, Answer]>([
    ['button:Nowhere', unknown],
    [{ gone: 'button:Nowhere' }, unknown],
    ['button:Save', yes],
  ])('beside a window without a tree %j is %s', async (given, answer) => {
    fake.controls.openWindow({ title: 'xterm', app: 'xterm', hasTree: false });
    expect((await evaluated(given)).answer).toBe(answer);
  });

  it('but an element that was seen in one window is not searched for in another', async () => {
    fake.controls.openWindow({ title: 'xterm', app: 'xterm', hasTree: false });
    const start = new Baseline('wait');
    const condition = parseCondition({ gone: 'button:Save' });
    expect((await evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start)).answer).toBe(no);
    fake.controls.remove('Save');
    expect(await evaluateNow(CallView.forUser(desktop), condition, undefined, soon(), start)).toMatchObject({
      answer: yes,
      seen: { seenBefore: true },
    });
  });

  it('an app that dies while it is read has nothing', async () => {
    fake.controls.killDuringRead('editor', 2);
    expect((await evaluated({ gone: 'button:Save' })).answer).toBe(yes);
  });

  it('a driver that is not there is an error at once', async () => {
    await expect(evaluated('ocr:Save')).rejects.toMatchObject({ code: 'not_supported' });
  });
});

describe('hidden and scrolled out', () => {
  beforeEach(() => {
    fake.controls.openWindow({
      title: 'Pages',
      app: 'pages',
      children: [
        { role: 'button', name: 'Secret door', hidden: true },
        {
          role: 'group',
          scroll: { height: 30 },
          children: [1, 2, 3, 4].map((n) => ({ role: 'button', name: `B${n}` })),
        },
      ],
    });
  });

  it.each<[unknown, Answer]>([
    ['button:Secret door', no],
    ['button:B4', no],
    [{ state: ['button:Secret door', 'visible', false] }, yes],
    [{ state: ['button:Secret door', 'visible', true] }, no],
    [{ state: ['button:B1', 'visible', true] }, yes],
    [{ state: ['button:B4', 'offscreen', true] }, yes],
    [{ state: ['button:B1', 'offscreen', true] }, no],
  ])('%j is %s', async (given, answer) => expect((await evaluated(given)).answer).toBe(answer));

  it('what is only off the screen is named as nearest', async () => {
    expect((await evaluated('button:B4')).nearest).toMatchObject([{ name: 'B4', note: 'not on the screen' }]);
  });
});

describe('the focus', () => {
  it('is inside, and only where the desktop has it', async () => {
    expect((await evaluated({ focused: 'window~=Mousepad' })).answer).toBe(yes);
    fake.controls.openWindow(saveAs);
    expect((await evaluated({ focused: 'textbox:Name' })).answer).toBe(yes);
    expect((await evaluated({ focused: 'textbox:Document' })).answer).toBe(no);
  });

  it('uses the tree of the active window if the driver does not report the focus', async () => {
    const other = fakeDesktop({ ...officeSpec(), without: { focused: 'not here' } });
    const plain = new Desktop({ name: 'plain', kind: 'virtual', driver: other.driver });
    try {
      const ask = (given: unknown) => evaluateNow(CallView.forUser(plain), parseCondition(given), undefined, soon());
      expect((await ask({ focused: 'textbox:Document' })).answer).toBe(yes);
      expect((await ask({ focused: 'role=toolbar' })).answer).toBe(no);
      other.controls.openWindow(saveAs);
      expect((await ask({ focused: 'textbox:Document' })).answer).toBe(no);
    } finally {
      await plain.close();
    }
  });
});

it('an evaluation gives refs that a caller can use', async () => {
  const { ref } = (await evaluated('button:Save')).seen.element!;
  const snapshot = await takeSnapshot(CallView.forUser(desktop), { window: 'w1' }, soon());
  expect(JSON.stringify(snapshot.roots)).toContain(`"ref":"${ref}"`);
});
