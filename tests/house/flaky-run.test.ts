import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProjects } from '../../scripts/test/run-projects.mjs';

// The runner on a small vitest project of its own, with tests that fail at their first run only.

const ONCE = (name: string): string => `
  import { existsSync, writeFileSync } from 'node:fs';
  const failsOnce = () => {
    const seen = existsSync('${name}.seen');
    writeFileSync('${name}.seen', '');
    if (!seen) throw new Error('the first run of ${name}');
  };`;
const TESTS: Record<string, string> = {
  'desktop/flaky.test.ts': `${ONCE('flaky')}
    test('holds', () => undefined);
    test('fails once', () => { console.log('said by the test'); failsOnce(); });`,
  'desktop/hook.test.ts': `${ONCE('hook')} beforeAll(failsOnce); test('holds', () => undefined);`,
  'desktop/broken.test.ts': `test('fails always', () => { throw new Error('each time'); });`,
  'desktop/marked.test.ts': `// @module-tag safety
    ${ONCE('marked')} test('fails once', failsOnce);`,
  'desktop/marked-hook.test.ts': `// @module-tag safety
    ${ONCE('marked-hook')} beforeAll(failsOnce); test('holds', () => undefined);`,
  'desktop/one-marked.test.ts': `${ONCE('one-marked')}
    test('holds', () => undefined);
    test('fails once', { tags: 'safety' }, failsOnce);`,
  'desktop/other-marked.test.ts': `${ONCE('other-marked')}
    test('holds', { tags: 'safety' }, () => undefined);
    test('fails once', failsOnce);`,
  'desktop/elsewhere.test.ts': `${ONCE('elsewhere')}
    test('fails once', () => { try { failsOnce(); } catch { throw new Error('wrong element: Pay'); } });`,
  'fast/unit.test.ts': `${ONCE('unit')} test('fails once', failsOnce);`,
  'fast/holds.test.ts': `test('holds', () => undefined);`,
};
const PROJECT = (name: string): string =>
  `{ test: { name: '${name}', globals: true, include: ['${name}/**/*.test.ts'] } }`;
const CONFIG = `export default {
  test: { tags: [{ name: 'safety' }], projects: [${PROJECT('fast')}, ${PROJECT('desktop')}] },
};`;

let root: string;
let result: Awaited<ReturnType<typeof runProjects>>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-flaky-'));
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(root, 'node_modules'));
  for (const [name, text] of Object.entries({ ...TESTS, 'vitest.config.mjs': CONFIG })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const projects = [
    { name: 'fast', repeat: false },
    { name: 'desktop', repeat: true },
  ];
  result = await runProjects({ root, projects, folder: join(root, 'kept'), stdio: 'ignore' });
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a desktop file that passes alone is flaky, and counts as passed', () => {
  expect(result.flaky.toSorted()).toEqual([
    'desktop/flaky.test.ts',
    'desktop/hook.test.ts',
    'desktop/other-marked.test.ts',
  ]);
});

test('a file that fails twice, a safety test and a unit test make the run fail', () => {
  const failures = result.failures.map(({ file, why }) => `${file}: ${why}`);
  expect(failures.toSorted()).toEqual([
    'desktop/broken.test.ts: failed again when it ran alone',
    'desktop/elsewhere.test.ts: a safety test failed: not repeated',
    'desktop/marked-hook.test.ts: a safety test failed: not repeated',
    'desktop/marked.test.ts: a safety test failed: not repeated',
    'desktop/one-marked.test.ts: a safety test failed: not repeated',
    'fast/unit.test.ts: a unit test failed: not repeated',
  ]);
  expect(result.errors).toEqual([]);
});

test('the numbers are those of the last run of each file', () => {
  // flaky 2, hook 1, other-marked 2, one-marked 1, holds 1; six files failed.
  expect([result.passed, result.failed]).toEqual([7, 6]);
});

test('the output of each failed run is kept', () => {
  const [first, ...more] = result.outputs('desktop/flaky.test.ts');
  expect(readFileSync(first!, 'utf8')).toMatch(/1 passed, 1 failed[^]*the first run of flaky[^]*said by the test/);
  expect(more.map((path) => readFileSync(path, 'utf8'))).toEqual([expect.stringContaining('2 passed, 0 failed')]);
  const both = result.outputs('desktop/broken.test.ts').map((path) => readFileSync(path, 'utf8'));
  expect(both).toEqual([expect.stringContaining('each time'), expect.stringContaining('each time')]);
});
