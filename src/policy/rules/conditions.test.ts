import { describe, expect, test } from 'vitest';
import type { Effect, Ternary } from '../decision.js';
import { REDACTED } from './argument-match.js';
import type { CallFacts } from '../facts.js';
import { MATCHERS } from './conditions.js';
import type { When } from '../file/schema.js';
import type { Level } from '../risk/risk.js';
import { compileWhen } from './rules.js';

const KNOWN: CallFacts = {
  ...{ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'seat', args: {}, keys: [], secure: false },
  ...{ does: [], actions: ['click'] },
  ...{ app: { path: '/usr/bin/thunderbird' }, appName: 'thunderbird', window: 'Inbox - Mail', role: 'button' },
  ...{ name: 'Send now', description: null, method: 'name', confidence: 0.8, contradicted: false },
};
const LONG = `${'L'.repeat(194)}…(+63)`;
const CLAIMED: Partial<CallFacts> = { app: { claimed: 'thunderbird' } };

function match(
  when: When,
  facts: Partial<CallFacts>,
  decision: Effect,
  levels: readonly Level[] = ['medium'],
): Ternary {
  const risk = { levels, score: { least: 0, most: 0 }, parts: [] };
  return compileWhen(when)({ facts: { ...KNOWN, ...facts }, risk }, decision);
}

const pressed = (...keys: string[]): Partial<CallFacts> => ({
  ...{ tool: 'ui_key', does: ['press'], args: { keys: keys.join(' ') }, keys },
});

type Case = [when: When, facts: Partial<CallFacts>, expected: Ternary, decision?: Effect];

const CASES: Record<keyof typeof MATCHERS | 'all of them', Case[]> = {
  tool: [
    [{ tool: 'ui_click' }, {}, 'yes'],
    [{ tool: ['ui_type', 'ui_click'] }, {}, 'yes'],
    [{ tool: 'ui_type' }, {}, 'no'],
    [{ tool: 'ui_clic' }, {}, 'no'],
  ],
  class: [
    [{ class: 'act' }, {}, 'yes'],
    [{ class: ['read', 'capture'] }, {}, 'no'],
    [{ class: 'act' }, { class: 'raw' }, 'no'],
    [{ class: 'raw' }, { class: 'raw' }, 'yes'],
  ],
  caller: [
    [{ caller: 'mcp' }, {}, 'yes'],
    [{ caller: ['cli', 'replay'] }, {}, 'no'],
    [{ caller: ['cli'] }, { caller: 'someone' }, 'no'],
  ],
  desktop: [
    [{ desktop: 'seat' }, {}, 'yes'],
    [{ desktop: ['virtual', 'remote'] }, {}, 'no'],
    [{ desktop: ['virtual', 'remote'] }, { desktop: 'remote' }, 'yes'],
  ],
  method: [
    [{ method: 'name' }, {}, 'yes'],
    [{ method: ['ocr', 'point'] }, {}, 'no'],
    [{ method: 'name' }, { method: undefined }, 'maybe'],
    [{ method: 'name' }, { method: null }, 'no'],
  ],
  risk: [],
  secure: [
    [{ secure: true }, {}, 'no'],
    [{ secure: false }, {}, 'yes'],
    [{ secure: true }, { secure: true }, 'yes'],
    [{ secure: true }, { secure: undefined }, 'maybe'],
  ],
  app: [
    [{ app: '*/thunderbird' }, {}, 'yes'],
    [{ app: '/usr/bin/thunderbird' }, {}, 'yes'],
    [{ app: ['*/x', '/USR/bin/*'] }, {}, 'yes'],
    [{ app: 'thunderbird' }, {}, 'no'],
    [{ app: '*/thunder' }, {}, 'no'],
    [{ app: '*/thunderbird' }, { app: undefined }, 'maybe'],
    [{ app: '*/thunderbird' }, { app: null }, 'no'],
    [{ app: '*/thunderbird' }, {}, 'yes', 'allow'],
    [{ app: '*/bash' }, { runs: ['/usr/bin/env', '/usr/bin/bash'] }, 'yes', 'deny'],
    [{ app: '*/bash' }, { runs: ['/usr/bin/bash'] }, 'yes', 'ask'],
    [{ app: '*/bash' }, { runs: ['/usr/bin/bash'] }, 'no', 'allow'],
    [{ app: '*/bash' }, { runs: ['/usr/bin/dash'] }, 'no', 'deny'],
    [{ app: '*/thunderbird' }, CLAIMED, 'yes', 'deny'],
    [{ app: '*/thunderbird' }, CLAIMED, 'yes', 'ask'],
    [{ app: '*/thunderbird' }, CLAIMED, 'no', 'allow'],
    [{ app: '*' }, CLAIMED, 'no', 'allow'],
    [{ app: '/usr/bin/thunderbird' }, CLAIMED, 'yes', 'deny'],
    [{ app: '/usr/bin/evolution' }, CLAIMED, 'no', 'deny'],
    [{ app: '*/thunderbird' }, { app: { claimed: '/opt/thunderbird' } }, 'yes', 'deny'],
    [{ app: '*' }, { app: { claimed: '' } }, 'no', 'deny'],
    [{ app: '*/thunderbird' }, { app: { path: '/tmp/thunderbird\u200b' } }, 'yes'],
  ],
  appName: [
    [{ appName: 'thunder*' }, {}, 'yes'],
    [{ appName: 'evolution' }, {}, 'no'],
    [{ appName: 'x' }, { appName: undefined }, 'maybe'],
    [{ appName: '*' }, { appName: null }, 'no'],
  ],
  window: [
    [{ window: '*Payroll*' }, { window: LONG, fullTitle: `${'L'.repeat(240)} Payroll` }, 'yes'],
    [{ window: '*Payroll*' }, { window: LONG, fullTitle: 'L'.repeat(300) }, 'no'],
    [{ window: '*Payroll*' }, { window: LONG }, 'maybe'],
    [{ window: '*mail' }, {}, 'yes'],
    [{ window: ['a', 'inbox*'] }, {}, 'yes'],
    [{ window: 'Inbox' }, {}, 'no'],
    [{ window: '*' }, { window: undefined }, 'maybe'],
    [{ window: '*' }, { window: '' }, 'yes'],
    [{ window: '*' }, { window: null }, 'no'],
  ],
  role: [
    [{ role: 'button' }, {}, 'yes'],
    [{ role: ['link', 'menu*'] }, {}, 'no'],
    [{ role: 'button' }, { role: undefined }, 'maybe'],
  ],
  name: [
    [{ name: 'Send*' }, {}, 'yes'],
    [{ name: ['Delete', '*now'] }, {}, 'yes'],
    [{ name: 'Send' }, {}, 'no'],
    [{ name: 'Send*' }, { name: 'Ｓｅｎｄ\u00a0now' }, 'yes'],
    [{ name: 'Send*' }, { name: 'S\u200bend' }, 'yes'],
    [{ name: 'Send*' }, { name: undefined }, 'maybe'],
    [{ name: 'Send*' }, { name: null }, 'no'],
    [{ name: '*Delete*' }, { name: LONG }, 'maybe'],
    [{ name: ['x', 'L*'] }, { name: LONG }, 'yes'],
    [{ name: 'Delete*' }, { name: LONG }, 'no'],
    [{ name: '*Delete*' }, { name: 'Open …(+3)' }, 'no'],
  ],
  confidence: [
    [{ confidence: '<0.5' }, {}, 'no'],
    [{ confidence: '<0.81' }, {}, 'yes'],
    [{ confidence: '<0.8' }, {}, 'no'],
    [{ confidence: '<=0.8' }, {}, 'yes'],
    [{ confidence: '<=0.9' }, {}, 'yes'],
    [{ confidence: '<=0.7' }, {}, 'no'],
    [{ confidence: '> .79' }, {}, 'yes'],
    [{ confidence: '>0.8' }, {}, 'no'],
    [{ confidence: '>=0.8' }, {}, 'yes'],
    [{ confidence: ['<0.1', '>=0.5'] }, {}, 'yes'],
    [{ confidence: '<1' }, { confidence: undefined }, 'maybe'],
    [{ confidence: '<=1' }, { confidence: null }, 'no'],
  ],
  args: [
    [{ args: { action: 'close' } }, { args: { action: 'close' } }, 'yes'],
    [{ args: { action: 'close' } }, { args: { action: 'move' } }, 'no'],
    [{ args: { action: ['close', 'mo*'] } }, { args: { action: 'move' } }, 'yes'],
    [{ args: { action: '*' } }, { args: {} }, 'no'],
    [{ args: { action: '*' } }, { args: undefined }, 'maybe'],
    [{ args: { a: '1', b: '2' } }, { args: { a: 1, b: 2 } }, 'yes'],
    [{ args: { a: '1', b: '2' } }, { args: { a: 1, b: 3 } }, 'no'],
    [{ args: { enter: 'true' } }, { args: { enter: true } }, 'yes'],
    [{ args: { 'a.b': 'x' } }, { args: { a: { b: 'x' } } }, 'yes'],
    [{ args: { 'a.b': 'x' } }, { args: { 'a.b': 'x' } }, 'no'],
    [{ args: { args: '--evil' } }, { args: { args: ['-v', '--evil'] } }, 'yes'],
    [{ args: { 'args.0': '--evil' } }, { args: { args: ['-v', '--evil'] } }, 'no'],
    [{ args: { 'steps.tool': 'ui_type' } }, { args: { steps: [{ tool: 'ui_key' }, { tool: 'ui_type' }] } }, 'yes'],
    [{ args: { a: '*' } }, { args: { a: { b: 1 } } }, 'no'],
    [{ args: { toString: '*' } }, { args: {} }, 'no'],
    [{ args: { text: '*rm*' } }, { args: { text: REDACTED } }, 'yes', 'deny'],
    [{ args: { text: '*rm*' } }, { args: { text: REDACTED } }, 'yes', 'ask'],
    [{ args: { text: '*' } }, { args: { text: REDACTED } }, 'no', 'allow'],
    [{ args: { text: 'y*' } }, { args: { text: 'x'.repeat(30_000) } }, 'yes', 'deny'],
    [{ args: { text: 'x*' } }, { args: { text: 'x'.repeat(30_000) } }, 'no', 'allow'],
    [{ args: { keys: 'ctrl+n' } }, pressed('Control_L+n'), 'yes', 'deny'],
    [{ args: { keys: 'ctrl+n' } }, pressed('Control_L+n'), 'no', 'allow'],
    [{ args: { keys: 'Control_L+n' } }, pressed('Control_L+n'), 'yes', 'allow'],
    [{ args: { keys: 'ctrl+n' } }, pressed('Down', 'Control+N'), 'yes', 'ask'],
    [{ args: { keys: 'Down Down' } }, pressed('ArrowDown', 'ArrowDown'), 'yes', 'deny'],
    [{ args: { keys: 'ctrl+n' } }, pressed('n'), 'no', 'deny'],
    // Key aliases apply only to `keys` of ui_key; elsewhere the text is matched as written.
    [{ args: { keys: 'ctrl+n' } }, { ...pressed('Control_L+n'), tool: 'ui_other', does: [] }, 'no', 'deny'],
    [{ args: { other: 'ctrl+n' } }, { ...pressed('Control_L+n'), args: { other: 'Control_L+n' } }, 'no', 'deny'],
    // The pressed keys are not known yet.
    [{ args: { keys: 'ctrl+n' } }, { ...pressed('Control_L+n'), keys: undefined }, 'maybe', 'deny'],
    [{ args: { keys: 'ctrl+n' } }, { ...pressed('ctrl+n'), keys: undefined }, 'yes', 'deny'],
    [{ args: { keys: 'ctrl+n' } }, { ...pressed('ctrl+n'), keys: undefined }, 'maybe', 'allow'],
    [{ args: { keys: 'ctrl+n' } }, { ...pressed('Control_L+n'), keys: undefined }, 'no', 'allow'],
  ],
  'all of them': [
    [{}, {}, 'yes'],
    [{ tool: 'ui_click', class: 'act', app: '*bird', name: 'Send*' }, {}, 'yes'],
    [{ tool: 'ui_click', name: 'Delete' }, {}, 'no'],
    [{ tool: 'ui_click', name: 'Send*' }, { name: undefined }, 'maybe'],
    [{ tool: 'ui_type', name: 'Send*' }, { name: undefined }, 'no'],
    [{ tool: 'ui_click', name: undefined }, {}, 'yes'],
  ],
};

for (const [key, cases] of Object.entries(CASES)) {
  if (cases.length === 0) continue;
  describe(key, () => {
    test.each(cases)('%j on %j: %s', (when, facts, expected, decision = 'deny') => {
      expect(match(when, facts, decision)).toBe(expected);
    });
  });
}

test.each<[Level | Level[], Level[], Ternary]>([
  ['high', ['high'], 'yes'],
  ['high', ['medium'], 'no'],
  [['low', 'medium'], ['medium'], 'yes'],
  [['low', 'medium'], ['low', 'medium'], 'yes'],
  [['low', 'medium'], ['medium', 'high'], 'maybe'],
  ['prohibited', ['low', 'medium'], 'no'],
])('condition risk %j on levels %j: %s', (risk, levels, expected) => {
  expect(match({ risk }, {}, 'deny', levels)).toBe(expected);
});

test('every case is valid by the schema of its matcher', () => {
  for (const [key, cases] of Object.entries(CASES)) {
    for (const [when] of cases) {
      for (const [name, value] of Object.entries(when)) {
        const { schema } = MATCHERS[name as keyof typeof MATCHERS];
        if (value !== undefined) expect(schema.safeParse(value).success, `${key} ${JSON.stringify(value)}`).toBe(true);
      }
    }
  }
});
