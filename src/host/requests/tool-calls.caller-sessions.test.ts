import { beforeEach, expect, test } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { CallerSessions } from './tool-calls.js';

let ledger: MemoryLedger;
let ended: string[];
let sessions: CallerSessions;
let leaving: Map<string, () => void>;
const atEnd = (key: string, end: () => void): void => void leaving.set(key, end);

beforeEach(() => {
  ledger = new MemoryLedger();
  ended = [];
  leaving = new Map();
  sessions = new CallerSessions({ ledger, endSession: (session) => void ended.push(session) });
});

test('a session begins with its first call and ends with its connection, once', async () => {
  await sessions.begin('mcp:a', atEnd);
  await sessions.begin('mcp:a', atEnd);
  await sessions.begin('mcp:b', atEnd);
  leaving.get('mcp:a')!();
  await sessions.end('mcp:a');
  expect(ended).toEqual(['mcp:a']);
  const caller = { surface: 'mcp', session: 'mcp:a' };
  expect(ledger.records).toMatchObject([
    { kind: 'session', event: 'begin', caller },
    { kind: 'session', event: 'begin', caller: { surface: 'mcp', session: 'mcp:b' } },
    { kind: 'session', event: 'end', caller },
  ]);
});

test('a session that ended may begin again', async () => {
  for (const times of [1, 2]) {
    await sessions.begin('library:x', atEnd);
    await sessions.end('library:x');
    expect(ended).toHaveLength(times);
  }
});

test('all commands on the command line share a session that does not end', async () => {
  await sessions.begin('cli', atEnd);
  await sessions.begin('cli:host', atEnd);
  expect([leaving.size, ledger.records]).toEqual([0, []]);
});

test('grants end even if the log cannot be written', async () => {
  await sessions.begin('mcp:a', atEnd);
  ledger.note = () => Promise.reject(new Error('full'));
  await sessions.end('mcp:a');
  expect(ended).toEqual(['mcp:a']);
});
