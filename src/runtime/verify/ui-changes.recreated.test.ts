import { expect, it } from 'vitest';
import { diffSnapshots, type Element, type Snapshot } from '../../tree/index.js';
import { ignoreRecreated } from './ui-changes.js';

const button = (ref: string, name: string, more: Partial<Element> = {}, y = 10): Element => ({
  ...{ ref, id: ref, role: 'togglebutton', name, bounds: { x: 10, y, width: 20, height: 20 } },
  states: { enabled: true, visible: true, focusable: true },
  ...{ patterns: [], platformIds: {}, children: [], ...more },
});
const bar = (ref: string, children: Element[]): Element => button(ref, 'Properties', { role: 'toolbar', children });

const snapshotOf = (id: string, children: Element[]): Snapshot =>
  ({
    id,
    scope: 'window',
    windows: [],
    roots: [button('w1', 'App', { role: 'window', children })],
  }) as unknown as Snapshot;

const reported = (old: Element[], now: Element[]): string[] =>
  ignoreRecreated(diffSnapshots(snapshotOf('s1', old), snapshotOf('s2', now)).changes).map(
    ({ kind, ref }) => `${kind} ${ref}`,
  );

it.each<[what: string, old: Element[], now: Element[], reported: string[]]>([
  ['re-created unchanged', [button('e1', 'Styles')], [button('e2', 'Styles')], []],
  ['re-created with its children', [bar('e1', [button('e2', 'A')])], [bar('e3', [button('e4', 'A')])], []],
  ['re-created with another name', [button('e1', 'Start')], [button('e2', 'Stop')], ['new e2', 'gone e1']],
  ['re-created in another place', [button('e1', 'Styles')], [button('e2', 'Styles', {}, 90)], ['new e2', 'gone e1']],
  [
    'in another state',
    [button('e1', 'Styles')],
    [button('e2', 'Styles', { states: { enabled: true, visible: true, pressed: true } })],
    ['new e2', 'gone e1'],
  ],
  [
    'with something else in it',
    [bar('e1', [button('e2', 'A')])],
    [bar('e3', [button('e4', 'B')])],
    ['new e3', 'new e4', 'gone e1', 'gone e2'],
  ],
  ['re-created twice', [button('e1', 'Styles')], [button('e2', 'Styles'), button('e3', 'Styles')], ['new e3']],
  ['changed in place', [button('e1', 'Start')], [button('e1', 'Stop')], ['changed e1']],
])('reports only real changes of an element that is %s', (_, old, now, changes) =>
  expect(reported(old, now)).toEqual(changes),
);
