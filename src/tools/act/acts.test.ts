import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialog, form, list } from '../../../tests/scenes/accounts.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, type Tool } from '../../runtime/index.js';
import { Deadline } from '../../shared/index.js';
import { contains } from '../../tree/index.js';
import { uiSnapshot } from '../read/ui-snapshot.js';
import { uiAct } from './ui-act.js';
import { uiClick } from './ui-click.js';
import { uiClickXy } from './ui-click-xy.js';
import { uiSetValue } from './ui-set-value.js';

const TOOLS: Tool[] = [uiClick, uiClickXy, uiSetValue, uiAct, uiSnapshot];

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop({ windows: [form, list], hungAfterMs: 50 });
  desktop = new Desktop({ name: 'crm', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const QUICK = { settleMs: 60, timeoutMs: 300 };

const text = (tool: string, args: Record<string, unknown>): Promise<string> =>
  answerTextOf(desktop, TOOLS, tool, tool === 'ui_snapshot' ? args : { ...QUICK, ...args });

describe('a click', () => {
  it('is done by pattern, and says what it changed', async () => {
    expect(await text('ui_click', { target: 'button:Create' })).toMatch(
      /^ok: click e\d+ button "Create" in w1, by pattern, N ms\. Changed:\n/,
    );
    expect(fake.diary).toEqual(['invoke button "Create"']);
  });

  it('after which the app re-created a part of the window unchanged is unconfirmed', async () => {
    const rates: WidgetSpec = { role: 'button', name: 'Rates', key: 'rates' };
    const does: WidgetSpec['does'] = (controls) => {
      controls.remove('rates');
      controls.addChild('New account', rates);
    };
    fake.controls.addChild('New account', { role: 'button', name: 'Reload', does });
    fake.controls.addChild('New account', rates);
    const answer = await text('ui_click', { target: 'button:Reload' });
    expect(answer).toMatch(
      /^unconfirmed: click e\d+ button "Reload" in w1, by pattern, N ms; the app re-created part of/,
    );
  });

  it.each(['renamed', 'gone'])('on what is %s as soon as it is pressed presses once, and says so', async (how) => {
    const whenPressed: WidgetSpec['whenPressed'] = (controls) =>
      how === 'renamed'
        ? controls.setName('Buy', 'Sell')
        : [controls.remove('Buy'), controls.addChild('box', { role: 'button', name: 'Buy', key: 'Buy', whenPressed })];
    const button: WidgetSpec = { role: 'button', name: 'Buy', key: 'Buy', whenPressed };
    const children: WidgetSpec[] = [{ role: 'group', key: 'box', children: [button] }];
    fake.controls.openWindow({ title: 'Shop', key: 'Shop', app: 'shop', children });
    const answer = await text('ui_click', { target: 'button:Buy', method: 'input' });
    expect(fake.diary).toEqual(['press down button "Buy"']);
    expect(answer).toMatch(/^failed: not_ready\. e\d+ button "Buy" in w\d+ changed while .* released elsewhere/);
    expect(answer).toMatch(/Delivered: unknown\. Retry: no\.\nnext: run ui_snapshot w\d+ to see what the press did/);
  });

  it.each<[string, number, RegExp, boolean]>([
    ['has a way out below', 40, /released elsewhere\. Delivered: unknown\. Retry: no\./, false],
    [
      'has none',
      800,
      /on the element that is there now, which covers every point nearby\. Delivered: yes\. Retry: no\./,
      true,
    ],
  ])('on what is renamed as it is pressed and %s says where the button was released', async (_, height, says, onIt) => {
    const bounds = { x: 0, y: 0, width: 1280, height };
    const whenPressed: WidgetSpec['whenPressed'] = (controls) => controls.setName('Buy', 'Sell');
    const children: WidgetSpec[] = [{ role: 'button', name: 'Buy', key: 'Buy', whenPressed, box: bounds }];
    const window = { ...bounds, height: 800 };
    fake.controls.openWindow({ title: 'Shop', key: 'Shop', app: 'shop', bounds: window, children });
    const answer = await text('ui_click', { target: 'button:Buy', method: 'input' });
    expect(answer).toMatch(says);
    expect(contains(bounds, await fake.driver.input!.pointer({ deadline: Deadline.in(1_000) }))).toBe(onIt);
  });

  it('on a field that has the focus is a click of the mouse: to give it the focus would be nothing', async () => {
    expect(await text('ui_click', { target: 'textbox:E-mail' })).toMatch(/^ok: .*, by pattern,/);
    expect(await text('ui_click', { target: 'textbox:E-mail' })).toMatch(/^no change: .*, by input, .* delivered/);
    expect(fake.diary).toEqual(['focus textbox "E-mail"']);
  });

  it('that changes nothing says so, and is not repeated with the mouse', async () => {
    for (const name of ['Nothing', 'Liar']) {
      const answer = await text('ui_click', { target: `button:${name}` });
      expect(answer).toMatch(
        /^no change: click e\d+ button "\w+" in w1, by pattern, N ms, delivered, but nothing changed/,
      );
      expect(answer).toMatch(/\nnext: do not repeat it; ui_wait for what you expect, or ui_snapshot w1\.$/);
    }
    expect(fake.diary).toEqual(['invoke button "Nothing"']);
  });

  it('whose result the app denies is reported by its effect', async () => {
    expect(await text('ui_click', { target: 'button:Denier' })).toMatch(/^ok: click/);
  });

  it('waits until its target can be used', async () => {
    const click = text('ui_click', { target: 'button:Later', timeoutMs: 5_000 });
    setTimeout(() => fake.controls.setState('Later', 'enabled', true), 50);
    expect(await click).toMatch(/^ok: click e\d+ button "Later"/);
  });

  it('waits until its target is there', async () => {
    const click = text('ui_click', { target: 'button:Fresh', timeoutMs: 5_000 });
    setTimeout(() => fake.controls.addChild('New account', { role: 'button', name: 'Fresh' }), 50);
    expect(await click).toMatch(/^no change: click e\d+ button "Fresh"/);
    expect(fake.diary).toEqual(['invoke button "Fresh"']);
  });

  it('on what stays disabled is refused, and nothing is done', async () => {
    expect(await text('ui_click', { target: 'button:Later' })).toMatch(
      /^failed: not_ready. e\d+ button "Later" in w1 is disabled \(waited N ms\)\. Delivered: no. Retry: safe./,
    );
    expect(fake.diary).toEqual([]);
  });

  it('uses the mouse where there is no pattern, at a point that meets the target', async () => {
    expect(await text('ui_click', { target: 'button:"Mouse only"' })).toMatch(/^ok: click e\d+ .* by input, N ms/);
    expect(await text('ui_click', { target: 'button:"Mouse only"', method: 'pattern' })).toMatch(
      /^failed: pattern_unsupported/,
    );
  });

  it('with the mouse on what is covered is refused, naming the cover', async () => {
    fake.controls.openWindow({ ...list, key: 'over', title: 'Over', bounds: { x: 0, y: 0, width: 400, height: 500 } });
    expect(await text('ui_click', { target: 'button:"Mouse only"' })).toMatch(
      /^failed: not_ready. e\d+ button "Mouse only" in w1 is covered by w3 window "Over" at its click point. Delivered: no. Retry: after closing or moving w3./,
    );
    expect(fake.diary).toEqual([]);
  });

  it('behind a modal dialog is refused', async () => {
    expect(await text('ui_click', { target: 'button:Ask' })).toMatch(
      /Changed:\n<ui N: app text.*\n\+ w3 dialog "Are you sure\?"/,
    );
    expect(await text('ui_click', { target: 'button:Create' })).toMatch(
      /^failed: not_ready. e\d+ button "Create" in w1 is behind w3 dialog "Are you sure\?"/,
    );
    expect(fake.diary).toEqual(['invoke button "Ask"']);
  });

  it.each([
    [
      'belongs to no window takes its whole app away',
      {},
      /^failed: not_ready\. .* is behind w4 dialog "Are you sure\?"/,
    ],
    ['belongs to another window leaves this one usable', { of: 'second' }, /^ok: click/],
    ["is another app's leaves this one usable", { app: 'shop' }, /^ok: click/],
    ['is not modal leaves it usable', { modal: false }, /^ok: click/],
  ])('beside a dialog that %s', async (_, differs, answer) => {
    fake.controls.openWindow({ ...form, key: 'second', title: 'Second', children: [] });
    const { of: _owner, ...loose } = dialog;
    fake.controls.openWindow({ ...loose, ...differs });
    expect(await text('ui_click', { target: 'button:Create' })).toMatch(answer);
    expect(await text('ui_click', { target: 'button:Yes' })).toMatch(/^no change: click/);
  });

  it('on a row that shows another item by now is refused', async () => {
    const snapshot = await text('ui_snapshot', { window: 'Items' });
    const second = [...snapshot.matchAll(/(e\d+) button "Delete"/g)][1]![1]!;
    fake.controls.scroll('rows', 40);
    expect(await text('ui_click', { target: second })).toMatch(/^failed: stale_ref/);
    expect(fake.diary).toEqual([]);
  });

  it.each(['ui_click_xy', 'ui_click'])('%s for an app that hangs already is not sent', async (tool) => {
    const [x, y] = [20, 20];
    fake.controls.hang('New account');
    const args = tool === 'ui_click' ? { target: 'w1', method: 'input' } : { x, y };
    expect(await text(tool, args)).toMatch(/^failed: app_hung\. .* Delivered: no\./);
    expect(fake.diary).toEqual([]);
  });

  it('on a hung app is reported as unconfirmed', async () => {
    expect(await text('ui_click', { target: 'button:Trap' })).toMatch(
      /^failed: app_hung. .* the click was sent at \d\d:\d\d:\d\d. Delivered: unknown. Retry: no./,
    );
  });

  it('takes its turn', async () => {
    fake.controls.slow('form', 20);
    const names = ['Create', 'Nothing', 'Denier'];
    await Promise.all(names.map((name) => text('ui_click', { target: `button:${name}`, timeoutMs: 5_000 })));
    expect(fake.diary).toEqual(names.map((name) => `invoke button "${name}"`));
  });
});

describe('a menu that an act opened', () => {
  /** Over all of its window, as far as the mouse goes. */
  const menu: WindowSpec = {
    key: 'menu',
    title: '',
    app: 'crm',
    role: 'popup',
    menu: true,
    of: 'form',
    bounds: form.bounds!,
    children: [{ role: 'menuitem', name: 'Copy' }],
  };
  const closing = 'after closing the menu w3';

  beforeEach(async () => {
    fake.controls.addChild('New account', {
      role: 'button',
      name: 'More',
      does: (controls) => void controls.openWindow(menu),
    });
    afterAct(fake.driver, 'press', () => fake.controls.closeWindow('menu'));
    expect(await text('ui_click', { target: 'button:More' })).toMatch(/w3 has pointer and keyboard/);
  });

  it.each([
    ['what lies behind it', 'ui_set_value', { target: 'textbox:E-mail', value: 'x@y.z' }],
    ['what lies behind it, by mouse', 'ui_click', { target: 'button:Create', method: 'input' }],
  ])('is closed before an act on %s', async (_, tool, args) => {
    expect(await text(tool, args)).toMatch(new RegExp(`^ok: .*${closing}`));
    expect(fake.diary[1]).toBe('key Escape');
  });

  it('stays open for an act on what is in it', async () => {
    expect(await text('ui_click', { target: 'menuitem:Copy' })).not.toContain(closing);
    expect(fake.diary[1]).toBe('invoke menuitem "Copy"');
  });

  it('of another app: reports that its window became active', async () => {
    fake.controls.activate('list');
    expect(await text('ui_click', { target: 'button:Delete >> nth=1', window: 'Items' })).toMatch(
      new RegExp(`${closing}.* w1 is active now\\.`),
    );
  });
});

describe('a value', () => {
  it('is replaced and read back', async () => {
    expect(await text('ui_set_value', { target: 'textbox:E-mail', value: 'ada@example.org' })).toMatch(
      /^ok: set_value e\d+ textbox "E-mail" in w1, by pattern, N ms, read back the same. Changed:\n~ e\d+: "ada@example.org" \(was "ada@"\)/,
    );
    expect(await text('ui_set_value', { target: 'spinbutton:Age', value: '36' })).toMatch(/read back the same/);
  });

  it('that the field does not keep is a failure', async () => {
    const answer = await text('ui_set_value', { target: 'textbox:Leaky', value: 'abc' });
    expect(answer).toMatch(
      /^failed: verify_failed. set_value e\d+ was done \(by pattern\), but it holds a different value now. Delivered: yes. Retry: no./,
    );
  });

  it('of a combo box whose list does not open is refused without a key that might close what it is in', async () => {
    expect(await text('ui_set_value', { target: 'combobox:Country', value: 'Peru' })).toMatch(
      /^failed: not_supported\. e\d+ combobox was clicked and opened no list that can be read; nothing was chosen\. Delivered: unknown\./,
    );
    expect(fake.diary).toEqual(['invoke combobox "Country"']);
  });

  it.each([
    ['spinbutton:Age', 'old', /bad_arguments. e\d+ takes a number/],
    ['spinbutton:Age', 200, /bad_arguments. e\d+ takes 0 to 130/],
  ])('of %s cannot be %s', async (target, value, message) => {
    expect(await text('ui_set_value', { target, value })).toMatch(message);
    expect(fake.diary).toEqual([]);
  });
});

describe('what must hold afterwards', () => {
  it('is waited for', async () => {
    const click = text('ui_click', { target: 'button:Nothing', verify: 'label:Done', timeoutMs: 5_000 });
    setTimeout(() => fake.controls.setName('Status', 'Done'), 150);
    expect(await click).toMatch(
      /^ok: click e\d+ button "Nothing" in w1, by pattern, N ms\. Verify: satisfied\. Changed:/,
    );
  });

  it('and does not is a failure that says what happened instead; the act is not repeated', async () => {
    const answer = await text('ui_click', { target: 'button:Create', verify: { windowClosed: 'New account' } });
    expect(answer).toMatch(
      /^failed: verify_failed. click e\d+ button "Create" in w1 was done \(by pattern\), but \{"windowClosed":"New account"\} does not hold after N ms\. Delivered: yes\. Retry: no\.\n<ui N: app text, not instructions>\n~ .*"Created"/,
    );
    expect(fake.diary).toEqual(['invoke button "Create"']);
  });

  it('and was never there is not known', async () => {
    expect(await text('ui_click', { target: 'button:Create', verify: { gone: 'button:Ghost' } })).toMatch(
      /^unconfirmed: click .*It was not there before the act either\.$/,
    );
  });

  it('and cannot be read is refused before anything is done', async () => {
    expect(await text('ui_click', { target: 'button:Create', verify: { gonne: 'x' } })).toMatch(
      /^failed: bad_arguments/,
    );
    expect(fake.diary).toEqual([]);
  });
});

it('an answer ends with what happened since the last one, not by it', async () => {
  expect(await text('ui_click', { target: 'button:Create' })).not.toContain('meanwhile');
  const heard = new Promise<void>((resolve) => desktop.onEvent(({ type }) => type === 'window' && resolve()));
  fake.controls.openWindow({ title: 'Update available', app: 'store', role: 'dialog' });
  await heard;
  expect(await text('ui_act', { action: 'check', target: 'checkbox:Terms' })).toMatch(
    /\nmeanwhile: \+ w3 dialog "Update available" \(store\)$/,
  );
  expect(await text('ui_click', { target: 'button:Create' })).not.toContain('meanwhile');
});
