import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../scripts/packages.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'dp-packages-'));
  mkdirSync(join(place, 'bin'));
  for (const program of ['sh', 'env', 'cat', 'grep']) symlinkSync(`/usr/bin/${program}`, join(place, 'bin', program));
});
afterEach(() => rmSync(place, { recursive: true }));

function fake(name: string, script: string): void {
  writeFileSync(join(place, 'bin', name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(place, 'bin', name), 0o755);
}

/** A Debian where `there` is installed, and whose apt knows packages only after an update when `fresh` is false. */
function debian(there: string[], fresh = true): void {
  fake('dpkg-query', there.map((name) => `echo "installed ${name}"`).join('\n') || 'exit 1');
  if (fresh) writeFileSync(join(place, 'lists'), '');
  const answer = `echo "'http://mirror/a.deb' a.deb 1500000 SHA256:x"; echo "'http://mirror/b.deb' b.deb 700000 SHA256:x"`;
  fake(
    'apt-get',
    `case "$*" in
*--print-uris*) [ -e ${place}/lists ] || exit 100; ${answer};;
*update*) echo update >>${place}/log; : >${place}/lists;;
*) for word; do last="$last $word"; done; echo "$last" | grep -o 'install .*' >>${place}/log; exit \${APT_CODE:-0};;
esac`,
  );
}

function ensure(wanted: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const script = `import { ensurePackages } from '${PACKAGES}'; await ensurePackages(${JSON.stringify(wanted)});`;
  const options = { env: { PATH: join(place, 'bin'), TMPDIR: place, ...env } };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', script], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

const done = (): string[] =>
  existsSync(join(place, 'log')) ? readFileSync(join(place, 'log'), 'utf8').trim().split('\n') : [];

describe('system packages', () => {
  test('nothing is said or done when all are there, in one form or the other', async () => {
    debian(['xvfb', 'dbus-user-session']);
    expect(await ensure(['xvfb', 'dbus-x11|dbus-user-session'])).toEqual({ code: 0, output: '' });
    expect(done()).toEqual([]);
  });

  test.runIf(isRoot)('as root the missing ones are installed straight away, without recommended ones', async () => {
    debian(['xvfb']);
    const { code, output } = await ensure(['xvfb', 'openbox', 'dbus-x11|dbus-user-session']);
    expect(output).toContain('needs   openbox dbus-x11 (2 packages, 3 MB)');
    expect(done()).toEqual(['install -y --no-install-recommends openbox dbus-x11']);
    expect(code).toBe(0);
  });

  test.runIf(isRoot)('lists are fetched first when apt does not know the packages', async () => {
    debian([], false);
    expect((await ensure(['xvfb'])).code).toBe(0);
    expect(done()).toEqual(['update', 'install -y --no-install-recommends xvfb']);
  });

  test.runIf(isRoot)('a failure ends with the line to type', async () => {
    debian([]);
    const { code, output } = await ensure(['xvfb'], { APT_CODE: '100' });
    expect(code).toBe(1);
    expect(output).toContain('by hand, then start again: apt-get install -y --no-install-recommends xvfb');
    expect(output).toContain('The whole log: ');
  });

  test.skipIf(isRoot)('asks the user; without a terminal it prints the command and does nothing', async () => {
    debian(['xvfb']);
    const { code, output } = await ensure(['xvfb', 'openbox']);
    expect(output).toContain('sudo apt-get install -y --no-install-recommends openbox');
    expect(code).toBe(1);
    expect(done()).toEqual([]);
  });

  test('without apt the programs are named', async () => {
    const { code, output } = await ensure(['xvfb']);
    expect(output).toMatch(/needs {3}Xvfb openbox .*mousepad[^]*no apt-get here/);
    expect(code).toBe(1);
  });
});
