import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { secretWarnings } from './secret-warnings.js';

const folder = mkdtempSync(join(tmpdir(), 'dp-warnings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode });
  return path;
};
const into = { app: '/usr/bin/bank' };
const ENVIRONMENT = { PIN: '4937', LONG: 'correct horse' };

const warningsOf = (policy: Omit<PolicyFile, 'version'>): Promise<string[]> =>
  secretWarnings(compilePolicy({ user: { version: 1, ...policy } }, 'seat').settings, ENVIRONMENT);

it.each<[string, NonNullable<PolicyFile['secrets']>[string], RegExp | undefined]>([
  ['a short variable', { env: 'PIN', into }, /^secret it has under 6 characters/],
  ['a long one', { env: 'LONG', into }, undefined],
  ['a variable that is not set yet', { env: 'LATER', into }, undefined],
  ['a short file', { file: file('short', '123\n'), into }, /^secret it has under 6 characters/],
  [
    'a file that others can read',
    { file: file('open', 'long enough', 0o644), into },
    /accessible to other users.*chmod 600/,
  ],
  ['a file that is not there', { file: join(folder, 'nowhere'), into }, /its file does not exist/],
  ['a command, which is not run', { command: ['/bin/false'], into }, undefined],
])('%s', async (_, secret, warning) => {
  const [first, ...more] = await warningsOf({ secrets: { it: secret } });
  if (warning) expect(first).toMatch(warning);
  else expect(first).toBeUndefined();
  expect(more).toEqual([]);
  expect(first ?? '').not.toMatch(/4937|123/);
  expect(ENVIRONMENT).toEqual({ PIN: '4937', LONG: 'correct horse' });
});
