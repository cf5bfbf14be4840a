import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ledgerKeys } from '../write/ledger-state.js';
import { openLedger } from '../write/open-ledger.js';
import { currentLog, ledgerPlaces, segmentPath, type LedgerPlaces } from '../locations.js';
import { followLog, readLast, readLog, type ReadLine } from './read-log.js';
import type { AuditRecord } from '../record.js';
import { readLineText, recordText } from './format-record.js';
import { verifyDesktop } from '../verify/verify.js';

let root: string;
let places: LedgerPlaces;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-read-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (limits = {}) => openLedger({ places, software: 'deskproof/test', limits });
const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all', target: { role: 'button', name: 'Save' } };
const done = { status: 'ok', delivered: 'yes' as const, durationMs: 3 };

describe('reading', () => {
  it('returns any acts as they were written', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    // zod drops this key when it parses; no tool has an argument of that name.
    const key = text.filter((word) => word !== '__proto__');
    const act = fc.record({
      tool: fc.constantFrom('ui_click', 'ui_type'),
      name: text,
      args: fc.dictionary(key, fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 4 })), {
        maxKeys: 5,
      }),
      reads: fc.nat(3),
      rotate: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        rmSync(places.logs, { recursive: true, force: true });
        rmSync(places.state, { recursive: true, force: true });
        const ledger = await open({ checkpointRecords: 5 });
        for (const { tool, name, args, reads, rotate } of acts) {
          for (let at = 0; at < reads; at++) await ledger.call({ ...click, status: 'ok' });
          const of = await ledger.intent({ ...click, tool, args, target: { name } });
          await ledger.outcome(of, done);
          if (rotate) await ledger.rotate();
        }
        await ledger.close();
        const intents = [...readLog(places.logs)].flatMap(({ record }) => (record?.kind === 'intent' ? record : []));
        expect(intents.map(({ tool, args, target }) => ({ tool, args, name: target?.name }))).toEqual(
          acts.map(({ tool, args, name }) => ({ tool, args: { ...args }, name })),
        );
        expect(verifyDesktop(places)).toMatchObject({ ok: true, records: ledger.seq });
      }),
      { numRuns: process.env.SOAK ? 200 : 15 },
    );
  }, 600_000);

  it('returns the last lines across segments', async () => {
    const ledger = await open();
    for (let at = 0; at < 3; at++) {
      await ledger.outcome(await ledger.intent(click), done);
      await ledger.rotate();
    }
    await ledger.close();
    const all = [...readLog(places.logs)];
    for (const most of [0, 1, 3, 8, 1_000])
      expect(readLast(places.logs, most)).toEqual(all.slice(Math.max(0, all.length - most)));
    expect(currentLog(places)).toBe(segmentPath(places.logs, 4));
    const keys = ledgerKeys(places)!;
    expect(keys.keys.map(({ closed }) => closed)).toEqual([true, true, true, false]);
    expect(keys.fingerprint).toBe(keys.keys[0]!.fingerprint);
    expect(new Set(keys.keys.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  });

  it('reports which line is not a record, and continues after it', async () => {
    await (await open()).close();
    appendFileSync(currentLog(places), 'not json\n{"v":9}\n{"v":1,"kind":"intent"}\nhalf a li');
    const lines = [...readLog(places.logs)].slice(2).map(readLineText);
    expect(lines).toEqual([
      'line 3 of segment 1: not a record',
      expect.stringContaining('newer Deskproof'),
      expect.stringContaining('A record of kind intent is not valid'),
    ]);
  });

  it('returns nothing for a desktop that never had a log', () => {
    expect([...readLog(places.logs)]).toEqual([]);
    expect(ledgerKeys(places)).toBeUndefined();
    expect(verifyDesktop(places)).toMatchObject({ ok: false, verdict: 'no records' });
  });
});

describe('following', () => {
  it('returns each new line once, across segments, until it is ended', async () => {
    const ledger = await open();
    const stop = new AbortController();
    const seen: ReadLine[] = [];
    const following = (async () => {
      for await (const line of followLog(places.logs, { last: 0, signal: stop.signal, pollMs: 1 })) {
        seen.push(line);
        if (line.record?.kind === 'stop') stop.abort();
      }
    })();
    await ledger.outcome(await ledger.intent(click), done);
    await ledger.rotate();
    await ledger.outcome(await ledger.intent(click), done);
    await ledger.note({ kind: 'stop', by: 'test' });
    await following;
    await ledger.close();
    const seqs = seen.map(({ record }) => record!.seq);
    expect(seqs).toEqual(seqs.map((_, at) => seqs[0]! + at));
    expect(seen.at(-1)?.record?.kind).toBe('stop');
    expect(seen.some(({ segment }) => segment === 2)).toBe(true);
  });
});

describe('showing', () => {
  it('formats a record as one line that cannot move a cursor', () => {
    const record: AuditRecord = {
      ...{
        v: 2,
        ledger: `L${'0'.repeat(32)}`,
        seq: 7,
        prev: '0'.repeat(64),
        at: '2026-11-15T10:30:45.120Z',
        kind: 'intent',
      },
      ...{ tool: 'ui_click', caller: { surface: 'mcp' }, app: { program: '/usr/bin/mousepad' } },
      decision: {
        answer: 'ask',
        rule: 'guarded/act-medium',
        by: 'terminal',
        scope: 'once',
        risk: { level: 'medium', score: 4 },
      },
      target: { role: 'button', name: 'Sa\u001b[31mve\u202e\n', window: 'notes' },
    };
    expect(recordText(record)).toBe(
      '     7  2026-11-15 10:30:45.120  intent      ui_click button "Sa\\u001b[31mve\\u{202e}\\n" in "notes" (mousepad) ask guarded/act-medium (medium 4) by terminal, once',
    );
  });

  it('shows what was searched for if no target was found', () => {
    const record: AuditRecord = {
      ...{ v: 2, ledger: `L${'0'.repeat(32)}`, seq: 7, prev: '0'.repeat(64), at: '2026-11-15T10:30:45.120Z' },
      ...{ kind: 'call', tool: 'ui_click', caller: { surface: 'mcp' }, status: 'failed', error: 'element_not_found' },
      ...{ decision: { answer: 'allow', rule: 'looked' }, args: { target: 'button:Save' } },
    };
    expect(recordText(record)).toMatch(/ui_click target "button:Save" failed element_not_found$/);
    expect(recordText({ ...record, status: 'ok', error: undefined })).toMatch(/ui_click ok$/);
    expect(recordText({ ...record, target: { name: 'Save' } })).toMatch(/ui_click "Save" failed element_not_found$/);
  });
});
