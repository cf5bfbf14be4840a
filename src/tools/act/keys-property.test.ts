// @module-tag safety

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Controls, fakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

/** Widgets of a window before they have names: every control gets one of its own. */
type Part =
  | { kind: 'field'; multiline: boolean; leaves?: Leaves }
  | { kind: 'button'; isDefault: boolean; mnemonic: boolean; accelerator?: string; hidesKeys: boolean }
  | { kind: 'cancel' }
  | { kind: 'checkbox' | 'togglebutton' }
  | { kind: 'radios' | 'combo' | 'list' | 'tabs'; size: number; closed: boolean };

/** A field that moves the focus by itself: when so many characters are in it, or when a key is pressed in it. */
type Leaves = { after: number; to: number } | { on: string; to: number };

const ACCELERATORS = ['ctrl+s', 'ctrl+a', 'F9'];
const leaves: fc.Arbitrary<Leaves> = fc.oneof(
  fc.record({ after: fc.integer({ min: 1, max: 3 }), to: fc.nat() }),
  fc.record({ on: fc.constantFrom('Enter', 'Tab', 'Down', 'Left', 'a', 'Escape', 'Space', 'ctrl+a'), to: fc.nat() }),
);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record(
    { kind: fc.constant('field' as const), multiline: fc.boolean(), leaves },
    { requiredKeys: ['kind', 'multiline'] },
  ),
  fc.record(
    {
      ...{ kind: fc.constant('button' as const), isDefault: fc.boolean(), mnemonic: fc.boolean() },
      ...{ accelerator: fc.constantFrom(...ACCELERATORS), hidesKeys: fc.boolean() },
    },
    { requiredKeys: ['kind', 'isDefault', 'mnemonic', 'hidesKeys'] },
  ),
  fc.record({ kind: fc.constant('cancel' as const) }),
  fc.record({ kind: fc.constantFrom('checkbox' as const, 'togglebutton' as const) }),
  fc.record({
    kind: fc.constantFrom('radios' as const, 'combo' as const, 'list' as const, 'tabs' as const),
    ...{ size: fc.integer({ min: 1, max: 4 }), closed: fc.boolean() },
  }),
);

const KEYS = [
  ...['Enter', 'KP_Enter', 'Space', 'Tab', 'shift+Tab', 'Up', 'Down', 'Left', 'KP_Right', 'Home', 'End', 'PageDown'],
  ...['a', 'b', 'c', 'd', 'alt+a', 'alt+b', 'alt+c', 'ctrl+PageDown', 'ctrl+Tab', 'Escape', ...ACCELERATORS],
];

const LETTERS = 'abcd';
interface Named {
  widgets: WidgetSpec[];
  /** The names of everything that can be pressed or chosen. */
  controls: string[];
  /** The names of everything that can have the focus. */
  focusable: string[];
}

function named(parts: readonly Part[]): Named {
  const all: Named = { widgets: [], controls: [], focusable: [] };
  let count = 0;
  const next = (): string => `${LETTERS[count % LETTERS.length]}${++count}`;
  const control = (): string => {
    const name = next();
    all.controls.push(name);
    return name;
  };
  for (const one of parts) all.widgets.push(widgetOf(one, next, control, all.focusable));
  if (parts.some(({ kind }) => kind === 'cancel')) all.controls.push('Cancel');
  return all;
}

function widgetOf(one: Part, next: () => string, control: () => string, focusable: string[]): WidgetSpec {
  if (one.kind === 'field') {
    const name = next();
    focusable.push(name);
    const states = { editable: true, ...(one.multiline && { multiline: true }) };
    return { role: 'textbox', name, value: '', states, ...(one.leaves && leaving(one.leaves, focusable)) };
  }
  if (one.kind === 'cancel') {
    focusable.push('Cancel');
    return { role: 'button', name: 'Cancel', states: {} };
  }
  const name = one.kind === 'radios' || one.kind === 'tabs' ? next() : control();
  if (one.kind === 'button') {
    focusable.push(name);
    const states = one.isDefault ? { default: true } : {};
    const { accelerator, hidesKeys } = one;
    const keys = { ...(one.mnemonic && { mnemonic: name[0]! }), ...(accelerator && { accelerator }) };
    // An app that binds a key which edits in every toolkit, and does not report it, is not recognised.
    return { role: 'button', name, states, ...keys, hidesKeys: hidesKeys && accelerator !== 'ctrl+a' };
  }
  if (!('size' in one)) {
    focusable.push(name);
    return { role: one.kind, name, states: {} };
  }
  const role = ({ radios: 'radio', combo: 'option', list: 'option', tabs: 'tab' } as const)[one.kind];
  const within = ({ radios: 'group', combo: 'combobox', list: 'listbox', tabs: 'tablist' } as const)[one.kind];
  const state = role === 'radio' ? 'checked' : 'selected';
  const children = Array.from({ length: one.size }, (_, at): WidgetSpec => {
    const own = control();
    if (role === 'radio' || role === 'tab') focusable.push(own);
    const hidden = one.kind === 'combo' && one.closed;
    return { role, name: own, states: { [state]: at === 0 }, ...(hidden && { hidden }) };
  });
  if (within === 'combobox' || within === 'listbox') focusable.push(name);
  return { role: within, name, children };
}

/** `focusable` is complete only when the focus moves. */
function leaving(how: Leaves, focusable: readonly string[]): Partial<WidgetSpec> {
  const move = (controls: Controls): void => controls.focus(focusable[how.to % focusable.length]!);
  if ('on' in how) return { onKey: { [how.on]: move } };
  let typed = 0;
  return { whenTyped: (controls) => void (++typed >= how.after && move(controls)) };
}

const call = fc.oneof(
  fc.record({ tool: fc.constant('ui_key'), keys: fc.constantFrom(['Enter'], ['Space'], ['Down'], ['a']) }),
  fc.record({ tool: fc.constant('ui_key'), keys: fc.constantFrom(...KEYS).map((key) => [key]) }),
  fc.record({ tool: fc.constant('ui_key'), keys: fc.constantFrom(['ctrl+s'], ['ctrl+a'], ['F9'], ['Escape']) }),
  fc.record({ tool: fc.constant('ui_key'), keys: fc.array(fc.constantFrom(...KEYS), { minLength: 2, maxLength: 4 }) }),
  fc.record({
    tool: fc.constant('ui_type'),
    keys: fc.array(fc.constantFrom('a', 'b', ' ', '\n', '\t'), { maxLength: 5 }),
  }),
);

const scene = fc.record({
  parts: fc.array(part, { minLength: 1, maxLength: 6 }),
  form: fc.boolean(),
  dialog: fc.boolean(),
  hidesDefault: fc.boolean(),
  focus: fc.nat(),
  denied: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  clicksOnly: fc.boolean(),
  target: fc.boolean(),
  call,
  enter: fc.boolean(),
});

/** `invoke button "a1"`: what an app did to one of its controls. */
const DID = /^(?:invoke|select|toggle) \S+ "(.*)"$/;

it('no key activates or selects a control that a rule denies', { timeout: 300_000 }, async () => {
  let pressed = 0;
  await fc.assert(
    fc.asyncProperty(scene, async (given) => {
      const { widgets, controls, focusable } = named(given.parts);
      if (controls.length === 0 || focusable.length === 0) return;
      const denied = new Set(given.denied.map((at) => controls[at % controls.length]!));
      const focus = focusable[given.focus % focusable.length]!;
      const window: WindowSpec = {
        ...{ key: 'w', title: 'Random', app: 'random', bounds: { x: 0, y: 0, width: 500, height: 700 } },
        hidesDefault: given.hidesDefault,
        role: given.dialog ? 'dialog' : 'window',
        children: given.form ? [{ role: 'form', name: 'Form', children: widgets }] : widgets,
      };
      const fake = fakeDesktop({ windows: [window], keyboard: true });
      const when = { name: [...denied], ...(given.clicksOnly ? { tool: 'ui_click' } : { class: 'act' as const }) };
      const policy = compilePolicy(
        { user: { version: 1, rules: [{ name: 'no', when, decision: 'deny' }] } },
        'virtual',
      );
      const desktop = new Desktop({ name: 'd', driver: fake.driver, kind: 'virtual', policy });
      fake.controls.focus(focus);
      try {
        const { tool, keys } = given.call;
        const what =
          tool === 'ui_key' ? { keys: keys.join(' ') } : { text: keys.join(''), enter: given.enter, method: 'input' };
        const args = { ...what, ...(given.target && { target: `name="${focus}"` }), settleMs: 0, timeoutMs: 1_000 };
        await perform(desktop, TOOLS, { tool, args, caller: 'me' }).catch((error: unknown) => {
          if (!(error instanceof DesktopError)) throw error;
        });
        const did = fake.diary.flatMap((line) => DID.exec(line)?.[1] ?? []);
        pressed += did.length;
        expect(did.filter((name) => denied.has(name))).toEqual([]);
      } finally {
        await desktop.close();
      }
    }),
    { numRuns: process.env.SOAK ? 5_000 : 400, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  );
  // Otherwise it would only show that everything is refused.
  expect(pressed).toBeGreaterThan(5);
});
