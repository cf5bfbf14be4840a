// @module-tag safety
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { withEffects } from '../../../tests/scenes/calls.js';
import { decide } from '../decide.js';
import { type DesktopKind, EFFECTS, type PolicyRequest } from '../decision.js';
import { preparePolicy } from '../policy.js';
import type { PolicyFile, Rule } from './schema.js';
import { isTighter } from './tighter.js';

type Fields = Omit<PolicyFile, 'version'>;
const file = (fields: Fields): PolicyFile => ({ version: 1, ...fields });
const user = (fields: Fields) => ({ user: file(fields) });

const deny: Rule = { name: 'no-send', when: { name: 'Send*' }, decision: 'deny' };
const allow: Rule = { name: 'calc', when: { app: '*/calc' }, decision: 'allow' };
const ask: Rule = { name: 'ask-low', when: { class: 'act', risk: ['low', 'medium'] }, decision: 'ask' };
const pin = { command: ['pass', 'pin'], into: { app: '/usr/bin/bank' } };
const other = { env: 'PIN', into: { app: '/usr/bin/bank' } };
const anchor = { command: ['logger'] };

describe('a change of the user policy', () => {
  test.each<[string, Fields, Fields, boolean]>([
    ['nothing', { rules: [deny] }, { rules: [deny] }, true],
    ['a deny on top', { rules: [allow] }, { rules: [deny, allow] }, true],
    ['a deny at the end', { rules: [allow] }, { rules: [allow, deny] }, true],
    ['an ask for acts on top', { rules: [allow] }, { rules: [ask, allow] }, true],
    ['an ask above a deny', { rules: [deny] }, { rules: [ask, deny] }, false],
    ['an ask for anything', {}, { rules: [{ name: 'all', decision: 'ask' }] }, false],
    ['an ask for captures', {}, { rules: [{ ...ask, when: { ...ask.when, class: ['act', 'capture'] } }] }, false],
    [
      'an ask for prohibited acts',
      {},
      { rules: [{ ...ask, when: { class: 'act', risk: ['high', 'prohibited'] } }] },
      false,
    ],
    ['an ask without risk', {}, { rules: [{ ...ask, when: { class: 'act' } }] }, false],
    [
      'an ask on a readonly desktop',
      { profile: { seat: 'readonly' } },
      { profile: { seat: 'readonly' }, rules: [ask] },
      false,
    ],
    ['an allow', {}, { rules: [allow] }, false],
    ['an allow that is gone', { rules: [allow, deny] }, { rules: [deny] }, true],
    ['a deny that is gone', { rules: [deny, allow] }, { rules: [allow] }, false],
    ['an allow that became a deny', { rules: [allow] }, { rules: [{ ...allow, decision: 'deny' }] }, true],
    ['a deny that became an ask', { rules: [deny] }, { rules: [{ ...deny, decision: 'ask' }] }, false],
    ['an allow moved up', { rules: [deny, allow] }, { rules: [allow, deny] }, false],
    ['a narrower deny', { rules: [deny] }, { rules: [{ ...deny, when: { name: 'Send' } }] }, false],
    ['a wider grant', { rules: [{ ...ask, grant: 'once' }] }, { rules: [{ ...ask, grant: 'app' }] }, false],
    ['a lower limit', { limits: { actsPerMinute: 50 } }, { limits: { actsPerMinute: 5 } }, true],
    ['a first limit below the built-in one', {}, { limits: { actsPerMinute: 5 } }, true],
    ['a higher limit', {}, { limits: { actsPerMinute: 5_000 } }, false],
    ['a limit that is gone', { limits: { actsPerMinute: 5 } }, {}, false],
    ['one lower and one higher', {}, { limits: { actsPerMinute: 5, capturesPerMinute: 5_000 } }, false],
    ['more blocks', { windows: { block: ['a'] } }, { windows: { block: ['b', 'a'] } }, true],
    ['fewer blocks', { windows: { block: ['a', 'b'] } }, { windows: { block: ['b'] } }, false],
    ['an unblock', {}, { windows: { unblock: ['*Banking*'] } }, false],
    ['an unblock that is gone', { windows: { unblock: ['*Banking*'] } }, {}, true],
    ['a first allow list of windows', {}, { windows: { allow: ['Notes'] } }, true],
    ['a narrower one', { windows: { allow: ['Notes', 'x'] } }, { windows: { allow: ['x'] } }, true],
    ['a wider one', { windows: { allow: ['x'] } }, { windows: { allow: ['Notes', 'x'] } }, false],
    ['one that is gone', { windows: { allow: ['x'] } }, {}, false],
    ['a program to launch', {}, { launch: { allow: ['/usr/bin/calc'] } }, false],
    ['fewer programs', { launch: { allow: ['/a', '/b'] } }, { launch: { allow: ['/b'] } }, true],
    ['more programs', { launch: { allow: ['/b'] } }, { launch: { allow: ['/a', '/b'] } }, false],
    [
      'fewer programs beside a rule about risk',
      { launch: { allow: ['/a', '/b'] }, rules: [ask] },
      { launch: { allow: ['/b'] }, rules: [ask] },
      false,
    ],
    [
      'fewer programs beside a rule about names',
      { launch: { allow: ['/a', '/b'] }, rules: [deny] },
      { launch: { allow: ['/b'] }, rules: [deny] },
      true,
    ],
    ['a stricter profile', {}, { profile: { virtual: 'guarded' } }, true],
    ['a milder profile', {}, { profile: { seat: 'private' } }, false],
    ['one stricter, one milder', {}, { profile: { virtual: 'readonly', seat: 'private' } }, false],
    ['enabled', {}, { enabled: true }, false],
    ['enabled as before, and less time', { enabled: true }, { enabled: true, approvals: { seconds: 10 } }, true],
    ['no longer enabled', { enabled: true }, { enabled: false }, true],
    ['a secret', {}, { secrets: { pin } }, false],
    ['a secret with the name of a property of every object', {}, { secrets: { constructor: pin } }, false],
    ['a secret that is gone', { secrets: { pin, other } }, { secrets: { other } }, true],
    ['another source of a secret', { secrets: { pin: other } }, { secrets: { pin } }, false],
    ['a mask', {}, { masks: ['email'] }, true],
    ['a mask that is gone', { masks: ['email'] }, {}, false],
    ['an anchor', {}, { audit: { anchor } }, false],
    ['an anchor that is gone', { audit: { anchor } }, {}, false],
    ['longer evidence', {}, { audit: { keepDays: 200 } }, false],
    ['words', {}, { risk: { words: ['ok'] } }, false],
    ['words that are gone', { risk: { words: ['ok'] } }, {}, false],
    ['less time to answer', {}, { approvals: { seconds: 10 } }, true],
    ['more time to answer', {}, { approvals: { seconds: 300 } }, false],
    ['fewer channels', {}, { approvals: { channels: ['terminal'] } }, true],
    [
      'more channels',
      { approvals: { channels: ['terminal'] } },
      { approvals: { channels: ['terminal', 'mcp'] } },
      false,
    ],
    ['answers by a client', {}, { approvals: { elicitation: 'high' } }, false],
    ['no answers by a client', {}, { approvals: { elicitation: 'off' } }, true],
  ])('%s', (_, before, after, tighter) => expect(isTighter(user(before), user(after))).toBe(tighter));

  it('an empty file is no change', () => expect(isTighter({}, user({}))).toBe(true));

  it('a managed file that no longer tightens is looser', () => {
    const before = { ...user({ rules: [allow] }), managed: file({ rules: [deny] }) };
    expect(isTighter(before, user({ rules: [allow] }))).toBe(false);
    expect(isTighter(user({ rules: [allow] }), before)).toBe(true);
  });

  it('a managed list of programs that is gone no longer narrows the list of the user', () => {
    const own = user({ launch: { allow: ['/a', '/b'] } });
    expect(isTighter({ ...own, managed: file({ launch: { allow: ['/a'] } }) }, own)).toBe(false);
  });
});

// ---- Random files and edits against `decide`.

const made = <T>(one: fc.Arbitrary<unknown>): fc.Arbitrary<T> => one as fc.Arbitrary<T>;
const some = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });
const when = made<NonNullable<Rule['when']>>(
  fc.record(
    {
      class: fc.constantFrom('act', 'read', 'capture', ['act', 'raw']),
      risk: fc.uniqueArray(fc.constantFrom('low', 'medium', 'high', 'prohibited'), { minLength: 1 }),
      app: fc.constantFrom('*', '*/calc', '*/xterm'),
      name: fc.constantFrom('OK', 'del*', '*'),
      window: fc.constantFrom('*', 'Notes'),
    },
    { requiredKeys: [], noNullPrototype: true },
  ),
).map((all) => Object.fromEntries(Object.entries(all).slice(0, 2)) as NonNullable<Rule['when']>);
const rule = fc.record({ when, decision: fc.constantFrom(...EFFECTS) });
const named = (rules: readonly Omit<Rule, 'name'>[]): Rule[] => rules.map((one, at) => ({ name: `r${at}`, ...one }));
const fields = {
  windows: some(
    fc.record(
      { block: fc.subarray(['*files*', 'x', 'Notes']), allow: fc.constantFrom(['*'], ['Notes'], ['Notes', '*calc']) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
  launch: some(fc.subarray(['/usr/bin/calc', '/usr/bin/*', '/x']).map((list) => ({ allow: list }))),
  enabled: some(fc.boolean()),
  profile: some(
    fc.record(
      {
        seat: fc.constantFrom('guarded', 'private', 'readonly'),
        virtual: fc.constantFrom('guarded', 'private', 'readonly'),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
  risk: some(fc.constantFrom({ words: ['ok'] }, { apps: { finance: ['calc'] } })),
};
const policy = made<PolicyFile>(
  fc.record({ version: fc.constant(1), ...fields, rules: fc.array(rule, { maxLength: 4 }).map(named) }),
);
/** Few changes at once, so that many of them are tighter: some fields from another file, rules put in and taken out. */
const edit = fc.record({
  fields: made<PolicyFile>(fc.record(fields)),
  taken: fc.subarray(Object.keys(fields) as (keyof typeof fields)[], { maxLength: 2 }),
  add: fc.array(fc.record({ at: fc.nat(4), rule }), { maxLength: 2 }),
  drop: fc.array(fc.nat(4), { maxLength: 1 }),
});
const edited = (
  from: PolicyFile,
  { fields: given, taken, add, drop }: typeof edit extends fc.Arbitrary<infer E> ? E : never,
): PolicyFile => {
  const rules = (from.rules ?? []).filter((_, at) => !drop.includes(at));
  add.forEach(({ at, rule: one }, number) => rules.splice(at, 0, { name: `added${number}`, ...one }));
  return { ...from, ...Object.fromEntries(taken.map((field) => [field, given[field]])), rules };
};
const TOOLS = {
  ui_read: 'read',
  ui_capture: 'capture',
  ui_click: 'act',
  ui_launch: 'act',
  ui_click_xy: 'raw',
} as const;
const request = fc.constantFrom(...(Object.keys(TOOLS) as (keyof typeof TOOLS)[])).chain((tool) =>
  made<PolicyRequest>(
    fc.record({
      ...{ tool: fc.constant(tool), class: fc.constant(TOOLS[tool]), caller: fc.constant('mcp') },
      ...{ desktop: fc.constantFrom<DesktopKind>('seat', 'virtual'), enabled: fc.boolean(), keys: fc.constant([]) },
      ...{ args: fc.constantFrom({}, undefined), pixels: fc.boolean() },
      target: fc.option(
        fc.record({
          app: fc.constantFrom('/usr/bin/calc', '/usr/bin/xterm', '/usr/bin/python3', undefined),
          appName: fc.constantFrom('calc', 'x', undefined),
          window: fc.constantFrom('Notes', 'Files', 'My Banking', undefined),
          name: fc.constantFrom('OK', 'Delete', 'Pay', undefined),
          method: fc.constantFrom('id', 'ocr', undefined),
          ...{ contradicted: fc.boolean(), installed: fc.boolean() },
        }),
        { nil: undefined, freq: 5 },
      ),
    }),
  ).map(withEffects),
);

it('no decision is looser after a change that counts as tighter', { timeout: 300_000 }, () => {
  const counted = { tighter: 0, stricter: 0 };
  const property = fc.property(
    ...([policy, some(policy), edit, edit, fc.array(request, { minLength: 6, maxLength: 6 })] as const),
    (own, managed, ownEdit, managedEdit, requests) => {
      const before = { user: own, ...(managed && { managed }) };
      const after = { user: edited(own, ownEdit), ...(managed && { managed: edited(managed, managedEdit) }) };
      if (!isTighter(before, after)) return true;
      counted.tighter += 1;
      return requests.every((one) => {
        const [old, now] = [before, after].map((files) => decide(preparePolicy(files, one.desktop), one).answer);
        const change = EFFECTS.indexOf(now!) - EFFECTS.indexOf(old!);
        if (change > 0) counted.stricter += 1;
        return change >= 0;
      });
    },
  );
  fc.assert(property, { numRuns: process.env.SOAK ? 60_000 : 2_500 });
  // Otherwise the property would hold for a function that always says no.
  expect(counted.tighter).toBeGreaterThan(100);
  expect(counted.stricter).toBeGreaterThan(20);
});
