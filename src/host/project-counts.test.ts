import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { projectCounts } from './project-counts.js';
import { refuseUncounted } from './refuse-uncounted.js';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'deskwright-project-'));
  mkdirSync(join(base, 'here/.deskwright'), { recursive: true });
  mkdirSync(join(base, 'bare'));
  writeFileSync(join(base, 'here/.deskwright/policy.yaml'), 'version: 1\n');
  symlinkSync(join(base, 'here'), join(base, 'link'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it.each([
  ['bare', undefined, true],
  ['bare', 'here', true],
  ['here', 'here', true],
  ['link', 'here', true],
  ['here', undefined, false],
  ['here', 'elsewhere', false],
])('who starts in %s on a desktop with the policy of %s: %s', (directory, project, counts) => {
  const sources = [
    { tier: 'user', file: join(base, 'here/.deskwright/policy.yaml') },
    ...(project ? [{ tier: 'project', file: join(base, project, '.deskwright/policy.yaml') }] : []),
  ];
  expect(projectCounts(sources, join(base, directory))).toBe(counts);
});

it('where it does not count nothing is done, and the desktop is left', async () => {
  const host = { request: vi.fn().mockResolvedValue({ counts: false }), close: vi.fn() };
  const refused = refuseUncounted(host, base);
  await expect(refused).rejects.toMatchObject({ code: 'policy_denied', retry: 'no', delivered: 'no' });
  expect(host.request).toHaveBeenCalledWith('project', { directory: base });
  expect(host.close).toHaveBeenCalledOnce();
});

it('where it counts the desktop is used', async () => {
  const host = { request: vi.fn().mockResolvedValue({ counts: true }), close: vi.fn() };
  await refuseUncounted(host, base);
  expect(host.close).not.toHaveBeenCalled();
});
