import { afterEach, expect, it } from 'vitest';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { uiSetValue } from './ui-set-value.js';
import { uiType } from './ui-type.js';

let desktop: Desktop | undefined;
afterEach(() => desktop?.close());

const HINT: WidgetSpec = { role: 'label', name: 'Where you live' };
const LIST: WidgetSpec = { role: 'listbox', name: 'Cities', children: [{ role: 'option', name: 'Lima' }] };

it.each([
  ['a list', [LIST], ['key Escape']],
  ['a hint, which a key would not close', [HINT], []],
])(
  'a combo box that is a field itself is written into, and %s that this opened is closed',
  async (_, inside, after) => {
    const combo: WidgetSpec = { role: 'combobox', name: 'City', value: '', states: { editable: true } };
    const bounds = { x: 0, y: 0, width: 400, height: 300 };
    const fake = fakeDesktop({ windows: [{ key: 'main', title: 'Main', app: 'shop', bounds, children: [combo] }] });
    desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual' });
    afterAct(fake.driver, 'type', () => {
      const at = { x: 0, y: 200, width: 100, height: 50 };
      const popup = { title: '', app: 'shop', role: 'popup', of: 'main', bounds: at, children: inside } as const;
      fake.controls.openWindow({ ...popup, children: [...inside] });
      fake.controls.activate('main');
    });
    const args = { target: 'combobox:City', value: 'Lim', method: 'input', settleMs: 60 };
    await perform(desktop, [uiSetValue], { tool: 'ui_set_value', args, caller: 'me' });
    expect(fake.diary).toEqual(['focus combobox "City"', 'key ctrl+a', 'type "Lim" into combobox "City"', ...after]);
  },
);

it('suggestions that disappear during the read are not a failure', async () => {
  const combo: WidgetSpec = { role: 'combobox', name: 'City', value: '', states: { editable: true } };
  const fake = fakeDesktop({ windows: [{ key: 'main', title: 'Main', app: 'shop', children: [combo] }] });
  desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual' });
  let popup: string | undefined;
  afterAct(fake.driver, 'type', () => {
    popup = fake.controls.openWindow({ title: '', app: 'shop', role: 'popup', of: 'main', children: [LIST] });
    fake.controls.activate('main');
  });
  const read = fake.driver.read.bind(fake.driver);
  fake.driver.read = (what, options) => {
    if (popup !== undefined && 'window' in what && what.window === popup) fake.controls.closeWindow(popup);
    return read(what, options);
  };
  const args = { target: 'combobox:City', value: 'Xyz', method: 'input', settleMs: 60 };
  const { json } = await perform(desktop, [uiSetValue], { tool: 'ui_set_value', args, caller: 'me' });
  expect(json).toMatchObject({ status: 'ok', readBack: 'same' });
  expect(fake.diary).not.toContain('key Escape');
});

it('what is typed into a combo box goes into the field in it', async () => {
  const field: WidgetSpec = { role: 'textbox', value: 'Re', key: 'field', states: { editable: true } };
  const combo: WidgetSpec = { role: 'combobox', name: 'Colour', children: [field] };
  const fake = fakeDesktop({ windows: [{ title: 'Main', app: 'shop', children: [combo] }] });
  desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual' });
  const args = { target: 'combobox:Colour', text: 'd', method: 'input', settleMs: 60 };
  await perform(desktop, [uiType], { tool: 'ui_type', args, caller: 'me' });
  expect(fake.diary.at(-1)).toBe('type "d" into textbox "field"');
});

const options = (...names: string[]): WidgetSpec[] => names.map((name) => ({ role: 'option', name }));

it.each([
  // It is a page that does not put it into its combo box.
  ['Pear', ['invoke combobox "Fruit"', 'invoke option "Pear"'], 'yes', /holds a different value/],
  [
    'Mango',
    ['invoke combobox "Fruit"', 'invoke combobox "Fruit"'],
    'no',
    /has no option "Mango" to choose; its list was/,
  ],
  ['Plum', ['invoke combobox "Fruit"', 'invoke combobox "Fruit"'], 'no', /has 2 options "Plum"; its list was/],
])(
  'of a list that a page shows among itself %s is taken, or it is closed again',
  async (value, diary, delivered, said) => {
    const combo: WidgetSpec = {
      ...{ role: 'combobox', name: 'Fruit', key: 'fruit', value: 'Apple', noPattern: true },
      does: (controls) => {
        if (fake.diary.length > 1) return controls.remove('list');
        controls.addChild('box', { role: 'listbox', key: 'list', children: options('Apple', 'Pear', 'Plum', 'Plum') });
      },
    };
    const children: WidgetSpec[] = [combo, { role: 'group', key: 'box' }];
    const bounds = { x: 0, y: 0, width: 400, height: 300 };
    const fake = fakeDesktop({ windows: [{ key: 'main', title: 'Main', app: 'shop', bounds, children }] });
    desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual' });
    const args = { target: 'combobox:Fruit', value, settleMs: 60 };
    const failed: unknown = await perform(desktop, [uiSetValue], { tool: 'ui_set_value', args, caller: 'me' }).catch(
      (error: unknown) => error,
    );
    expect(fake.diary).toEqual(diary);
    expect(failed).toMatchObject({ delivered, message: expect.stringMatching(said) as string });
  },
);

it.each([
  ['ui_type', 'passwordbox:Pass', { text: 'more' }, /secret field is never read/],
  ['ui_set_value', 'passwordbox:Pass', { value: 'other' }, /secret field is never read/],
  ['ui_type', 'textbox:Name', { text: '\u200b' }, /such characters are invisible/],
  ['ui_set_value', 'textbox:Name', { value: '\u200b\u200e' }, /such characters are invisible/],
])('%s into %s %j of which nothing shows is not called no change', async (tool, target, args, reason) => {
  const children: WidgetSpec[] = [
    { role: 'passwordbox', name: 'Pass', value: 'abc' },
    { role: 'textbox', name: 'Name', value: '' },
  ];
  const fake = fakeDesktop({ windows: [{ title: 'Main', app: 'shop', children }] });
  desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual' });
  const call = { tool, args: { target, ...args, settleMs: 60 }, caller: 'me' };
  const { json } = await perform(desktop, [uiType, uiSetValue], call).catch((error: unknown) => {
    throw error instanceof DesktopError ? new Error(error.message) : error;
  });
  expect(json).toMatchObject({ status: 'unconfirmed', reason: expect.stringMatching(reason) as string });
});
