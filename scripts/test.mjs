// npm test: sets up what is missing, checks the code, runs every test, and ends with one plain line of numbers.
import './node-version.mjs';

const { spawn } = await import('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { prepare } = await import('./prepare.mjs');
const { FULL } = await import('./packages.mjs');
const { bin, ROOT } = await import('./run.mjs');
const { check } = await import('./check.mjs');

await prepare({ packages: FULL });
// Tests on desktops wait more than they compute: the checks take what they leave, and are told after them.
const said = [];
const over = new AbortController();
const checking = check({ tests: false, aside: true, signal: over.signal, say: (line) => said.push(line) });

const folder = mkdtempSync(join(tmpdir(), 'deskproof-test-'));
const report = join(folder, 'report.json');
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)];
const child = spawn(bin('vitest'), args, { cwd: ROOT, stdio: 'inherit' });
process.on('SIGINT', () => undefined); // The terminal tells vitest too; its end is ours.
process.on('SIGTERM', () => {
  over.abort();
  child.kill('SIGTERM');
});
const code = await new Promise((resolve) => child.on('exit', (status) => resolve(status ?? 1)));
const tests = numbersOf(report);
const checks = await checking;
console.log(`\n${said.join('\n')}`);
rmSync(folder, { recursive: true, force: true });

// A run that broke outside any test has no failed test to show for it.
const broken = code !== 0 && tests.failed === 0 ? 1 : 0;
const passed = checks.passed + tests.passed;
const failed = checks.failed + tests.failed + broken;
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

function numbersOf(file) {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(file, 'utf8'));
    // A file that could not be loaded is a failure without a test.
    return { passed: numPassedTests, failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 0 }; // vitest wrote none; its exit code tells.
  }
}
