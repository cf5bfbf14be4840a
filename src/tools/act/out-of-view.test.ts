import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { uiAct } from './ui-act.js';
import { uiClick } from './ui-click.js';
import { uiDrag } from './ui-drag.js';
import { uiSetValue } from './ui-set-value.js';
import { uiType } from './ui-type.js';

const TOOLS: Tool[] = [uiAct, uiClick, uiDrag, uiSetValue, uiType];

const filler = (n: number): WidgetSpec => ({ role: 'button', name: `Filler ${n}`, height: 30 });
const LOW: WidgetSpec[] = [
  { role: 'checkbox', name: 'Low', states: { checked: false }, height: 30 },
  { role: 'textbox', name: 'Field', value: 'old', states: { editable: true }, height: 30 },
  { role: 'textbox', name: 'Leaky', value: '', lies: 'drops characters', states: { editable: true }, height: 30 },
  { role: 'spinbutton', name: 'Count', value: 3, range: { min: 0, max: 9 }, height: 30 },
  { role: 'button', name: 'Nothing', height: 30 },
];

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  const children: WidgetSpec[] = [
    {
      role: 'scrollpane',
      name: 'Pane',
      scroll: { height: 100 },
      children: [...Array.from({ length: 10 }, (_, n) => filler(n)), ...LOW],
    },
  ];
  fake = fakeDesktop({
    windows: [{ title: 'Long', app: 'form', bounds: { x: 0, y: 0, width: 300, height: 200 }, children }],
  });
  desktop = new Desktop({ name: 'form', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

async function answer(tool: string, args: Record<string, unknown>): Promise<string> {
  try {
    const all = { settleMs: 60, timeoutMs: 300, ...args };
    return (await perform(desktop, TOOLS, { tool, args: all, caller: 'me' })).text;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

it.each([
  ['ui_act', { action: 'check', target: 'checkbox:Low' }, /^ok: check .* Changed:\n~ e\d+ checked \(was unchecked\)$/],
  ['ui_click', { target: 'checkbox:Low' }, /^ok: click .* Changed:\n~ e\d+ checked \(was unchecked\)$/],
  [
    'ui_set_value',
    { target: 'textbox:Field', value: 'new' },
    /^ok: set_value .*, read back the same\. Changed:\n~ e\d+: "new" \(was "old"\)$/,
  ],
  ['ui_type', { target: 'textbox:Field', text: '!' }, /^ok: type .* Changed:\n~ e\d+: "old!" \(was "old"\)$/],
  ['ui_set_value', { target: 'spinbutton:Count', value: 7 }, /^ok: set_value .*, read back the same\. Changed:/],
  ['ui_act', { action: 'increment', target: 'spinbutton:Count' }, /^ok: increment .* Changed:\n~ e\d+: 4 .*\(was 3\)$/],
  ['ui_set_value', { target: 'textbox:Leaky', value: 'abc' }, /^verify_failed: .* holds a different value now/],
  ['ui_type', { target: 'textbox:Leaky', text: 'abc' }, /^verify_failed: .* holds a different value now/],
  ['ui_click', { target: 'button:Nothing' }, /^no change: click/],
])('%s %j: its effect is reported, though it is out of view', async (tool, args, expected) => {
  expect(await answer(tool, args)).toMatch(expected);
});

/** As browsers do; the last row is at the bottom then. */
function scrollsIntoView(): void {
  const { driver } = fake;
  const act = driver.act!.bind(driver);
  driver.act = async (element, pattern, options) => {
    if (pattern.kind !== 'scrollIntoView') return act(element, pattern, options);
    fake.controls.scroll('Pane', 350);
    return { done: { by: 'fake scrollTo', said: true } };
  };
}

it('what was scrolled into view and is covered there was not clicked', async () => {
  scrollsIntoView();
  fake.controls.openWindow({ title: 'Above', app: 'above', bounds: { x: 0, y: 0, width: 300, height: 200 } });
  const click = { target: 'button:Nothing', method: 'input', settleMs: 60, timeoutMs: 300 };
  const failed: unknown = await perform(desktop, TOOLS, { tool: 'ui_click', args: click, caller: 'me' }).catch(
    (error: unknown) => error,
  );
  expect(failed).toMatchObject({ code: 'not_ready', delivered: 'no', retry: 'after' });
  expect(String(failed)).toMatch(/is covered by w2 .* at its click point, although it was scrolled into view\.$/);
});

it.each(['button:Nothing', 'ref'])('what is scrolled into view for a drag by pixels is dragged: %s', async (how) => {
  scrollsIntoView();
  const ref = how === 'ref' ? /e\d+/.exec(await answer('ui_click', { target: 'button:Nothing' }))![0] : how;
  expect(await answer('ui_drag', { from: ref, dx: 5, dy: 0, timeoutMs: 3_000 })).toMatch(
    /^(no change|ok): drag by 5,0/,
  );
  expect(fake.diary.filter((line) => line.startsWith('drag'))).toHaveLength(1);
});
