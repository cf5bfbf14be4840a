import { afterEach, expect, it } from 'vitest';
import type { Driver, ReadAnswer } from '../../drivers/contract/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { CallView } from '../visibility/call-view.js';
import { observeChanges, readUiState } from './ui-changes.js';

let desktop: Desktop;
afterEach(() => desktop.close());

/** One window with a text field and two buttons; `alter` changes what its app exposes from then on. */
function open(): { view: CallView; alter: (change: (answer: ReadAnswer) => ReadAnswer) => void } {
  const { driver } = fakeDesktop({
    windows: [
      {
        ...{ key: 'main', title: 'Main', app: 'main', bounds: { x: 0, y: 0, width: 200, height: 200 } },
        children: [
          { role: 'textbox', name: 'Plain', key: 'plain', value: 'kept' },
          { role: 'button', name: 'Hang', key: 'hang' },
          { role: 'button', name: 'Twin', key: 'twin' },
        ],
      },
    ],
  });
  let alter = (answer: ReadAnswer): ReadAnswer => answer;
  const read: Driver['read'] = async (scope, options) => alter(await driver.read(scope, options));
  const altered = new Proxy(driver, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (key === 'read') return read;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: altered });
  return { view: CallView.forUser(desktop), alter: (change) => void (alter = change) };
}

/** Without the value of the field and without the last button, as an app that stops answering leaves them out. */
const partly = (answer: ReadAnswer): ReadAnswer => {
  const children = answer.root.children.slice(0, -1).map(({ value: _, ...node }) => node);
  return { ...answer, root: { ...answer.root, children } };
};
const soon = (): Deadline => Deadline.in(5_000);

it('takes what an incomplete read leaves out for unknown, not for a change', async () => {
  const { view, alter } = open();
  const before = await readUiState(view, undefined, soon());
  alter((answer) => ({ ...partly(answer), degraded: { reason: 'the time limit was reached' } }));
  expect(await observeChanges(view, before, {}, soon())).toMatchObject({ changed: 'unknown', diff: { changes: [] } });
});

it('reports what is gone in a complete read', async () => {
  const { view, alter } = open();
  const before = await readUiState(view, undefined, soon());
  alter(partly);
  const { changed, diff } = await observeChanges(view, before, {}, soon());
  expect(changed).toBe('yes');
  expect(diff.changes.map(({ kind }) => kind).sort()).toEqual(['changed', 'gone']);
});
