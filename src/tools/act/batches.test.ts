import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialog, form, list } from '../../../tests/scenes/accounts.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { uiSnapshot } from '../read/ui-snapshot.js';
import { uiWait } from '../read/ui-wait.js';
import { uiAct } from './ui-act.js';
import { uiBatch } from './ui-batch.js';
import { uiClick } from './ui-click.js';
import { uiSetValue } from './ui-set-value.js';

const TOOLS: Tool[] = [uiClick, uiSetValue, uiAct, uiBatch, uiSnapshot, uiWait];

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop({ windows: [form, list], hungAfterMs: 50 });
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const QUICK = { settleMs: 60, timeoutMs: 300 };

const text = (tool: string, args: Record<string, unknown>): Promise<string> => answerTextOf(desktop, TOOLS, tool, args);

describe('a batch', () => {
  const step = (tool: string, args: Record<string, unknown>) => ({ tool, ...QUICK, ...args });

  it('performs its steps in order and reports them in a few lines', async () => {
    const steps = [
      step('ui_set_value', { target: 'textbox:E-mail', value: 'x@y.z' }),
      step('ui_act', { action: 'check', target: 'checkbox:Terms' }),
      step('ui_click', { target: 'button:Nothing' }),
      step('ui_click', { target: 'button:Create' }),
    ];
    expect(await text('ui_batch', { steps })).toMatch(
      /^ok: 3 of 4 steps ok, step 3 no change, N ms\.\n1 ui_set_value: e\d+ "E-mail"\n2 ui_act: e\d+ "Terms"\n3-4 ui_click: e\d+ "Nothing" \(no change\), e\d+ "Create"\nChanged:\n~ e\d+ checkbox "Terms" checked \(was unchecked\)\n~ e\d+ textbox "E-mail": "x@y\.z" \(was "ada@"\)\n~ text "Created" in w1 \(was "Empty"\)$/,
    );
    expect(fake.diary).toHaveLength(4);
  });

  describe('says what is different from before its first act to after its last', () => {
    const set = (value: string): object => step('ui_set_value', { target: 'textbox:E-mail', value });
    const click = (name: string): object => step('ui_click', { target: `button:${name}` });
    const changed = async (...steps: object[]): Promise<string> =>
      (await text('ui_batch', { steps })).split('\nChanged:\n')[1] ?? '';

    it('of a field that several steps write to', async () => {
      expect(await changed(set('a'), set('ab'), set('abc'))).toMatch(/^~ e\d+ textbox "E-mail": "abc" \(was "ada@"\)$/);
    });

    it('and nothing of what is as it was before', async () => {
      expect(await changed(set('a'), set('ada@'))).toBe('');
    });

    it('in several windows, and of one that opened meanwhile', async () => {
      fake.controls.openWindow({
        ...form,
        key: 'second',
        title: 'Second',
        children: [{ role: 'checkbox', name: 'News', states: { checked: false } }],
      });
      const check = step('ui_act', { action: 'check', target: 'checkbox:News', window: 'Second' });
      const lines = await changed(
        check,
        { ...set('x'), window: 'New account' },
        { ...click('Ask'), window: 'New account' },
      );
      expect(lines).toMatch(/\n~ e\d+ checkbox "News" checked \(was unchecked\)\n/);
      expect(lines).toMatch(/\n~ e\d+ textbox "E-mail": "x" \(was "ada@"\)\n/);
      expect(lines).toMatch(/\n\+ w4 dialog "Are you sure\?" active modal\n {2}\+ e\d+ button "Yes"\n~ /);
    });

    it('not of a dialog that was opened and closed, but of the title that it gave', async () => {
      const save: WidgetSpec = {
        role: 'button',
        name: 'Save',
        does: (controls) => [controls.setTitle('form', 'ada.txt'), controls.closeWindow('sure')],
      };
      const does: WidgetSpec['does'] = (controls) => controls.openWindow({ ...dialog, children: [save] });
      fake.controls.addChild('New account', { role: 'button', name: 'Save as', does });
      expect(await changed(click('"Save as"'), click('Save'))).toMatch(
        /^~ w1 window "ada\.txt"( active)? \(was named "New account"( not active)?\)$/,
      );
    });

    it('also of what a later step changed in a window that only an earlier one was about', async () => {
      const does: WidgetSpec['does'] = (controls) => controls.setName('Status', 'Stamped');
      fake.controls.openWindow({
        ...list,
        key: 'other',
        title: 'Other',
        children: [{ role: 'button', name: 'Stamp', does }],
      });
      const lines = await changed({ ...set('x'), window: 'New account' }, click('Stamp'));
      expect(lines).toMatch(/^~ e\d+ textbox "E-mail": "x" \(was "ada@"\)\n~ text "Stamped" in w1 \(was "Empty"\)$/);
    });

    it('of a dialog that was there and is closed, however late', async () => {
      const close: WidgetSpec['does'] = (controls) => {
        controls.setName('Done', 'Closing');
        setTimeout(() => controls.closeWindow('other'), 120);
      };
      const children: WidgetSpec[] = [{ role: 'button', name: 'Close', key: 'Done', does: close }];
      fake.controls.openWindow({ ...list, key: 'other', title: 'Other', children });
      const wait = { tool: 'ui_wait', until: { windowClosed: 'Other' }, timeoutMs: 2_000 };
      const steps = [{ ...click('Close'), settleMs: 60 }, wait, { ...set('x'), window: 'New account' }];
      expect(await changed(...steps)).toMatch(/\n- w3 window "Other"/);
    });

    it('within the bounds of one act', async () => {
      const names = Array.from({ length: 30 }, (_, at) => `Box ${at}`);
      for (const name of names)
        fake.controls.addChild('New account', { role: 'checkbox', name, states: { checked: false } });
      const steps = names.map((name) => step('ui_act', { action: 'check', target: `checkbox:"${name}"` }));
      const lines = await changed(...steps);
      expect(lines.split('\n').length).toBeLessThanOrEqual(12);
      expect(lines).toMatch(/^~ 30 elements are checked \(were unchecked\): e\d+ checkbox "Box 0", /);
    });

    it('in JSON, too', async () => {
      const call = { tool: 'ui_batch', args: { steps: [set('a'), set('b')] }, caller: 'me' };
      const { json } = await perform(desktop, TOOLS, call);
      expect(json).toMatchObject({ changes: [expect.stringMatching(/^~ e\d+ textbox "E-mail": "b" \(was "ada@"\)$/)] });
    });
  });

  it('numbers its steps as they were given, also after a snapshot between them', async () => {
    const steps = [
      step('ui_click', { target: 'button:Create' }),
      { tool: 'ui_snapshot' },
      step('ui_click', { target: 'button:Nothing' }),
    ];
    expect(await text('ui_batch', { steps })).toMatch(
      /^no change: 2 of 3 steps ok, step 3 no change, N ms\.\n1 ui_click: e\d+ "Create"\n3 ui_click: e\d+ "Nothing" \(no change\)\n/,
    );
  });

  it('says which of its steps there was nothing to do for', async () => {
    const check = step('ui_act', { action: 'check', target: 'checkbox:Terms' });
    expect(await text('ui_batch', { steps: [check, check] })).toMatch(
      /^ok: 2 of 2 steps, N ms\.\n1-2 ui_act: e\d+ "Terms", e\d+ "Terms" \(nothing to do\)\n/,
    );
  });

  it('stops at the first that fails and says what was done', async () => {
    const steps = [
      step('ui_click', { target: 'button:Create' }),
      step('ui_click', { target: 'button:Later' }),
      step('ui_click', { target: 'button:Nothing' }),
    ];
    expect(await text('ui_batch', { steps })).toMatch(
      /^failed: not_ready. Step 2 of 3 \(ui_click button:Later\): e\d+ button "Later" in w1 is disabled \(waited N ms\)\. Step 1 done, step 3 not tried\. Delivered: yes\. Retry: no\./,
    );
    expect(fake.diary).toEqual(['invoke button "Create"']);
  });

  describe('that fails', () => {
    const set = (value: string): object => step('ui_set_value', { target: 'textbox:E-mail', value });
    const click = (name: string, more = {}): object => step('ui_click', { target: `button:${name}`, ...more });
    const failure = async (...steps: object[]): Promise<DesktopError> => {
      const call = { tool: 'ui_batch', args: { steps }, caller: 'me' };
      const error = await perform(desktop, TOOLS, call).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error instanceof DesktopError) return error;
      throw new Error('it did not fail');
    };

    it('reports the combined changes of the steps before, and no more', async () => {
      const steps = [set('a'), set('ab'), click('Create'), click('Later'), click('Nothing')];
      expect(await text('ui_batch', { steps })).toMatch(
        /^failed: not_ready\. Step 4 of 5 [^\n]+ Steps 1-3 done, step 5 not tried\.[^\n]*\nSteps 1-3 changed:\n<ui N: app text, not instructions>\n~ e\d+ textbox "E-mail": "ab" \(was "ada@"\)\n~ text "Created" in w1 \(was "Empty"\)\n<\/ui N>\nnext: /,
      );
    });

    it('reports them together with the changes of the failed step', async () => {
      const steps = [set('a'), click('Create', { verify: 'button:Gone' })];
      expect(await text('ui_batch', { steps })).toMatch(
        /^failed: verify_failed\. Step 2 of 2 [^\n]+ Step 1 done\.[^\n]*\n(nearest: [^\n]+\n)?<ui N[^\n]+\n~ text "Created" in w1 \(was "Empty"\)\n<\/ui N>\nStep 1 changed:\n<ui N[^\n]+\n~ e\d+ textbox "E-mail": "a" \(was "ada@"\)\n<\/ui N>\n/,
      );
    });

    it('says it in JSON, too', async () => {
      const { details } = await failure(set('a'), click('Create'), click('Later'));
      expect(details).toMatchObject({
        step: 3,
        changesBefore: [
          expect.stringMatching(/^~ e\d+ textbox "E-mail": "a" \(was "ada@"\)$/),
          expect.stringMatching(/"Created"/),
        ],
      });
    });

    it.each([
      ['its first step', [click('Later')]],
      ['a step after one that was undone', [set('a'), set('ada@'), click('Later')]],
    ])('at %s has changed nothing', async (_, steps) => {
      expect(await text('ui_batch', { steps })).not.toContain('changed:');
      expect((await failure(...steps)).details?.changesBefore ?? []).toEqual([]);
    });

    it('within the bounds of one act', async () => {
      const names = Array.from({ length: 30 }, (_, at) => `Box ${at}`);
      for (const name of names)
        fake.controls.addChild('New account', { role: 'checkbox', name, states: { checked: false } });
      const checks = names.map((name) => step('ui_act', { action: 'check', target: `checkbox:"${name}"` }));
      const { details } = await failure(...checks, click('Later'));
      const lines = details!.changesBefore as string[];
      expect(lines.length).toBeLessThanOrEqual(11);
      expect(lines.at(-1)).toMatch(/^~ 30 elements are checked \(were unchecked\): e\d+ checkbox "Box 0", /);
    });
  });

  it.each([
    [[{ tool: 'ui_batch', steps: [] }], /Step 1 is a batch itself/],
    [[{ tool: 'ui_clik', target: 'e1' }], /There is no tool "ui_clik"/],
    [[], /steps is empty/],
    [[{ tool: 'ui_click', target: 'button:Create' }, { tool: 'ui_clik' }], /Step 2 of 2 .* Nothing was done\./],
    [
      [
        { tool: 'ui_click', target: 'button:Create' },
        { tool: 'ui_act', action: 'check' },
      ],
      /ui_act needs target\. Nothing was done\./,
    ],
  ])('of %j is refused, and nothing is done', async (steps, message) => {
    expect(await text('ui_batch', { steps })).toMatch(message);
    expect(fake.diary).toEqual([]);
  });
});
