import { describe, expect, test } from 'vitest';
import { factsOf } from '../facts.js';
import type { Secret } from '../file/schema.js';
import type { TargetFacts } from '../decision.js';
import { secretRefusal } from './rules.js';
import { withEffects } from '../../../tests/scenes/calls.js';

describe('where a secret may be typed', () => {
  const facts = (target: TargetFacts) =>
    factsOf(withEffects({ tool: 'ui_type', class: 'act', caller: 'mcp', desktop: 'seat', args: {}, keys: [], target }));
  const into: Secret['into'] = { app: '*/mybank', window: '*My Bank*' };
  const bank: TargetFacts = { app: '/usr/bin/mybank', appName: 'mybank', window: 'My Bank - Start', secure: true };
  test.each<[string, Secret['into'], TargetFacts, boolean]>([
    ['its target', into, bank, true],
    ['another window', into, { ...bank, window: 'Mail' }, false],
    ['another program', into, { ...bank, app: '/usr/bin/evil' }, false],
    ['an unverified program', into, { ...bank, app: undefined }, false],
    ['a secure field', { app: '*', secure: true }, bank, true],
    ['a field that is not secure', { app: '*', secure: true }, { ...bank, secure: false }, false],
  ])('%s', (_, wanted, target, fits) =>
    expect(secretRefusal({ env: 'X', into: wanted }, facts(target), []) === undefined).toBe(fits),
  );
  test('nowhere while the target is unknown', () => {
    const request = withEffects({ tool: 'ui_type', class: 'act', caller: 'mcp', desktop: 'seat' });
    expect(secretRefusal({ env: 'X', into }, factsOf(request), [])).toEqual({ why: 'another target' });
  });
});
