// @module-tag safety

import { expect, it } from 'vitest';
import { elementOf } from '../../../tests/scenes/aims.js';
import { labelledControls } from './click-effects.js';

type Given = Parameters<typeof elementOf>[0];

const text = elementOf({ id: 'text', role: 'text', name: 'Agree' });
const label = elementOf({ id: 'label', role: 'label', children: [text] });

function labelled(...others: Given[]): [ids: string[], complete: boolean] {
  const page = elementOf({ id: 'page', role: 'document', children: [label, ...others.map(elementOf)] });
  const window = elementOf({
    id: 'window',
    role: 'window',
    children: [page, elementOf({ id: 'own', role: 'button' })],
  });
  const { controls, complete } = labelledControls({ element: text, path: [window, page, label] });
  return [controls.map(({ element }) => element.id), complete];
}

it.each<[string, Given, string[], boolean]>([
  ['a check box', { id: 'box', role: 'checkbox' }, ['box'], true],
  ['a field out of view', { id: 'field', role: 'textbox', states: { offscreen: true } }, ['field'], true],
  ['no control with another label', { id: 'box', role: 'checkbox', labelId: 'other' }, [], true],
  ['no link', { id: 'link', role: 'link' }, [], true],
  ['anything in a part that was not read', { id: 'part', role: 'group', unread: 3 }, [], false],
])('a label without a relation may belong to %s', (_, other, ids, complete) => {
  expect(labelled(other)).toEqual([ids, complete]);
});
