import { describe, expect, it } from 'vitest';
import { aimAt, targetOf, windowInfo } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { compilePolicy, REDACTED } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallRequest } from './policy-request.js';
import { deniedError, Authorizer } from '../authorization/authorizer.js';
import { intentOf, isRefusal, recordCall, recordedAs } from './audit-record.js';
import { withEffects, withTraits } from '../../../tests/scenes/calls.js';

const ASKED: CallRequest = withTraits({
  tool: 'ui_type',
  class: 'act',
  caller: 'mcp:a',
  args: { target: 'e7', text: 'hunter2' },
});
const DECIDED = { answer: 'allow', rule: 'mine' } as const;
const DRIVER = { driver: 'fake/fake' };

const stage = () => {
  const ledger = new MemoryLedger();
  return { ledger, authorizer: new Authorizer('virtual', { rules: compilePolicy({}, 'virtual'), ledger }) };
};
const full = () => Promise.reject(new DesktopError('audit_unavailable', 'The disk is full.', { hint: 'make room.' }));

describe('an intent', () => {
  it.each<[string, ActionPlan | undefined, unknown]>([
    ['before the target is known', undefined, REDACTED],
    ['for a password field', aimAt({ states: { secret: true } }), REDACTED],
    ['for another field', aimAt(), 'hunter2'],
    ['for no field', { verb: 'type', needs: {} }, 'hunter2'],
    ['for what has the focus', { verb: 'type', needs: {}, lands: { target: targetOf() } }, 'hunter2'],
    [
      'for a password field that has the focus',
      { verb: 'type', needs: {}, lands: { target: targetOf({ states: { secret: true } }) } },
      REDACTED,
    ],
    ['for an unknown target', { verb: 'type', needs: {}, lands: {} }, REDACTED],
    ['for a field, and then an unknown target', aimAt({}, { lands: {} }), REDACTED],
  ])('%s: what is typed is written as it may be seen', (_, plan, text) => {
    expect(intentOf(ASKED, plan, DECIDED, DRIVER).args).toEqual({ target: 'e7', text });
  });

  it.each<[string, ActionPlan, object]>([
    ['its target, whatever keys go to', aimAt({}, { lands: {} }), { id: 'el-7', name: 'Delete' }],
    [
      'what keys go to',
      { ...aimAt(), target: undefined, lands: { target: targetOf({ name: 'Box' }) } },
      { name: 'Box' },
    ],
    ['its window, if no more is known', { ...aimAt(), target: undefined, lands: {} }, { window: 'Accounts' }],
  ])('names %s', (_, plan, target) => {
    const named = intentOf(ASKED, plan, DECIDED, DRIVER).target;
    expect(named).toMatchObject(target);
    expect(named).not.toHaveProperty('unseen');
  });

  it('names the process, where there is one', () => {
    expect(intentOf(ASKED, aimAt(), DECIDED, DRIVER)).toMatchObject({
      process: { pid: 71, start: 500 },
      target: { id: 'el-7' },
    });
    const none = { verb: 'close', needs: {}, window: windowInfo({ pid: undefined, started: undefined }) };
    expect(intentOf(ASKED, none, DECIDED, DRIVER)).not.toHaveProperty('process');
    expect(intentOf(ASKED, none, DECIDED, DRIVER).target).not.toHaveProperty('id');
  });
});

describe('what is done', () => {
  const INTENT = intentOf(ASKED, aimAt(), DECIDED, DRIVER);
  const DONE = { status: 'ok', delivered: 'yes' } as const;

  it('is between its intent and its outcome', async () => {
    const { authorizer, ledger } = stage();
    const during: number[] = [];
    await recordedAs(
      { authorizer },
      INTENT,
      () => 'unknown',
      async () => during.push(ledger.records.length),
      () => DONE,
    );
    expect(during).toEqual([1]);
    expect(ledger.records).toMatchObject([{ kind: 'intent' }, { kind: 'outcome', of: 1, ...DONE }]);
  });

  it('is not begun when that cannot be written, in whatever way it fails', async () => {
    for (const [fail, message] of [
      [full, 'The log could not be written, so nothing was done. The disk is full.'],
      [
        () => Promise.reject(Object.assign(new Error('EIO /secret/path'), { hint: 'of the system' })),
        'The log could not be written, so nothing was done.',
      ],
    ] as const) {
      const { authorizer, ledger } = stage();
      let begun = false;
      ledger.intent = fail;
      const work = async (): Promise<void> => void (begun = true);
      await expect(
        recordedAs(
          { authorizer },
          INTENT,
          () => 'no',
          work,
          () => DONE,
        ),
      ).rejects.toMatchObject({
        ...{ code: 'audit_unavailable', message, delivered: 'no', retry: 'after' },
        hint: fail === full ? 'make room.' : 'Free disk space or repair the log first.',
      });
      expect(begun).toBe(false);
    }
  });

  it('and cannot be logged afterwards is reported as done', async () => {
    const { authorizer, ledger } = stage();
    ledger.outcome = full;
    const one = recordedAs(
      { authorizer },
      INTENT,
      () => 'no',
      async () => 1,
      () => DONE,
    );
    await expect(one).rejects.toMatchObject({
      ...{ code: 'audit_unavailable', delivered: 'yes', retry: 'no', retryAfter: undefined },
      message: 'The log could not be written, although the act was done. The disk is full.',
    });
  });

  it.each([
    [new DesktopError('not_ready', 'It is disabled.'), 'not_ready'],
    [new Error('a fault of ours'), 'command_failed'],
  ])('and fails is written as failed: %s', async (error, code) => {
    const { authorizer, ledger } = stage();
    await expect(
      recordedAs(
        { authorizer },
        INTENT,
        () => 'unknown',
        () => Promise.reject(error),
        () => DONE,
      ),
    ).rejects.toBe(error);
    expect(ledger.records[1]).toMatchObject({ kind: 'outcome', status: 'failed', delivered: 'unknown', error: code });
    expect(ledger.records[1]).not.toHaveProperty('postcondition');
  });

  it('and does not bring what it was for is written so', async () => {
    const { authorizer, ledger } = stage();
    const unmet = () => Promise.reject(new DesktopError('verify_failed', 'It does not hold.'));
    const one = recordedAs(
      { authorizer },
      INTENT,
      () => 'yes',
      unmet,
      () => DONE,
    );
    await expect(one).rejects.toMatchObject({ code: 'verify_failed' });
    expect(ledger.records[1]).toMatchObject({ status: 'failed', error: 'verify_failed', postcondition: 'unsatisfied' });
  });
});

describe('a read, or a refusal, in one line', () => {
  const rule = new DesktopError('policy_denied', 'No.', { details: { rule: 'letters' } });
  it.each<[string, unknown, object]>([
    ['a read', undefined, { status: 'ok', decision: { answer: 'allow', rule: 'looked' } }],
    [
      'one that failed',
      new DesktopError('timeout', 'Too long.'),
      { status: 'failed', error: 'timeout', decision: { answer: 'allow', rule: 'looked' } },
    ],
    ['one that broke', new Error('ours'), { status: 'failed', error: 'command_failed', decision: { answer: 'allow' } }],
    ['a refusal', rule, { status: 'refused', error: 'policy_denied', decision: { answer: 'deny', rule: 'letters' } }],
    [
      'one without a rule',
      new DesktopError('rate_limited', 'No.'),
      { status: 'refused', decision: { answer: 'deny', rule: 'rate_limited' } },
    ],
    [
      'one with its decision',
      deniedError(
        'ui_type',
        compilePolicy({}, 'virtual').decide(withEffects({ ...ASKED, desktop: 'virtual', target: { name: 'Go' } })),
      ),
      { status: 'refused', decision: { tier: 'built-in' }, target: { name: 'Go' } },
    ],
  ])('%s', async (_, error, line) => {
    const { authorizer, ledger } = stage();
    const cost = { ms: 3, driverCalls: 4, tokens: 50 };
    await recordCall(authorizer, ASKED, 'fake', { error, cost });
    expect(ledger.records).toMatchObject([{ kind: 'call', ...line }]);
    const { cost: written } = ledger.records[0] as { cost?: object };
    // Equal refusals are one line: they may not differ in that.
    expect(written).toEqual((line as { status?: string }).status === 'refused' ? undefined : cost);
    if (error === undefined) expect(ledger.records[0]).not.toHaveProperty('error');
    expect(JSON.stringify(ledger.records)).not.toContain('hunter2');
  });

  it('that cannot be written is an error', async () => {
    const { authorizer, ledger } = stage();
    ledger.call = full;
    await expect(recordCall(authorizer, ASKED, 'fake', {})).rejects.toMatchObject({
      code: 'audit_unavailable',
      delivered: 'no',
    });
  });

  it.each([
    [new DesktopError('approval_denied', 'No.'), true],
    [new DesktopError('timeout', 'Too long.'), false],
    [Object.assign(new Error('no'), { code: 'policy_denied' }), false],
  ])('%s is a refusal: %s', (error, refused) => {
    expect(isRefusal(error)).toBe(refused);
  });
});
