import { describe, expect, test } from 'vitest';
import { compilePolicy, policyHash } from './policy.js';
import type { PolicyFile } from './file/schema.js';
import { withEffects } from '../../tests/scenes/calls.js';

describe('policyHash', () => {
  const user: PolicyFile = {
    version: 1,
    enabled: true,
    rules: [{ name: 'a', decision: 'deny', when: { tool: 'ui_click' } }],
  };
  const same: PolicyFile = {
    rules: [{ when: { tool: 'ui_click' }, decision: 'deny', name: 'a' }],
    enabled: true,
    version: 1,
  };
  const hash = policyHash('guarded', { user });
  test('does not depend on the order of fields', () => {
    expect(policyHash('guarded', { user: same })).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
  test.each<[string, string]>([
    ['another profile', policyHash('private', { user })],
    ['another tier', policyHash('guarded', { managed: user })],
    ['another field', policyHash('guarded', { user: { ...user, enabled: false } })],
    ['another file beside it', policyHash('guarded', { user, project: { version: 1 } })],
    ['nothing', policyHash('guarded', {})],
  ])('differs for %s', (_, other) => expect(other).not.toBe(hash));
  test('is part of every decision', () => {
    const policy = compilePolicy({ user }, 'seat');
    const userApprovals = withEffects({ tool: 'ui_read', class: 'read', caller: 'cli', desktop: 'seat' });
    expect([policy.hash, policy.decide(userApprovals).policyHash]).toEqual([hash, hash]);
  });
});
