import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedChildId, derivedId, siblingIndexes, type PathStep } from './items.js';
import { ROLES } from './roles/roles.js';

const window: PathStep = { role: 'window', name: 'Notes', index: 0 };
const save: PathStep = { role: 'button', name: 'Save', index: 0 };

test('has 64 bits and stays the same', () => {
  expect(derivedId([window, save])).toMatch(/^[0-9a-f]{16}$/);
  expect(derivedId([window, save])).toBe(derivedId([{ ...window }, { ...save }]));
  expect(derivedId([window, save])).toBe(derivedChildId(derivedId([window]), save));
});

test.each<[string, [PathStep, ...PathStep[]]]>([
  ['another role', [window, { ...save, role: 'link' }]],
  ['another name', [window, { ...save, name: 'Save all' }]],
  ['another sibling', [window, { ...save, index: 1 }]],
  ['another parent', [{ ...window, name: 'Other' }, save]],
  ['no parent', [save]],
  ['a level more', [window, { role: 'group', index: 0 }, save]],
  ['an id that spells the name', [window, { role: 'button', automationId: 'Save', index: 0 }]],
])('%s gives another id', (_what, path) => {
  expect(derivedId(path)).not.toBe(derivedId([window, save]));
});

test('ignores the name if there is a developer id', () => {
  const named = (name: string): PathStep => ({ role: 'button', automationId: 'go', name, index: 0 });
  expect(derivedId([named('Start')])).toBe(derivedId([named('Stop')]));
});

test('numbers similar siblings and starts again for others', () => {
  expect(
    siblingIndexes([
      { role: 'button', name: 'Edit' },
      { role: 'button', name: 'Edit' },
      { role: 'link', name: 'Edit' },
      { role: 'button', automationId: 'a', name: 'Edit' },
      { role: 'button', name: 'Edit' },
      { role: 'button' },
      { role: 'button', name: '' },
    ]),
  ).toEqual([0, 1, 0, 0, 2, 0, 1]);
});

test('different paths have different ids, whatever the names contain', () => {
  const step = fc.record({ role: fc.constantFrom(...ROLES), name: fc.string(), index: fc.nat(3) });
  const path = fc.array(step, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(path, path, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(derivedId(a as [PathStep]) === derivedId(b as [PathStep])).toBe(same);
    }),
  );
});
