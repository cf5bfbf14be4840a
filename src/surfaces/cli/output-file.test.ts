// @module-tag safety
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { refuseOwnFile, writeNewFile } from './output-file.js';

let base: string;
let policy: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dp-output-'));
  const directory = (name: string): string => join(base, name);
  vi.stubEnv('HOME', base);
  vi.stubEnv('XDG_CONFIG_HOME', directory('config'));
  vi.stubEnv('XDG_DATA_HOME', directory('data'));
  vi.stubEnv('XDG_STATE_HOME', directory('state'));
  vi.stubEnv('DESKPROOF_RUNTIME', directory('run'));
  mkdirSync(directory('config/deskproof'), { recursive: true });
  mkdirSync(directory('run'), { mode: 0o700 });
  policy = directory('config/deskproof/policy.yaml');
  writeFileSync(policy, 'version: 1\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

describe('an output file', () => {
  it.each([
    'config/deskproof/policy.yaml',
    'config/deskproof/new.png',
    'data/deskproof/x',
    'state/deskproof/audit/x.jsonl',
    'run/work/host.sock',
    'project/.deskproof/policy.yaml',
    'elsewhere/../config/deskproof/policy.yaml',
  ])('%s is one of Deskproof: refused', (file) => {
    expect(() => refuseOwnFile(join(base, file))).toThrow(/is one of Deskproof's own files/);
  });

  it('a link to one, a dangling link and a link to a directory are refused', () => {
    const link = join(base, 'shot.png');
    symlinkSync(policy, link);
    expect(() => writeNewFile(link, 'x', true)).toThrow(/leads to one/);
    expect(readFileSync(policy, 'utf8')).toBe('version: 1\n');
    symlinkSync(join(base, 'state/deskproof/none'), join(base, 'dangling.png'));
    expect(() => refuseOwnFile(join(base, 'dangling.png'))).toThrow(/leads to one/);
    symlinkSync(join(base, 'config'), join(base, 'linked'));
    expect(() => refuseOwnFile(join(base, 'linked/deskproof/new.png'))).toThrow(/leads to one/);
  });

  it.each(['shot.png', 'config/other/shot.png', 'deskproof.png'])('%s elsewhere is accepted', (file) => {
    expect(() => refuseOwnFile(join(base, file))).not.toThrow();
  });
});
