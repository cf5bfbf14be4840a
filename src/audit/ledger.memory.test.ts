import { describe, expect, it } from 'vitest';
import { checkDraft } from './line.js';
import { MemoryLedger } from './ledger.js';

describe('MemoryLedger', () => {
  it('keeps the last thousand acts in the format of the log, redacted', async () => {
    const ledger = new MemoryLedger({ text: (text) => text.replace('canary', '‹secret:x›') });
    const target = { app: '/usr/bin/mousepad', appName: 'Mousepad', role: 'button', name: 'canary', confidence: 0.5 };
    const of = await ledger.intent({ tool: 'ui_click', caller: 'cli', rule: 'private/all', target });
    await ledger.outcome(of, { status: 'ok', delivered: 'yes', durationMs: 1.6 });
    expect(ledger.records).toMatchObject([
      {
        ...{ kind: 'intent', seq: 1, caller: { surface: 'cli' }, decision: { answer: 'allow', rule: 'private/all' } },
        ...{ target: { role: 'button', name: '‹secret:x›' }, app: { program: '/usr/bin/mousepad', name: 'Mousepad' } },
        confidence: 0.5,
      },
      { kind: 'outcome', seq: 2, of: 1, cost: { ms: 2 } },
    ]);
    for (const { seq: _, at, ...draft } of ledger.records) expect(() => checkDraft(draft, at)).not.toThrow();
    for (let at = 0; at < 1_000; at++)
      await ledger.call({ tool: 'ui_snapshot', caller: 'cli', rule: 'r', status: 'ok' });
    expect(ledger.records).toHaveLength(1_000);
    expect(await ledger.note({ kind: 'pause', by: 'user' })).toBe(1_003);
  });
});
