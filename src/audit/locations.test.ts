import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerPlaces, segmentsIn } from './locations.js';

describe('ledgerPlaces', () => {
  const where: [string, Record<string, string>, string, string][] = [
    ['at home', { HOME: '/h' }, '/h/.local/share/deskproof/audit/desk', '/h/.local/state/deskproof/ledger'],
    [
      'where the XDG variables point',
      { HOME: '/h', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s' },
      '/d/deskproof/audit/desk',
      '/s/deskproof/ledger',
    ],
    [
      'at home if the XDG variables are not absolute paths',
      { HOME: '/h', XDG_DATA_HOME: 'd', XDG_STATE_HOME: '' },
      '/h/.local/share/deskproof/audit/desk',
      '/h/.local/state/deskproof/ledger',
    ],
  ];
  it.each(where)('are %s', (_, env, logs, state) => {
    expect(ledgerPlaces('desk', env)).toEqual({ desktop: 'desk', logs, state });
  });

  it.each(['desk-7c2e', 'user.0a1b2c3d'])('accepts the name %s', (name) =>
    expect(ledgerPlaces(name, { HOME: '/h' }).desktop).toBe(name),
  );
  it.each(['', '..', '../x', 'a/b', '.x', 'a..b', 'x'.repeat(65), 'a\0b', 'a\n'])('refuses the name %j', (name) => {
    expect(() => ledgerPlaces(name, { HOME: '/h' })).toThrow('not the name of a desktop');
  });
});

it('a directory in place of a file of the log is reported in one sentence', () => {
  const logs = mkdtempSync(join(tmpdir(), 'dp-places-'));
  try {
    mkdirSync(join(logs, '000002.jsonl'));
    expect(() => segmentsIn(logs)).toThrow(
      `${join(logs, '000002.jsonl')} is a directory, where a file of the log should be`,
    );
  } finally {
    rmSync(logs, { recursive: true });
  }
});
