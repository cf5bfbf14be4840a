import { expect, test } from 'vitest';
import type { Element } from '../element.js';
import type { Snapshot } from '../snapshot.js';
import { incompleteReason } from './render.js';
import { isDrawn } from './view.js';

const element = (given: Partial<Element>): Element => ({
  ref: 'e1',
  id: '1',
  role: 'canvas',
  bounds: { x: 0, y: 0, width: 200, height: 100 },
  states: { enabled: true, visible: true },
  patterns: [],
  platformIds: {},
  children: [],
  ...given,
});

test.each([
  ['a canvas', element({}), true],
  ['a calendar without elements', element({ role: 'calendar' }), true],
  ['a calendar with its days', element({ role: 'calendar', children: [element({ role: 'label' })] }), false],
  ['a canvas whose elements were not read', element({ unread: 3 }), false],
  ['a canvas with text of its own', element({ value: 'words' }), false],
  ['a mark', element({ bounds: { x: 0, y: 0, width: 200, height: 16 } }), false],
  ['a canvas without a place', element({ bounds: undefined }), false],
  ['an image', element({ role: 'image' }), false],
])('%s: drawn %s', (_what, given, drawn) => {
  expect(isDrawn(given)).toBe(drawn);
});

const snapshot = (root: Element, degraded?: Snapshot['degraded']): Pick<Snapshot, 'roots' | 'degraded'> => ({
  roots: [root],
  ...(degraded && { degraded }),
});

test.each([
  ['everything read', snapshot(element({})), undefined],
  ['elements not read', snapshot(element({ children: [element({ unread: 2 })] })), '2 elements were not read'],
  ['items off screen', snapshot(element({ role: 'list', unread: 90, items: { total: 100 } })), undefined],
  ['a reason of the driver', snapshot(element({ unread: 1 }), { reason: 'w1 does not answer' }), 'w1 does not answer'],
])('a snapshot with %s is incomplete because: %j', (_what, given, reason) => {
  expect(incompleteReason(given)).toBe(reason);
});
