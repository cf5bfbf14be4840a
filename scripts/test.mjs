// npm test: sets up what is missing, checks the code, runs every stage, and ends with one plain line of numbers.
// npm run test:NAME runs one stage. Other words go to vitest: npm test -- tests/e2e/wait.test.ts
import './node-version.mjs';

const { join } = await import('node:path');
const { prepare } = await import('./prepare.mjs');
const { giveUp, ROOT } = await import('./run.mjs');
const { check } = await import('./check.mjs');
const { parseArguments } = await import('./test/stages.mjs');
const { runProjects, tidyOutputs } = await import('./test/run-projects.mjs');
const { addRun, howOften, readHistory, stateFolder } = await import('./test/history.mjs');
const { summary } = await import('./test/outcome.mjs');

const { chosen, rest, problem } = parseArguments(process.argv.slice(2));
if (problem) giveUp(problem);

const state = stateFolder();
const outputs = join(state, 'outputs');
const at = new Date().toISOString();
const own = join(outputs, `${at.replaceAll(':', '-')}-${process.pid}`);
const over = new AbortController();
let interrupted = false;
process.on('SIGINT', () => (interrupted = true)); // The terminal tells vitest too; its end is ours.
process.on('SIGTERM', () => {
  interrupted = true;
  over.abort();
});

const results = [];
for (const stage of chosen) {
  if (!interrupted) results.push(await runStage(stage));
}
tidyOutputs(outputs, own);

const flaky = results.flatMap((result) => result.flaky);
const failures = results.flatMap((result) => result.failures);
const say = (line) => console.log(line);
const ran = results.filter(({ notRun }) => notRun === undefined).map(({ name }) => name);
const record = { at, stages: ran, flaky, failed: failures.map(({ file }) => file) };
// Part of a stage says nothing about how often its other files are flaky.
const isWhole = rest.length === 0 && !interrupted && ran.length > 0;
const runs = isWhole ? addRun(state, record, say) : [...readHistory(state, say), record];
const lines = summary({
  stages: results,
  flaky,
  failures,
  errors: results.flatMap(({ errors }) => errors),
  often: (file) => howOften(runs, file, results.find((result) => result.flaky.includes(file)).name),
  outputs: (file) => results.flatMap((result) => result.outputs(file)),
});
console.log(`\n${lines.join('\n')}`);

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
// Words that fit no test file at all ran nothing.
const nothing = sum('files') === 0 && sum('failed') === 0;
if (nothing) console.log('No test ran.');
const failed = sum('failed') + (nothing || (interrupted && sum('failed') === 0) ? 1 : 0);
console.log(`\n${sum('passed')} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** Never throws, and never passes by silence: a stage that cannot run here says so. */
async function runStage(stage) {
  const started = Date.now();
  const none = { flaky: [], failures: [], errors: [], files: 0, outputs: () => [] };
  const missing = (await prepare({ packages: stage.packages, optional: true })) ?? (await stage.unavailable?.());
  if (missing !== undefined) {
    const fails = stage.required || chosen.length === 1;
    const notRun = missing.trim().replaceAll(/\s+/g, ' ');
    return { ...none, name: stage.name, passed: 0, failed: fails ? 1 : 0, minutes: 0, notRun };
  }
  // Tests on desktops wait more than they compute: the checks take what they leave, and are printed after them.
  const said = [];
  const checking = stage.checks
    ? check({ tests: false, aside: true, signal: over.signal, say: (line) => said.push(line) })
    : { passed: 0, failed: 0 };
  const tests = await runProjects({
    root: ROOT,
    projects: stage.projects,
    folder: join(own, stage.name),
    args: chosen.length > 1 && rest.length > 0 ? ['--passWithNoTests', ...rest] : rest,
    signal: over.signal,
  });
  const checks = await checking;
  if (said.length > 0) console.log(`\n${said.join('\n')}`);
  return {
    ...tests,
    name: stage.name,
    passed: tests.passed + checks.passed,
    failed: tests.failed + checks.failed,
    minutes: (Date.now() - started) / 60_000,
  };
}
