// The part of mutate.mjs that runs inside a private copy: one vitest for many mutants, so that its start is paid once.
// Messages: { tests } → what each test file reaches; { screened, timeoutMs } → which of several mutants a test surely
// sees; { mutant, tests, timeoutMs } → whether a test failed. It ends with the first one that does.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';

const COPY = process.cwd();
let failed = false;
let modules = [];
let stubsMade = 0;

writeFileSync(
  'mutant-setup.mjs',
  `import { appendFileSync, readFileSync } from 'node:fs';
  import { afterAll, expect } from 'vitest';
  const { mutant, reach } = JSON.parse(readFileSync('mutant.json', 'utf8'));
  globalThis.__mutant = mutant;
  process.env.MUTANT = String(mutant);
  if (reach) {
    globalThis.__reached = new Set();
    afterAll(() => {
      const { testPath } = expect.getState();
      appendFileSync('mutant-reach.jsonl', JSON.stringify([testPath, [...globalThis.__reached]]) + '\\n');
    });
  }\n`,
);
tell({ mutant: 0 });

class AsGiven {
  sort = (specifications) => specifications;
  shard = this.sort;
}

const vitest = await createVitest('test', {
  ...{ root: COPY, config: false, watch: false, include: ['src/**/*.test.ts'], setupFiles: ['mutant-setup.mjs'] },
  ...{ testTimeout: 20_000, hookTimeout: 60_000, pool: 'forks', maxWorkers: 1, bail: 1 },
  sequence: { sequencer: AsGiven },
  tags: [{ name: 'safety' }],
  reporters: [
    {
      onTestCaseResult: (test) => {
        failed ||= test.result().state === 'failed';
        process.send({ alive: true });
      },
      onTestModuleCollected: () => process.send({ alive: true }),
      onTestModuleEnd: (module) => {
        modules.push(module);
        failed ||= !module.ok();
      },
      onTestRunEnd: (_, errors) => void (failed ||= errors.length > 0),
    },
  ],
});
const project = vitest.getRootProject();

process.on('message', (message) => {
  const done = message.screened ? screen(message) : message.mutant === undefined ? learn(message) : tryOne(message);
  done.then(
    (answer) => process.send(answer),
    (error) => process.send({ fault: String(error) }),
  );
});
process.send({ ready: true });

async function learn({ tests }) {
  writeFileSync('mutant-reach.jsonl', '');
  tell({ mutant: 0, reach: true });
  // What is done while a file is imported counts for each test that imports it.
  await run(tests, { isolate: true, bail: 1 });
  const faults = modules.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ...[...module.children.allTests('failed')].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  ]);
  const reached = readFileSync('mutant-reach.jsonl', 'utf8').trim().split('\n').filter(Boolean);
  const known = new Map(reached.map((line) => JSON.parse(line)));
  const files = modules.map((module) => ({
    test: module.relativeModuleId,
    ms: module.diagnostic().duration + module.diagnostic().collectDuration,
    slowestMs: Math.max(0, ...[...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0)),
    reached: known.get(module.moduleId) ?? [],
  }));
  return { files, faults: failed && faults.length === 0 ? ['an error outside the tests'] : faults };
}

/**
 * Many mutants in one process, each with its first tests, so that the sources are imported once. It begins and ends
 * without a mutant: if a test fails then, one mutant has left something behind, and nothing is known about any.
 */
async function screen({ screened, timeoutMs }) {
  tell({ mutant: 0 });
  project.config.testTimeout = timeoutMs;
  const tests = [...new Set(screened.flatMap((one) => one.tests))];
  const stubs = [{ mutant: 0, tests }, ...screened, { mutant: 0, tests }].map((one) => ({ ...one, file: stubOf(one) }));
  await run(
    stubs.map(({ file }) => file),
    { isolate: false, bail: 0 },
  );
  for (const { file } of stubs) rmSync(file);
  const passed = new Set(modules.filter((module) => module.ok()).map((module) => module.relativeModuleId));
  const sound = modules.length === stubs.length && stubs.every(({ file, mutant }) => mutant > 0 || passed.has(file));
  return { caught: sound ? screened.filter((_, at) => !passed.has(stubs[at + 1].file)).map((one) => one.mutant) : [] };
}

/** A test file that consists of the given ones. The address of each is new, so that its tests are declared again. */
function stubOf({ mutant, tests }) {
  stubsMade += 1;
  const file = `src/mutant-${stubsMade}.test.ts`;
  const imports = tests.map(
    (test) =>
      `describe('${test}', async () => void (await import('${test.replace('src/', './')}?stub=${stubsMade}')));\n`,
  );
  writeFileSync(
    file,
    `import { afterAll, beforeEach, describe, vi } from 'vitest';
    const env = { ...process.env };
    let failed = false;
    globalThis.__mutant = ${mutant};
    process.env.MUTANT = '${mutant}';
    beforeEach(({ skip, onTestFailed }) => {
      if (failed) skip();
      onTestFailed(() => void (failed = true));
    });
    afterAll(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
      for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
      Object.assign(process.env, env);
    });
    ${imports.join('')}`,
  );
  return file;
}

async function tryOne({ mutant, tests, timeoutMs }) {
  tell({ mutant });
  project.config.testTimeout = timeoutMs;
  // One process for all of them: imports are most of the time.
  await run(tests, { isolate: false, bail: 1 });
  return { failed };
}

async function run(tests, { isolate, bail }) {
  failed = false;
  modules = [];
  project.config.isolate = isolate;
  vitest.config.bail = project.config.bail = bail;
  await vitest.runTestSpecifications(tests.map((test) => project.createSpecification(`${COPY}/${test}`)));
}

function tell(what) {
  writeFileSync('mutant.json', JSON.stringify(what));
}
