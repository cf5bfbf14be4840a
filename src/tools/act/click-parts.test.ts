// @module-tag safety

import { afterEach, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import { fakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

// What lies in an item may be a neighbour of the item in the tree, as a widget that Qt shows in a list.

let desktop: Desktop;
afterEach(() => desktop.close());

const ITEM = { x: 10, y: 10, width: 200, height: 40 };
const item = (spec: Partial<WidgetSpec> = {}): WidgetSpec => ({
  ...{ role: 'listitem', name: 'Milk, 2 l', key: 'milk', box: ITEM, noPattern: true },
  ...spec,
});
const list = (...children: WidgetSpec[]): WidgetSpec => ({
  ...{ role: 'list', name: 'Shopping', box: { x: 0, y: 0, width: 400, height: 300 } },
  children,
});
const inside = (
  role: WidgetSpec['role'],
  name?: string,
  box = { x: 60, y: 15, width: 100, height: 30 },
): WidgetSpec => ({
  ...{ role, box },
  ...(name !== undefined && { name }),
});

async function click(...shows: WidgetSpec[]): Promise<string> {
  const fake = fakeDesktop({ windows: [letterWith(...shows)] });
  desktop = new Desktop({ name: 'app', driver: fake.driver, kind: 'virtual' });
  const args = { target: 'listitem:"Milk, 2 l"', method: 'input', timeoutMs: 300, settleMs: 40 };
  const said = await perform(desktop, TOOLS, { tool: 'ui_click', args, caller: 'me' }).then(
    ({ json }) => json.delivered as string,
    (error: unknown) => (error instanceof DesktopError ? error.message : String(error)),
  );
  return said;
}

it.each<[string, WidgetSpec[]]>([
  ['a label with its text', [item(), inside('label', 'Milk')]],
  ['a picture without a name', [item(), inside('image')]],
])('a click on an item reaches it through %s', async (_, children) => {
  expect(await click(list(...children))).toBe('yes');
});

it.each<[string, WidgetSpec[]]>([
  ['a button in it', [list(item(), inside('button', 'Milk'))]],
  ['a label with another text', [list(item(), inside('label', 'Delete'))]],
  ['a label that reaches out of it', [list(item(), inside('label', 'Milk', { x: 0, y: 0, width: 380, height: 200 }))]],
  ['a label outside of its list', [list(item()), inside('label', 'Milk')]],
  ['another item', [list(item(), item({ name: 'Eggs', key: 'eggs' }))]],
])('a click on an item is refused where %s covers it', async (_, shows) => {
  expect(await click(...shows)).toMatch(/is covered by (button|label|listitem)/);
});
