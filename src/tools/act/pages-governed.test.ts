// @module-tag safety

import { afterEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

// A browser: its address bar, its suggestions, and a page with labels.

const RULES = [{ name: 'no-forbidden', when: { name: '*Forbidden*' }, decision: 'deny' as const }];
const item = (name: string): WidgetSpec => ({
  role: 'listitem',
  name,
  states: { focusable: true },
});
const label = (text: string, ...more: WidgetSpec[]): WidgetSpec => ({
  role: 'label',
  children: [{ role: 'text', name: text }, ...more],
});

interface Scene {
  /** In the address bar. */
  address?: string;
  page?: WidgetSpec[];
  rules?: typeof RULES;
}

const browser = ({ address = '', page = [] }: Scene): WindowSpec => ({
  key: 'browser',
  title: 'Page - Browser',
  app: 'browser',
  bounds: { x: 0, y: 0, width: 600, height: 600 },
  children: [
    { role: 'textbox', name: 'Address', value: address, states: { editable: true, focusable: true, focused: true } },
    { role: 'button', name: 'javascript:bookmark()' },
    { role: 'tab', name: 'JavaScript: a book', states: { selected: false } },
    {
      role: 'document',
      name: 'Omnibox Popup',
      children: [{ role: 'listbox', children: [item('javascript:f(), 1 of 2'), item('weather, 2 of 2')] }],
    },
    {
      role: 'document',
      name: 'Page',
      children: [
        { role: 'textbox', name: 'Field', value: '', states: { editable: true, focusable: true } },
        { role: 'button', name: 'javascript:page()' },
        ...page,
      ],
    },
  ],
});

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

async function call(tool: string, args: object, scene: Scene = {}): Promise<string> {
  fake = fakeDesktop({ windows: [browser(scene)] });
  const policy = compilePolicy({ user: { version: 1, rules: scene.rules ?? [] } }, 'virtual');
  desktop = new Desktop({ name: 'web', driver: fake.driver, kind: 'virtual', policy });
  return perform(desktop, TOOLS, { tool, args: { settleMs: 20, ...args }, caller: 'me' }).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof DesktopError) return error.code;
      throw error;
    },
  );
}

const ASKED = 'approval_required';
const inAddress = (text: string, more = {}): object => ({ text, target: 'textbox:Address', ...more });

it.each<[string, object, string]>([
  ['ui_type', inAddress('javascript:f()'), ''],
  ['ui_type', inAddress(' \u200bJava\tScript :f()'), ''],
  ['ui_set_value', { value: 'javascript:f()', target: 'textbox:Address' }, ''],
  ['ui_type', inAddress('script:f()'), 'java'],
  ['ui_type', inAddress('java'), 'script:f()'],
  ['ui_type', inAddress('vas', { enter: true }), 'jacript:f()'],
  ['ui_key', { keys: 'Enter', target: 'textbox:Address' }, 'javascript:f()'],
  ['ui_key', { keys: 'Enter' }, 'javascript:f()'],
  ['ui_key', { keys: 'a v a Home j Enter', target: 'textbox:Address' }, 'script:f()'],
  ['ui_key', { keys: 'ctrl+l j a v a s c r i p t shift+; f Enter', target: 'textbox:Field' }, ''],
  ['ui_click', { target: 'role=listitem && name^="javascript"' }, ''],
  ['ui_act', { action: 'invoke', target: 'role=listitem && name^="javascript"' }, ''],
  ['ui_click', { target: 'role=listitem && name^="weather"' }, 'javascript:f()'],
  ['ui_click', { target: 'button:"javascript:bookmark()"' }, ''],
])('%s %j with the address %j counts as an act in a console', async (tool, args, address) => {
  expect(await call(tool, args, { address })).toBe(ASKED);
  expect(fake.diary).toEqual([]);
});

it.each<[string, object, string]>([
  ['ui_type', inAddress('https://example.org/javascript:1'), ''],
  ['ui_set_value', { value: 'https://example.org', target: 'textbox:Address' }, 'javascript:f()'],
  ['ui_key', { keys: 'Enter', target: 'textbox:Address' }, 'https://example.org'],
  ['ui_click', { target: 'role=listitem && name^="weather"' }, 'weather'],
  ['ui_click', { target: 'role=tab' }, ''],
  ['ui_type', { text: 'javascript:f()', target: 'textbox:Field' }, ''],
  ['ui_click', { target: 'button:"javascript:page()"' }, ''],
])('%s %j with the address %j does not', async (tool, args, address) => {
  expect(await call(tool, args, { address })).not.toBe(ASKED);
});

const forbidden: WidgetSpec = { role: 'checkbox', name: 'Forbidden', states: { checked: false } };

it('choosing a suggestion counts as Enter in the address bar', async () => {
  const button: WidgetSpec = { role: 'button', name: 'Forbidden' };
  const args = { target: 'role=listitem && name^="weather"' };
  expect(await call('ui_click', args, { rules: RULES, page: [] })).toBe('done');
  await desktop.close();
  expect(await call('ui_click', args, { rules: RULES, page: [button] })).toBe('policy_denied');
  await desktop.close();
  const rules = [{ name: 'no-address', when: { name: 'Address' }, decision: 'deny' as const }];
  expect(await call('ui_click', args, { rules })).toBe('policy_denied');
});

it.each<[string, WidgetSpec[]]>([
  ['around a control', [label('labeltext', forbidden)]],
  ['beside a control', [label('labeltext'), forbidden]],
  ['far from a text field', [label('labeltext'), { role: 'group', children: [{ ...forbidden, role: 'textbox' }] }]],
  ['in a frame', [{ role: 'document', children: [label('labeltext'), forbidden] }]],
])('a click on a label %s counts as the control that it may belong to', async (_, page) => {
  expect(await call('ui_click', { target: '"labeltext"' }, { rules: RULES, page })).toBe('policy_denied');
  expect(fake.diary).toEqual([]);
});

it.each<[string, WidgetSpec[]]>([
  ['outside a label', [{ role: 'text', name: 'labeltext' }, forbidden]],
  ['in a label of a page without such a control', [label('labeltext'), { role: 'checkbox', name: 'Allowed' }]],
  ['in a label with a control', [label('labeltext'), { role: 'textbox', labelledBy: 'labeltext' }, forbidden]],
  ['in a label, for a control of another page', [{ role: 'document', children: [label('labeltext')] }, forbidden]],
])('a click on a text %s does not', async (_, page) => {
  expect(await call('ui_click', { target: '"labeltext"' }, { rules: RULES, page })).toBe('done');
});
