import { describe, expect, test } from 'vitest';
import { explain } from './explain.js';
import { compilePolicy } from './policy.js';
import type { TargetFacts } from './decision.js';
import { withEffects } from '../../tests/scenes/calls.js';

describe('explain', () => {
  const policy = compilePolicy({ user: { version: 1, enabled: true } }, 'seat');
  const target: TargetFacts = {
    ...{ appName: 'pay', window: 'Bank "x"\u202e', role: 'button', name: 'Pay', method: 'name', confidence: 0.93 },
  };
  const userApprovals = withEffects({
    tool: 'ui_click',
    class: 'act',
    caller: 'mcp',
    desktop: 'seat',
    args: {},
    target,
  });
  test('lists rule, tier, score, tier results and facts, with screen text in quotes', () => {
    expect(explain(policy.decide(userApprovals))).toEqual([
      'ask (rule guarded/act-high, built-in)',
      '  approval may cover: this call only',
      '  risk high, score 7 = 3 click + 1 found by name + 3 the word "pay"',
      '  user      no answer',
      '  project   no answer',
      '  managed   no answer',
      '  built-in  ask (guarded/act-high)',
      '  ui_click (act) by mcp on a seat desktop',
      '  app "pay" (not verified), appName "pay", window "Bank \\"x\\"", role "button", name "Pay", method name, confidence 0.93',
    ]);
  });
  test('lists facts that are not known yet', () => {
    const lines = explain(policy.decide({ ...userApprovals, target: undefined }));
    expect(lines[0]).toBe('ask or deny, depending on facts that are not known yet');
    expect(lines.at(-1)).toBe('  not known: app, appName, window, role, name, method, secure, confidence');
  });
});
