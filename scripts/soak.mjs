// npm run soak [-- TEST FILES]: the long series in full. npm test runs the same tests with a tenth of the rounds.
import './node-version.mjs';

const { spawn } = await import('node:child_process');
const { mkdtempSync, readdirSync, readFileSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join, relative } = await import('node:path');
const { prepare } = await import('./prepare.mjs');
const { FULL } = await import('./packages.mjs');
const { bin, giveUp, ROOT } = await import('./run.mjs');

const wanted = process.argv.slice(2);
const unknown = wanted.find((word) => word.startsWith('-'));
if (unknown) giveUp(`${unknown} is not known here. Name test files, or nothing for all that have a long series.`);

const files = filesWithSeries().filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
if (files.length === 0) giveUp('No test with a long series fits: such tests read process.env.SOAK.');
await prepare({ packages: FULL });
console.log(`soak: ${files.join(' ')}`);

const folder = mkdtempSync(join(tmpdir(), 'deskproof-soak-'));
const report = join(folder, 'report.json');
const started = Date.now();
const code = await runTests();
const { passed, failed, skipped } = numbersOf(report);
rmSync(folder, { recursive: true, force: true });
// A run that broke outside any test, or that ran none, is a failure without a test to show for it.
const broken = failed === 0 && (code !== 0 || passed === 0) ? 1 : 0;
const minutes = ((Date.now() - started) / 60_000).toFixed(1);
console.log(
  `\nsoak: ${passed} passed, ${failed + broken} failed, ${skipped} skipped in ${files.length} files, ${minutes} min`,
);
process.exit(failed + broken > 0 ? 1 : 0);

/** Every test whose length depends on SOAK: found by reading them, so that no list has to be kept. */
function filesWithSeries() {
  return ['src', 'tests']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => /\bprocess\.env\.SOAK\b/.test(readFileSync(file, 'utf8')))
    .map((file) => relative(ROOT, file))
    .sort();
}

/** One file at a time: they watch memory and processes, and must not see each other's. */
function runTests() {
  const args = ['run', '--project', 'desktop', '--project', 'fast', '--no-file-parallelism', '--testTimeout=3600000'];
  args.push('--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files);
  const child = spawn(bin('vitest'), args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, SOAK: '1' } });
  process.on('SIGINT', () => undefined); // The terminal tells vitest too; its end is ours.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (status) => resolve(status ?? 1));
  });
}

function numbersOf(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }; // vitest wrote none; its exit code tells.
  }
}
