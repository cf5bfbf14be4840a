import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, type Tool } from '../../runtime/index.js';
import { uiSnapshot } from '../read/ui-snapshot.js';
import { uiAct } from './ui-act.js';
import { uiClick } from './ui-click.js';

const TOOLS: Tool[] = [uiClick, uiAct, uiSnapshot];

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({ windows: [] });
  desktop = new Desktop({ name: 'web', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const text = (tool: string, args: Record<string, unknown>): Promise<string> =>
  answerTextOf(desktop, TOOLS, tool, tool === 'ui_snapshot' ? args : { settleMs: 60, timeoutMs: 300, ...args });

describe('an act in a window that holds a dialog', () => {
  const says = (states: WidgetSpec['states'], role: 'dialog' | 'alertdialog' = 'dialog'): WidgetSpec => ({
    ...{ key: 'says', role, name: 'This page says', ...(states && { states }) },
    children: [{ role: 'button', name: 'OK' }],
  });
  const page = (dialogs: { inWindow?: WidgetSpec; inPage?: WidgetSpec }): WindowSpec => ({
    ...{ key: 'shop', title: 'Shop', app: 'browser', bounds: { x: 0, y: 0, width: 400, height: 400 } },
    children: [
      { role: 'button', name: 'New tab' },
      ...(dialogs.inWindow ? [dialogs.inWindow] : []),
      {
        role: 'document',
        name: 'Shop',
        children: [{ role: 'button', name: 'Buy' }, ...(dialogs.inPage ? [dialogs.inPage] : [])],
      },
    ],
  });
  const refOf = async (name: string): Promise<string> =>
    new RegExp(`(e\\d+) [a-z]+ "${name}"|button (e\\d+) "${name}"`)
      .exec(await text('ui_snapshot', { window: 'Shop' }))!
      .slice(1)
      .find((ref) => ref !== undefined)!;

  it.each([
    ['ui_click', {}],
    ['ui_click', { method: 'input' }],
    ['ui_act', { action: 'invoke' }],
  ])('that is modal, %s %j on what is not in it is refused', async (tool, more) => {
    fake.controls.openWindow(page({ inWindow: says({ modal: true }) }));
    const behind = new RegExp(
      '^failed: not_ready. e\\d+ button "Buy" in w\\d+ is behind (e\\d+) dialog "This page says" \\(waited N ms\\)\\. ' +
        'Delivered: no. Retry: after closing \\1.',
    );
    for (const target of [await refOf('Buy'), 'button:Buy'])
      expect(await text(tool, { target, ...more })).toMatch(behind);
    expect(fake.diary).toEqual([]);
  });

  it.each(['OK', 'New tab'])('that is modal, what is in it or not in the page is clicked: %s', async (name) => {
    fake.controls.openWindow(page({ inWindow: says({ modal: true }) }));
    for (const target of [await refOf(name), `button:"${name}"`])
      expect(await text('ui_click', { target })).toMatch(/^no change: click e\d+ button/);
    expect(fake.diary).toEqual([`invoke button "${name}"`, `invoke button "${name}"`]);
  });

  it.each<[string, Parameters<typeof page>[0]]>([
    ['is not modal', { inWindow: says({}, 'alertdialog') }],
    ['a page calls modal, but that is not', { inPage: says({ modal: true }) }],
    ['a page does not call modal', { inPage: says({}) }],
  ])('that %s, what is beside it is clicked', async (_, dialogs) => {
    fake.controls.openWindow(page(dialogs));
    for (const target of [await refOf('Buy'), 'button:Buy'])
      expect(await text('ui_click', { target })).toMatch(/^no change: click e\d+ button "Buy"/);
    expect(fake.diary).toEqual(['invoke button "Buy"', 'invoke button "Buy"']);
  });

  it('that is modal is waited for to be closed', async () => {
    fake.controls.openWindow(page({ inWindow: says({ modal: true }) }));
    const target = await refOf('Buy');
    setTimeout(() => fake.controls.remove('says'), 100);
    expect(await text('ui_click', { target, timeoutMs: 5_000 })).toMatch(/by pattern/);
    expect(fake.diary).toEqual(['invoke button "Buy"']);
  });
});
