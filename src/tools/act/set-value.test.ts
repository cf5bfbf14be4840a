import { afterEach, describe, expect, it } from 'vitest';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

let desktop: Desktop | undefined;
let fake: FakeDesktop;
afterEach(() => desktop?.close());

const city: WidgetSpec = { role: 'textbox', name: 'City', key: 'city', value: '', states: { editable: true } };

function open(children: WidgetSpec[], rules: object[] = []): void {
  const bounds = { x: 0, y: 0, width: 400, height: 400 };
  fake = fakeDesktop({ windows: [{ key: 'main', title: 'Main', app: 'shop', bounds, children }] });
  const policy = compilePolicy({ user: { version: 1, rules } } as never, 'virtual');
  desktop = new Desktop({ name: 'shop', driver: fake.driver, kind: 'virtual', policy });
}

const set = (args: object): ReturnType<typeof perform> =>
  perform(desktop!, TOOLS, { tool: 'ui_set_value', args: { settleMs: 60, ...args }, caller: 'me' });

const refusal = (error: unknown): string => {
  if (error instanceof DesktopError) return error.code;
  throw error;
};

describe('a field that ignores the pattern', () => {
  it('is written by keys', async () => {
    open([city]);
    afterAct(fake.driver, 'act', () => fake.controls.setValue('city', ''));
    const { json } = await set({ target: 'textbox:City', value: 'Lima' });
    expect(json).toMatchObject({ status: 'ok', method: 'input', readBack: 'same', after: { value: 'Lima' } });
    expect(fake.diary.slice(-2)).toEqual(['key ctrl+a', 'type "Lima" into textbox "City"']);
  });

  it('is not written again if something else is in it', async () => {
    open([city]);
    afterAct(fake.driver, 'act', () => fake.controls.setValue('city', 'Li'));
    expect(await set({ target: 'textbox:City', value: 'Lima' }).catch(refusal)).toBe('verify_failed');
    expect(fake.diary.join()).not.toMatch(/key|type/);
  });

  it('is not written by keys if only the pattern is wanted', async () => {
    open([city]);
    afterAct(fake.driver, 'act', () => fake.controls.setValue('city', ''));
    expect(await set({ target: 'textbox:City', value: 'Lima', method: 'pattern' }).catch(refusal)).toBe(
      'verify_failed',
    );
    expect(fake.diary.join()).not.toMatch(/key|type/);
  });
});

describe('enter', () => {
  it('is pressed in the field once it holds the value', async () => {
    open([city]);
    const { json } = await set({ target: 'textbox:City', value: 'Lima', enter: true });
    expect(json).toMatchObject({ method: 'pattern', delivered: 'yes', after: { value: 'Lima' } });
    expect(fake.diary.at(-1)).toBe('key Enter');
  });

  it('is not pressed if the field dropped a part', async () => {
    open([{ ...city, value: '', maxLength: 2 }]);
    const args = { target: 'textbox:City', value: 'Lima', method: 'input', enter: true };
    expect(await set(args).catch(refusal)).toBe('verify_failed');
    expect(fake.diary.join()).not.toContain('Enter');
  });

  it.each([
    ['the tool for keys', { tool: 'ui_key' }],
    ['the button that it would press', { tool: 'ui_click', name: 'Send' }],
  ])('is refused by a rule about %s', async (_, when) => {
    const send: WidgetSpec = { role: 'button', name: 'Send', states: { default: true } };
    const rules = [{ name: 'no', when, decision: 'deny' }];
    open([city, send], rules);
    expect(await set({ target: 'textbox:City', value: 'Lima', enter: true }).catch(refusal)).toBe('policy_denied');
    expect(fake.diary).toEqual([]);
    open([city, send], rules);
    expect(await set({ target: 'textbox:City', value: 'Lima' })).toMatchObject({ json: { status: 'ok' } });
  });
});

it.each<[string, WidgetSpec, string | undefined]>([
  ['an editable combo box', { ...city, role: 'combobox' }, 'no'],
  ['a field of a tool bar', { role: 'toolbar', name: 'Tools', children: [city] }, 'no'],
  ['another field', city, undefined],
])('reports whether the value of %s may still need Enter', async (_, widget, committed) => {
  open([widget]);
  const { json, text } = await set({ target: 'name=City', value: 'Lima' });
  expect(json).toMatchObject({ status: 'ok', readBack: 'same' });
  expect(json.committed).toBe(committed);
  expect(text.includes('not committed')).toBe(committed === 'no');
});
