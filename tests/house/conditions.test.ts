import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { KINDS, parseCondition } from '../../src/runtime/conditions/parse-condition.js';
import { KEYS, isStateKey } from '../../src/selector/index.js';
import { uiWait } from '../../src/tools/read/ui-wait.js';

const PAGE = readFileSync(new URL('../../docs/conditions.md', import.meta.url), 'utf8');
const ROWS = PAGE.split('\n').filter((line) => /^\| `/.test(line));
const WRITTEN = ROWS.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));

describe('docs/conditions.md', () => {
  it.each(WRITTEN)('%s can be read', (code) => {
    expect(() => parseCondition(JSON.parse(code))).not.toThrow();
  });

  test('lists every kind', () => {
    const parsed = new Set(WRITTEN.map((code) => parseCondition(JSON.parse(code)).key));
    expect([...parsed].sort()).toEqual(Object.keys(KINDS).sort());
  });

  test('lists every state', () => {
    const row = ROWS.find((line) => line.includes('"state"'))!;
    for (const key of KEYS.filter(isStateKey)) expect(row).toContain(`\`${key}\``);
  });
});

test('the description for models names only existing kinds of conditions', () => {
  const named = [...uiWait.description.matchAll(/\{(\w+):/g)].map(([, key]) => key!);
  expect(named.length).toBeGreaterThan(8);
  for (const key of named) expect(KINDS).toHaveProperty(key);
});
