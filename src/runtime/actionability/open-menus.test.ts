import { expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import type { Element, Role, WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { OpenMenus } from './open-menus.js';

const window = (ref: string, menu: boolean): WindowInfo =>
  ({ id: ref, ref, title: ref, visible: true, ...(menu && { menu: true }) }) as WindowInfo;
const [dialog, popup] = [window('w1', false), window('w2', true)];
const view = { listWindows: async () => ({ windows: [dialog, popup] }) } as unknown as CallView;

const planFor = (verb: string, role: Role, ref = 'e1'): ActionPlan =>
  ({
    ...{ verb, needs: {}, window: dialog },
    target: {
      element: { ref, role, states: {}, children: [] } as unknown as Element,
      path: [],
      window: dialog,
      how: 'ref',
    },
  }) as unknown as ActionPlan;

it.each<[verb: string, role: Role, blocks: boolean]>([
  ['set_value', 'textbox', false],
  ['type', 'searchbox', false],
  ['set_value', 'combobox', true],
  ['click', 'button', true],
  ['click', 'textbox', true],
])('a popup opened by %s on a %s is closed before an act outside of it: %s', async (verb, role, blocks) => {
  const menus = new OpenMenus();
  menus.note([popup], planFor(verb, role));
  const outside = await menus.outside(view, planFor('click', 'button', 'e2'), Deadline.in(1_000));
  expect(outside.map(({ ref }) => ref)).toEqual(blocks ? ['w2'] : []);
});
