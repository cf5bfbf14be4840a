// The part of mutate.mjs that runs inside a private copy: one vitest for many mutants, so that its start is paid once.
// Messages: { tests } → what each test file reaches; { mutant, tests, timeoutMs } → whether a test failed. It ends with the
// first one that does.
import { readFileSync, writeFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';

const COPY = process.cwd();
let failed = false;
let modules = [];

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
  const done = message.mutant === undefined ? learn(message) : tryOne(message);
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
  await run(tests, { isolate: true });
  const faults = modules.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
    ...[...module.children.allTests('failed')].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
  ]);
  const reached = readFileSync('mutant-reach.jsonl', 'utf8').trim().split('\n').filter(Boolean);
  const known = new Map(reached.map((line) => JSON.parse(line)));
  const files = modules.map((module) => ({
    test: module.relativeModuleId,
    ms: module.diagnostic().duration,
    slowestMs: Math.max(0, ...[...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0)),
    reached: known.get(module.moduleId) ?? [],
  }));
  return { files, faults: failed && faults.length === 0 ? ['an error outside the tests'] : faults };
}

async function tryOne({ mutant, tests, timeoutMs }) {
  tell({ mutant });
  project.config.testTimeout = timeoutMs;
  // One process for all of them: imports are most of the time.
  await run(tests, { isolate: false });
  return { failed };
}

async function run(tests, { isolate }) {
  failed = false;
  modules = [];
  project.config.isolate = isolate;
  await vitest.runTestSpecifications(tests.map((test) => project.createSpecification(`${COPY}/${test}`)));
}

function tell(what) {
  writeFileSync('mutant.json', JSON.stringify(what));
}
