import { expect, it } from 'vitest';
import { aimAt, targetOf, windowInfo, startOf } from '../../../tests/scenes/aims.js';
import type { ActionPlan } from '../act/action.js';
import { targetFacts } from './policy-request.js';

const WHERE = { app: '/usr/bin/crm', appName: 'crm', window: 'Accounts' };
const FOUND = { ...WHERE, role: 'button', name: 'Delete', method: 'id', confidence: 1 };

it.each<[string, ActionPlan, object]>([
  ['an element', aimAt(), FOUND],
  [
    'a password field',
    aimAt({ states: { secret: true }, description: 'PIN' }),
    { ...FOUND, description: 'PIN', secure: true },
  ],
  ['without a name', aimAt({ name: undefined }), { ...WHERE, role: 'button', method: 'id', confidence: 1 }],
  [
    'found by words',
    aimAt({}, { target: targetOf({}, { how: 'name', confidence: 0.8 }) }),
    { ...FOUND, method: 'name', confidence: 0.8 },
  ],
  ['a window', { verb: 'close', needs: {}, window: windowInfo() }, WHERE],
  [
    'a window whose title is cut',
    { verb: 'close', needs: {}, window: windowInfo({ fullTitle: 'Accounts of all' }) },
    { ...WHERE, fullTitle: 'Accounts of all' },
  ],
  [
    'a window of an unknown program',
    { verb: 'close', needs: {}, window: windowInfo({ program: undefined }) },
    { appName: 'crm', window: 'Accounts' },
  ],
  [
    'a start',
    { verb: 'launch', needs: {}, start: startOf('/usr/bin/crm') },
    { app: '/usr/bin/crm', runs: [], installed: true },
  ],
  ['what keys go to', { verb: 'key', needs: {}, window: windowInfo(), lands: { target: targetOf() } }, FOUND],
  ['an unknown target', { verb: 'key', needs: {}, window: windowInfo(), lands: {} }, { ...WHERE, unseen: true }],
  ['a target before what keys go to', aimAt({}, { lands: { target: targetOf({ name: 'Other' }) } }), FOUND],
  ['a target, and keys whose target is unknown', aimAt({}, { lands: {} }), { ...WHERE, unseen: true }],
  ['the clipboard', { verb: 'copy', needs: {} }, {}],
])('of %s', (_, plan, facts) => {
  expect(targetFacts(plan)).toEqual(facts);
});
