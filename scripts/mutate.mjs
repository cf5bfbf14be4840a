// npm run mutate [-- ROOM | FILE[:LINE] ...] [--list]: is every check held by a test?
//
// Takes out each check of the named rooms in turn (mutants.mjs says what one is), in private copies of this folder, and
// runs those fast tests of the room that reach it. A mutant is caught when a test fails, or when the tests never end. One
// that survives is printed as file:line with its change, and fails the run. What to do then: write the test that catches
// it; or delete the check, if it does nothing; or, if nobody could see the difference, say why in mutants-equivalent.mjs.
// --list prints the mutants and runs nothing.
import { fork } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { EQUIVALENT, staleEquivalents } from './mutants-equivalent.mjs';
import { mutantsOf } from './mutants.mjs';
import { giveUp, ROOT } from './run.mjs';

const READS = ['hidden-windows', 'turned-windows', 'governed-reads'].map((name) => `src/tools/${name}.test.ts`);

/** Where the checks are that users trust, and the tests that hold them: folders or files. */
const ROOMS = {
  approvals: {
    files: [...['src/runtime/approval', 'src/runtime/authorization', 'src/runtime/visibility', 'src/runtime/request']],
    except: ['src/runtime/authorization/authorize-call.ts'],
    tests: [
      ...['src/runtime/approval', 'src/runtime/authorization', 'src/runtime/visibility', 'src/runtime/request'],
      ...[...READS, 'src/tools/act'],
    ],
  },
  perform: {
    files: [
      'src/runtime/call/perform.ts',
      'src/runtime/authorization/authorize-call.ts',
      'src/runtime/act/run-action.ts',
    ],
    tests: [
      ...['src/runtime/call/perform.test.ts', 'src/runtime/doorway.test.ts', 'src/runtime/act'],
      ...['src/runtime/approval', 'src/runtime/authorization', 'src/runtime/visibility', 'src/runtime/request'],
      ...[...READS, 'src/tools/act'],
    ],
  },
  decide: {
    files: [
      ...['decide', 'decision', 'facts'].map((name) => `src/policy/${name}.ts`),
      ...['parse', 'tighter'].map((name) => `src/policy/file/${name}.ts`),
      ...['src/policy/rules', 'src/policy/risk'],
    ],
    tests: ['src/policy'],
  },
  input: {
    files: [
      ...['click-checks', 'key-focus', 'typing-focus'].map((name) => `src/runtime/actionability/${name}.ts`),
      'src/runtime/verify/hit-elsewhere.ts',
    ],
    tests: ['src/runtime/act', 'src/runtime/gestures', 'src/runtime/user', 'src/runtime/verify', 'src/tools/act'],
  },
  confirmation: {
    files: ['src/host/governance/policy-confirmation.ts', 'src/audit/write/confirmed-policy.ts'],
    tests: ['src/host/governance'],
  },
  launch: {
    files: ['argument-risk', 'resolve-command', 'installed-apps', 'app-arguments', 'find-program'].map(
      (name) => `src/drivers/linux/private-desktop/launch/${name}.ts`,
    ),
    tests: ['src/drivers/linux/private-desktop/launch'],
  },
  chain: {
    files: [
      ...['src/audit/verify', 'src/platform/file-lock.ts', 'src/audit/write/ledger-lock.ts'],
      ...['ledger-writer', 'ledger-end', 'open-ledger'].map((name) => `src/audit/write/${name}.ts`),
    ],
    // Not processes.test.ts, which starts other processes: it takes long, and each check has a test beside it.
    tests: testFilesUnder('src/audit').filter((file) => basename(file) !== 'processes.test.ts'),
  },
  taint: {
    files: ['src/secrets', 'src/shared/linear-regex.ts'],
    tests: ['src/secrets', 'src/shared/linear-regex.test.ts', 'src/tools/act/secrets.test.ts'],
  },
};

function testFilesUnder(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${folder}/${file}`);
}

const AT_ONCE = 2;
/** How many mutants are tried in one process, each with how many of the tests that reach it; what these import is slow. */
const BATCH = { mutants: 30, tests: 3, importMs: 120_000 };
/** How much longer than usual a test may take. */
const TEST = { times: 4, leastMs: 5_000 };
/** Nothing heard for so long beyond that: it never ends. */
const SILENCE_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

const words = process.argv.slice(2);
const listOnly = words.includes('--list');
const wanted = words.filter((word) => word !== '--list');
const strange = wanted.find((word) => !(word in ROOMS) && !/^src\/.*\.ts(:\d+)?$/.test(word));
if (strange)
  giveUp(`${strange} is not known here. Name rooms (${Object.keys(ROOMS).join(', ')}) or src/FILE.ts[:LINE].`);

const stale = staleEquivalents();
if (stale.length > 0) giveUp(`EQUIVALENT, but there is no such check:\n${stale.join('\n')}`);

const switched = new Map();
let count = 0;
const rooms = Object.entries(ROOMS)
  .map(([name, room]) => ({ name, tests: testsIn(room.tests), mutants: wantedIn(name, mutantsIn(room)) }))
  .filter(({ mutants }) => mutants.length > 0);
if (rooms.length === 0) giveUp('There is no check at that place.');
if (listOnly) {
  // Written in one go and at once: an exit loses what a pipe has not taken yet.
  writeSync(1, rooms.flatMap(({ mutants }) => mutants.map((one) => `${told(one)}\n`)).join(''));
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), 'deskproof-mutate-'));
const running = new Set();
process.on('exit', () => {
  for (const end of running) end();
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const copies = Array.from({ length: AT_ONCE }, (_, index) => copyOf(`${index}`));
const faults = [];
for (const room of rooms) faults.push(...(await tryRoom(room)));
process.exit(faults.length > 0 ? 1 : 0);

async function tryRoom({ name, tests, mutants }) {
  const files = await learn(name, tests);
  const waiting = batchesOf(mutants, files);
  const byFile = new Map(mutants.map(({ file }) => [file, { caught: 0, equivalent: 0, survived: 0, left: 0 }]));
  for (const { file } of mutants) byFile.get(file).left += 1;
  const bad = [];
  const work = async (copy) => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const seen = await screen(copy, batch, files);
      // The others may only need more tests: each is tried alone.
      for (const mutant of batch) note(mutant, seen.has(mutant.id) ? undefined : await survives(copy, mutant, files));
    }
  };
  const note = (mutant, how) => {
    const survived = how !== undefined;
    const excused = isExcused(mutant);
    const total = byFile.get(mutant.file);
    total[!survived ? 'caught' : excused ? 'equivalent' : 'survived'] += 1;
    total.left -= 1;
    if (total.left === 0) console.log(summary(mutant.file, [total]));
    const fault = survived === excused ? '' : survived ? `survived, ${how}` : 'EQUIVALENT, but a test sees it';
    if (fault) bad.push(`${fault}: ${told(mutant)}`);
    if (fault) console.log(bad.at(-1));
  };
  await Promise.all(copies.map(work));
  console.log(summary(name, [...byFile.values()]));
  return bad;
}

function summary(name, totals) {
  const [caught, equivalent, survived] = ['caught', 'equivalent', 'survived'].map((what) =>
    totals.reduce((sum, total) => sum + total[what], 0),
  );
  const all = caught + equivalent + survived;
  return `${name}: ${all} mutants, ${caught} caught, ${equivalent} equivalent, ${survived} survived`;
}

/** All tests as they are: they must pass, and tell which checks they reach. */
async function learn(name, tests) {
  const parts = copies.map((copy, index) => {
    const part = tests.filter((_, place) => place % copies.length === index);
    return copy.ask({ tests: part }, LONGEST_MS);
  });
  const learned = await Promise.all(parts);
  const faults = learned.flatMap((part) => part?.fault ?? part?.faults ?? 'they never end.');
  if (faults.length > 0) giveUp(`${name}: the tests fail as they are.\n${faults.join('\n')}`);
  return learned.flatMap((part) => part.files);
}

function isExcused(mutant) {
  return EQUIVALENT.some(({ file, change }) => file === mutant.file && change === mutant.change);
}

/** The tests that reach a mutant. Most are caught by the test beside them, and else by a short one. */
function reaching({ id, file }, files) {
  const beside = file.replace(/ts$/, 'test.ts');
  const price = ({ test, ms }) => (test === beside ? ms / 10 : ms);
  return files.filter(({ reached }) => reached.includes(id)).sort((a, b) => price(a) - price(b));
}

function timeoutFor(tests) {
  return Math.max(TEST.leastMs, TEST.times * Math.max(...tests.map(({ slowestMs }) => slowestMs)));
}

/** Mutants whose first tests are the same, so that these are imported once. */
function batchesOf(mutants, files) {
  const batches = [];
  const open = new Map();
  for (const mutant of mutants) {
    const first = reaching(mutant, files)[0]?.test;
    const batch = open.get(first);
    if (batch && batch.length < BATCH.mutants) batch.push(mutant);
    else open.set(first, batches[batches.push([mutant]) - 1]);
  }
  return batches;
}

/** Snapshots belong to the file that the test is in. */
function isMovable({ test }) {
  return !readFileSync(join(ROOT, test), 'utf8').includes('Snapshot(');
}

/** Which of them are surely caught. */
async function screen(copy, batch, files) {
  const screened = batch
    .filter((mutant) => !isExcused(mutant))
    .map((mutant) => ({ mutant: mutant.id, files: reaching(mutant, files).filter(isMovable).slice(0, BATCH.tests) }))
    .filter((one) => one.files.length > 0);
  if (screened.length < 2) return new Set();
  const timeoutMs = timeoutFor(screened.flatMap((one) => one.files));
  const question = screened.map((one) => ({ mutant: one.mutant, tests: one.files.map(({ test }) => test) }));
  const answer = await copy.ask({ screened: question, timeoutMs }, timeoutMs + BATCH.importMs);
  if (answer?.fault) giveUp(answer.fault);
  return new Set(answer?.caught);
}

/** Undefined when it is caught, else how it survived. */
async function survives(copy, mutant, files) {
  const tests = reaching(mutant, files);
  if (tests.length === 0) return 'no test reaches it';
  const timeoutMs = timeoutFor(tests);
  const question = { mutant: mutant.id, tests: tests.map(({ test }) => test), timeoutMs };
  const answer = await copy.ask(question, timeoutMs + SILENCE_MS);
  if (answer?.fault) giveUp(answer.fault);
  return answer && !answer.failed ? 'all tests pass' : undefined;
}

/** Never the checkout itself, nor anything of whoever runs this: where a check is gone, anything may happen. */
function copyOf(name) {
  const [copy, home, temporary] = ['copy', 'home', 'tmp'].map((what) => join(scratch, `${what}-${name}`));
  const left = new Set(['node_modules', '.git', 'dist', '.cache']);
  cpSync(ROOT, copy, { recursive: true, filter: (path) => path === ROOT || !left.has(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, source] of switched) writeFileSync(join(copy, file), source);
  for (const folder of [home, temporary]) mkdirSync(folder, { mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: temporary,
    NODE_OPTIONS: '--max-old-space-size=1024',
  };
  let child;
  const start = async () => {
    // A group of its own: what does not end is ended with everything that it has started.
    const options = { cwd: copy, env, detached: true, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] };
    child = fork(join(ROOT, 'scripts/mutants-tried.mjs'), options);
    running.add(end);
    await next(60_000);
  };
  const end = () => {
    running.delete(end);
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    child = undefined;
  };
  const next = (ms) =>
    new Promise((resolve) => {
      const ended = () => done(undefined);
      const timer = setTimeout(ended, ms);
      const done = (answer) => {
        if (answer?.alive) return void timer.refresh();
        clearTimeout(timer);
        child.off('message', done).off('exit', ended);
        resolve(answer);
      };
      child.on('message', done).on('exit', ended);
    });
  /** Undefined when nothing is heard for so long: then everything is begun anew. */
  const ask = async (question, ms) => {
    if (!child) await start();
    child.send(question);
    const answer = await next(ms);
    if (answer === undefined) end();
    return answer;
  };
  return { ask };
}

function mutantsIn({ files, except = [] }) {
  const sources = filesIn(files).filter((file) => /(?<!\.test)\.ts$/.test(file) && !except.includes(file));
  const all = sources.flatMap((file) => {
    const { mutants, source } = mutantsOf(file, readFileSync(join(ROOT, file), 'utf8'), count + 1);
    count += mutants.length;
    switched.set(file, source);
    return mutants;
  });
  return all;
}

function wantedIn(room, all) {
  if (wanted.length === 0 || wanted.includes(room)) return all;
  return all.filter(({ file, line }) => wanted.includes(file) || wanted.includes(`${file}:${line}`));
}

function testsIn(places) {
  return [...new Set(filesIn(places).filter((file) => file.endsWith('.test.ts')))];
}

function filesIn(places) {
  const under = (place) => readdirSync(join(ROOT, place), { recursive: true }).map((name) => join(place, name));
  return places.flatMap((place) => (place.endsWith('.ts') ? [place] : under(place).sort()));
}

function told({ file, line, change }) {
  return `${file}:${line} ${change}`;
}
