import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aimAt, windowInfo } from '../../../tests/scenes/aims.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { govern, type PolicyFile, type Question } from '../../policy/index.js';
import { type OpenQuestion, type PersonsAnswer } from '../approval/pending-approvals.js';
import { Desktop } from '../desktop/desktop.js';
import { admit, approve, type Known } from './authorize-session.js';
import type { Line } from '../approval/ask-user.js';
import type { Asked } from './policy-request.js';
import type { Decided } from './authorizer.js';

const ASKED: Asked = { tool: 'ui_query', class: 'read', caller: 'mcp:a', args: {} };
const ASKS: Decided = { answer: 'ask', rule: 'letters', scope: 'session', grant: 'app', policyHash: 'aa' };

let desktop: Desktop;
let ledger: MemoryLedger;
let asked: OpenQuestion[];
function open(user: Partial<PolicyFile> = {}, kind: Question['desktop'] = 'seat'): void {
  ledger = new MemoryLedger();
  const policy = govern({ user: { version: 1, ...user } }, kind);
  desktop = new Desktop({ name: 'desk', driver: fakeDesktop({ windows: [] }).driver, kind, policy, ledger });
}
beforeEach(() => {
  asked = [];
  open();
});
afterEach(() => desktop.close());

const saying = (answer: PersonsAnswer): Line => ({
  onQuestion: (question) => {
    asked.push(question);
    setImmediate(() => desktop.governor.questions.answer(question.id, answer));
  },
});
const YES = saying({ channel: 'terminal', scope: 'once' });
const kinds = (): string[] => ledger.records.map(({ kind }) => kind);
const known =
  (decided: Decided, aim = aimAt()): Known =>
  async () => ({ decided, aim });

describe('a session', () => {
  it('is enabled by a yes, which is written down before it counts', async () => {
    await admit(desktop, ASKED, YES);
    expect([asked.length, desktop.governor.isEnabled('mcp:a')]).toEqual([1, true]);
    expect(kinds()).toEqual(['ask', 'answer', 'policy']);
    expect(ledger.records[2]).toMatchObject({ event: 'enabled', by: 'terminal', policy: desktop.governor.rules.hash });
    await admit(desktop, ASKED, {});
    expect(asked).toHaveLength(1);
  });

  it('is not enabled when that cannot be written', async () => {
    const note = ledger.note.bind(ledger);
    ledger.note = (one) => (one.kind === 'policy' ? Promise.reject(new Error('disk full')) : note(one));
    await expect(admit(desktop, ASKED, YES)).rejects.toThrow('disk full');
    expect(desktop.governor.isEnabled('mcp:a')).toBe(false);
  });

  it('is asked about once, though two calls of it wait', async () => {
    await Promise.all([admit(desktop, ASKED, YES), admit(desktop, { ...ASKED, args: {} }, YES)]);
    expect(asked).toHaveLength(1);
  });

  it('is not enabled by a grant', async () => {
    desktop.governor.grants.give('session', {
      ...{ session: 'mcp:a', tool: 'ui_query', class: 'read', program: '', risk: 'medium' },
    });
    await admit(desktop, ASKED, YES);
    expect(asked).toHaveLength(1);
    const risk: Decided['risk'] = { levels: ['low'], score: { least: 0, most: 0 }, parts: [] };
    await approve(desktop, ASKED, YES, async () => ({ decided: { ...ASKS, risk, grant: 'session', enables: true } }));
    expect(asked).toHaveLength(2);
  });

  it('counts against the minute once it is let pass', async () => {
    await desktop.close();
    open({ limits: { actsPerMinute: 1 } }, 'virtual');
    const act: Asked = { ...ASKED, tool: 'ui_click', class: 'act' };
    await admit(desktop, act, {});
    await expect(admit(desktop, act, {})).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('a look that a person is asked about', () => {
  it('goes on after a yes, and enables nothing', async () => {
    await approve(desktop, ASKED, YES, known(ASKS));
    expect(kinds()).toEqual(['ask', 'answer']);
    expect(desktop.governor.isEnabled('mcp:a')).toBe(false);
  });

  it('is not asked about when the answer is another by now, or a grant covers it', async () => {
    await approve(desktop, ASKED, YES, known({ answer: 'allow', rule: 'all' }));
    desktop.governor.grants.give('session', {
      ...{ session: 'mcp:a', tool: 'ui_query', class: 'read', program: '/usr/bin/crm', risk: 'medium' },
    });
    const risk: Decided['risk'] = { levels: ['low'], score: { least: 0, most: 0 }, parts: [] };
    await approve(desktop, ASKED, YES, known({ ...ASKS, risk }));
    expect(asked).toEqual([]);
    await approve(desktop, ASKED, YES, known({ ...ASKS, grant: 'once', risk }));
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Decided, ReturnType<typeof aimAt>]>([
    ['the window', ASKS, aimAt({}, { window: windowInfo({ title: 'Other' }) })],
    ['the rule', { ...ASKS, rule: 'other' }, aimAt()],
    ['the policy', { ...ASKS, policyHash: 'bb' }, aimAt()],
  ])('is refused when %s is another afterwards', async (_, decided, aim) => {
    let times = 0;
    const turning: Known = async () => ((times += 1) === 1 ? { decided: ASKS, aim: aimAt() } : { decided, aim });
    await expect(approve(desktop, ASKED, YES, turning)).rejects.toMatchObject({
      code: 'target_changed',
      retry: 'safe',
    });
  });

  it('holds the turn while a person thinks', async () => {
    const order: string[] = [];
    const first = approve(desktop, ASKED, YES, known(ASKS)).then(() => order.push('asked'));
    const second = approve(desktop, ASKED, {}, async () => {
      order.push('next');
      return { decided: { answer: 'allow', rule: 'all' } };
    });
    await Promise.all([first, second]);
    expect(order).toEqual(['asked', 'next']);
  });
});
