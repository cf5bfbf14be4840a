import { describe, expect, test } from 'vitest';
import { explain } from './explain.js';
import { compilePolicy } from './policy.js';
import type { PolicyRequest, TargetFacts } from './decision.js';

describe('explain', () => {
  const policy = compilePolicy({ user: { version: 1, enabled: true } }, 'seat');
  const target: TargetFacts = {
    ...{ appName: 'pay', window: 'Bank "x"\u202e', role: 'button', name: 'Pay', method: 'name', confidence: 0.93 },
  };
  const asked: PolicyRequest = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'seat', args: {}, target };
  test('tells rule, tier, score, voices and facts, with screen text in quotes', () => {
    expect(explain(policy.decide(asked))).toEqual([
      'ask (rule guarded/act-high, built-in)',
      '  a yes may cover: this once',
      '  risk high, score 7 = 3 click + 1 found by name + 3 the word "pay"',
      '  user      says nothing',
      '  project   says nothing',
      '  managed   says nothing',
      '  built-in  ask (guarded/act-high)',
      '  ui_click (act) by mcp on a seat desktop',
      '  app "pay" (not checked), appName "pay", window "Bank \\"x\\"", role "button", name "Pay", method name, confidence 0.93',
    ]);
  });
  test('tells what is not known yet', () => {
    const lines = explain(policy.decide({ ...asked, target: undefined }));
    expect(lines[0]).toBe('ask or deny, depending on what is not known yet');
    expect(lines.at(-1)).toBe('  not known: app, appName, window, role, name, method, secure, confidence');
  });
});
