import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { form, list } from '../../../tests/scenes/accounts.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, type Tool } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { uiAct } from './ui-act.js';
import { uiClick } from './ui-click.js';
import { uiSetValue } from './ui-set-value.js';

const TOOLS: Tool[] = [uiClick, uiSetValue, uiAct];

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

describe('a named action', () => {
  it('is performed once, and then is in the requested state', async () => {
    expect(await text('ui_act', { action: 'check', target: 'checkbox:Terms' })).toMatch(
      /^ok: check e\d+ checkbox "Terms" in w1, by pattern, N ms\. Changed:\n~ e\d+ checked \(was unchecked\)$/,
    );
    expect(await text('ui_act', { action: 'check', target: 'checkbox:Terms' })).toMatch(
      /^ok: check e\d+ checkbox "Terms" in w1: it is checked already, nothing was done\.$/,
    );
    expect(fake.diary).toEqual(['toggle checkbox "Terms"']);
  });

  it.each([
    ['uncheck', 'mixed', [true, false], /^ok: uncheck .*~ e\d+ /s, 2],
    ['check', 'mixed', [true], /^ok: check /, 1],
    ['check', 'mixed', [false, true], /^ok: check /, 2],
    [
      'check',
      'mixed',
      [false, 'mixed'],
      /^failed: verify_failed\. check e\d+ checkbox was done .*, but it is mixed now\. Delivered: yes\. Retry: no\./,
      2,
    ],
    ['check', false, ['mixed'], /^failed: verify_failed\. check e\d+ checkbox was done .*, but it is mixed now\./, 1],
    ['check', false, [false], /^failed: verify_failed\. check e\d+ checkbox was done .*, but it is unchecked now\./, 1],
  ] as const)('%s of what is %s and becomes %j', async (action, first, states, answer, presses) => {
    const coming = [...states];
    fake.controls.addChild('New account', {
      role: 'checkbox',
      name: 'Odd',
      states: { checked: first },
      does: (controls) => {
        controls.setState('Odd', 'checked', coming.shift() as boolean);
        controls.setName('Status', `pressed, ${coming.length} to come`);
      },
    });
    expect(await text('ui_act', { action, target: 'checkbox:Odd' })).toMatch(answer);
    expect(fake.diary).toHaveLength(presses);
  });

  it('on an element that stays mixed is reported although nothing shows: its parts may have changed', async () => {
    const odd = { role: 'checkbox', name: 'Odd', states: { checked: 'mixed' } } as const;
    fake.controls.addChild('New account', {
      ...odd,
      does: (controls) => controls.setState('Odd', 'checked', 'mixed' as never),
    });
    expect(await text('ui_act', { action: 'check', target: 'checkbox:Odd' })).toMatch(
      /^failed: verify_failed\. check e\d+ checkbox was done .*, but it is mixed now\. Delivered: yes\. Retry: no\./,
    );
    expect(fake.diary).toHaveLength(1);
  });

  it('that opens a row by keys does not end with the row selected', async () => {
    fake.controls.addChild('New account', {
      role: 'treeitem',
      name: 'Node',
      noPattern: true,
      states: { expanded: false, selected: false },
    });
    const restore = afterAct(fake.driver, 'press', (chords) => {
      if (chords[0]!.key === 'Right') fake.controls.setState('Node', 'expanded', true);
    });
    expect(await text('ui_act', { action: 'expand', target: 'treeitem:Node' })).toMatch(/^ok: expand/);
    restore();
    expect(await text('ui_act', { action: 'collapse', target: 'treeitem:Node' })).toMatch(/^no change: collapse/);
    fake.controls.setState('Node', 'selected', false);
    expect(await text('ui_act', { action: 'collapse', target: 'treeitem:Node' })).toMatch(
      /^failed: verify_failed\. collapse e\d+ treeitem was done \(by input\), but it is expanded now\./,
    );
  });

  it('that would press what it is to focus is refused, and so is a value for a button', async () => {
    const target = 'button:"Mouse only"';
    for (const [tool, args] of [
      ['ui_act', { action: 'focus', target }],
      ['ui_set_value', { target, value: 'x' }],
    ] as const) {
      expect(await text(tool, args)).toMatch(/^failed: pattern_unsupported\./);
    }
    expect(fake.diary).toEqual([]);
  });

  it('that the element cannot do is refused', async () => {
    expect(await text('ui_act', { action: 'check', target: 'button:Create' })).toMatch(
      /^failed: pattern_unsupported. e\d+ button cannot be checked/,
    );
    expect(await text('ui_act', { action: 'expand', target: 'button:Create' })).toMatch(/cannot be expanded/);
  });
});

describe('a spin button whose app does not expose its step', () => {
  beforeEach(() => {
    fake.controls.addChild('New account', { role: 'spinbutton', name: 'Seats', value: 10 });
    const act = fake.driver.act!.bind(fake.driver);
    fake.driver.act = async (element, pattern, options) => {
      if ('exposedStep' in pattern && pattern.exposedStep)
        throw new DesktopError('pattern_unsupported', 'It does not expose its step.');
      return act(element, pattern, options);
    };
  });

  it.each([
    ['increment', 'Up'],
    ['decrement', 'Down'],
  ])('is stepped by keys, as its app has it: %s', async (action, key) => {
    expect(await text('ui_act', { action, target: 'spinbutton:Seats' })).toMatch(/ by input, /);
    expect(fake.diary.at(-1)).toBe(`key ${key}`);
  });

  it('is stepped by 1 where keys are not wanted', async () => {
    const args = { action: 'increment', target: 'spinbutton:Seats', method: 'pattern' };
    expect(await text('ui_act', args)).toMatch(/ by pattern, .*\n~ e\d+: 11 \(was 10\)$/);
  });
});

describe('a number that is to be emptied', () => {
  const numbers: WidgetSpec[] = [
    { role: 'spinbutton', name: 'Seats', value: 10 },
    { role: 'slider', name: 'Volume', value: 10 },
  ];

  it.each(['spinbutton:Seats', 'slider:Volume'])('is refused where there is always one: %s', async (target) => {
    for (const number of numbers) fake.controls.addChild('New account', number);
    for (const value of ['', ' '])
      expect(await text('ui_set_value', { target, value })).toMatch(
        /^failed: bad_arguments\. e\d+ \w+ always holds a number and cannot be emptied\. Delivered: no\./,
      );
    expect(fake.diary).toEqual([]);
  });

  it('is emptied in a page, where it may be; a slider of it is not', async () => {
    fake.controls.addChild('New account', { role: 'document', name: 'Page', children: numbers });
    await text('ui_set_value', { target: 'spinbutton:Seats', value: '', method: 'input' });
    expect(fake.diary).toContain('key Delete');
    expect(await text('ui_set_value', { target: 'slider:Volume', value: '' })).toMatch(/cannot be emptied/);
  });
});
