import { expect, it } from 'vitest';
import { recordText, type AuditRecord, type ReadLine } from '../../../audit/index.js';
import { createTerminal } from '../terminal.js';
import { lineText } from './show.js';

const stream = { write: () => true };
const coloured = createTerminal(stream, stream, { FORCE_COLOR: '1' });
const plain = createTerminal(stream, stream, {});

const envelope = { v: 1, ledger: `L${'0'.repeat(32)}`, seq: 7, prev: '0'.repeat(64), at: '2026-11-15T10:30:45.120Z' };
const lineOf = (fields: object): ReadLine => ({
  segment: 1,
  line: 7,
  record: { ...envelope, ...fields } as AuditRecord,
});
const outcome = { kind: 'outcome', of: 6, status: 'ok', delivered: 'yes', cost: { ms: 4 } };

it.each<[string, object, string]>([
  ['an act that went well', outcome, '\x1b[32moutcome'],
  ['one that changed nothing', { ...outcome, status: 'no change' }, '\x1b[33moutcome'],
  ['one that failed', { ...outcome, status: 'failed', error: 'timeout' }, '\x1b[31moutcome'],
  ['a stop', { kind: 'stop', by: 'escape' }, '\x1b[31mstop'],
  ['what is of little interest', { kind: 'session', event: 'begin', caller: {} }, '\x1b[90m     7 '],
])('%s has its colour, and the same text without colours', (_, fields, beginning) => {
  const line = lineOf(fields);
  expect(lineText(line, coloured)).toContain(beginning);
  expect(lineText(line, coloured).replaceAll(/\x1b\[\d+m/g, '')).toBe(recordText(line.record!));
  expect(lineText(line, plain)).toBe(recordText(line.record!));
});

it('shows a line that is not a record', () => {
  expect(lineText({ segment: 2, line: 9, problem: 'not a record' }, plain)).toBe('line 9 of segment 2: not a record');
});

it('text of a log cannot control the terminal', () => {
  const line = lineOf({ kind: 'stop', by: 'x', reason: 'a\x1b[2J\u202eb\nc' });
  expect(lineText(line, plain)).toMatch(/stop +by x a\\u\{1b\}\[2J\\u\{202e\}b\\u\{a\}c$/);
});
