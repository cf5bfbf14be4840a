import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addRun, howOften, readHistory, RUNS, stateFolder, VERSION, type Run } from '../../scripts/test/history.mjs';
import { combine, decide, MOST_REPEATS, summary, type FileResult } from '../../scripts/test/outcome.mjs';
import { parseArguments, STAGES, type Stage } from '../../scripts/test/stages.mjs';
import { MOST_KEPT, tidyOutputs } from '../../scripts/test/run-projects.mjs';
import config from '../../vitest.config.js';

const PROJECTS = [
  { name: 'fast', repeat: false },
  { name: 'desktop', repeat: true },
];
const file = (name: string, more: Partial<FileResult> = {}): FileResult => ({
  file: `tests/e2e/${name}.test.ts`,
  project: 'desktop',
  passed: 3,
  failed: 0,
  safety: false,
  ...more,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-runner-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('decide', () => {
  const named = (files: { file: string }[]): string[] => files.map((one) => /(\w+)\.test/.exec(one.file)![1]!);

  test('repeats a failed desktop file, and no file that passed', () => {
    const { repeat, final } = decide([file('a'), file('b', { failed: 1 })], PROJECTS);
    expect(named(repeat)).toEqual(['b']);
    expect(final).toEqual([]);
  });

  test.each([
    ['a unit test', { project: 'fast' }, 'a unit test failed: not repeated'],
    ['a safety test', { safety: true }, 'a safety test failed: not repeated'],
    ['a project of no stage', { project: 'other' }, 'a unit test failed: not repeated'],
  ])('never repeats %s', (_, more, why) => {
    const { repeat, final } = decide([file('a', { failed: 1, ...more })], PROJECTS);
    expect(repeat).toEqual([]);
    expect(final.map((one) => one.why)).toEqual([why]);
  });

  test('repeats no file when too many failed', () => {
    const many = Array.from({ length: MOST_REPEATS + 1 }, (_, at) => file(`f${at}`, { failed: 1 }));
    expect(decide(many.slice(1), PROJECTS).repeat).toHaveLength(MOST_REPEATS);
    const { repeat, final } = decide(many, PROJECTS);
    expect(repeat).toEqual([]);
    expect(final).toHaveLength(many.length);
  });
});

describe('combine', () => {
  const failedOnce = file('once', { passed: 2, failed: 1 });

  test('counts a repeated file as in its second run', () => {
    const again = new Map([[failedOnce.file, file('once')]]);
    const result = combine({ files: [file('a'), failedOnce], errors: [] }, again, []);
    expect(result).toEqual({ passed: 6, failed: 0, flaky: [failedOnce.file], failures: [] });
  });

  test('fails a file that failed twice', () => {
    const again = new Map([[failedOnce.file, failedOnce]]);
    const result = combine({ files: [file('a'), failedOnce], errors: [] }, again, []);
    expect(result).toMatchObject({ passed: 5, failed: 1, flaky: [] });
    expect(result.failures.map(({ why }) => why)).toEqual(['failed again when it ran alone']);
  });

  test('counts errors outside of the tests as failures', () => {
    expect(combine({ files: [file('a')], errors: ['Error: no handler'] }, new Map(), []).failed).toBe(1);
  });
});

test('the summary has one line for each stage, flaky file and failure, with the outputs below', () => {
  const lines = summary({
    stages: [
      { name: 'core', passed: 9, failed: 1, minutes: 12.34 },
      { name: 'wine', passed: 0, failed: 0, minutes: 0, notRun: 'Wine is not installed.' },
    ],
    flaky: ['tests/e2e/foo.test.ts'],
    failures: [{ ...file('bar', { failed: 1 }), why: 'a safety test failed: not repeated' }],
    errors: ['Error: no handler\n  at x'],
    often: () => '3 of the last 20 runs',
    outputs: (name) => [`/state/${name.length}.txt`],
  });
  expect(lines).toEqual([
    'stage core: 9 passed, 1 failed, 12.3 min',
    'stage wine: NOT RUN. Wine is not installed.',
    'flaky: tests/e2e/foo.test.ts (3 of the last 20 runs)',
    '    /state/21.txt',
    'FAILED: tests/e2e/bar.test.ts (a safety test failed: not repeated)',
    '    /state/21.txt',
    'FAILED: an error outside of the tests: Error: no handler',
  ]);
});

describe('the history of runs', () => {
  const run = (...flaky: string[]): Run => ({ at: '2026-01-01', stages: ['core'], flaky, failed: [] });
  const path = (): string => join(folder, 'runs.json');

  test('lies outside of the repository', () => {
    expect(stateFolder({ XDG_STATE_HOME: '/state' })).toBe('/state/deskproof-tests');
    expect(stateFolder({ XDG_STATE_HOME: 'relative' })).toMatch(/^\/.*\/\.local\/state\/deskproof-tests$/);
  });

  test('counts how often a file was flaky', () => {
    for (const one of [run('a'), run(), { ...run(), stages: ['wine'] }, run('b', 'a')]) addRun(folder, one);
    const runs = readHistory(folder);
    expect(howOften(runs, 'a', 'core')).toBe('2 of the last 3 runs');
    expect(howOften(runs, 'c', 'core')).toBe('0 of the last 3 runs');
    expect(howOften(runs.slice(0, 1), 'a', 'core')).toBe('1 of 1 run');
  });

  test('has a version and a bound', () => {
    for (let at = 0; at < RUNS + 3; at++) addRun(folder, run(`f${at}`));
    const { version, runs } = JSON.parse(readFileSync(path(), 'utf8')) as { version: number; runs: Run[] };
    expect(version).toBe(VERSION);
    expect(runs.map(({ flaky }) => flaky[0])).toEqual(Array.from({ length: RUNS }, (_, at) => `f${at + 3}`));
  });

  test.each([
    ['no JSON', '{"version": 1, "ru'],
    ['another version', '{"version": 2, "runs": []}'],
    ['another shape', '{"version": 1, "runs": [{"flaky": "a"}]}'],
    ['nothing', ''],
    ['null', 'null'],
  ])('starts again after a file with %s, and keeps that file', (_, text) => {
    writeFileSync(path(), text);
    const said: string[] = [];
    expect(addRun(folder, run('a'), (line) => said.push(line))).toHaveLength(1);
    expect(said).toEqual([expect.stringContaining('could not be read')]);
    expect(readFileSync(`${path()}.unreadable`, 'utf8')).toBe(text);
    expect(readHistory(folder)).toEqual([run('a')]);
  });
});

test('outputs of the last runs are kept, and no folder without outputs', () => {
  const keep = (name: string, ...files: string[]): string => {
    mkdirSync(join(folder, name, 'core'), { recursive: true });
    for (const one of files) writeFileSync(join(folder, name, 'core', one), '');
    return join(folder, name);
  };
  const names = Array.from({ length: MOST_KEPT + 1 }, (_, at) => `2026-01-${String(at + 10)}`);
  const kept = names.map((name) => keep(name, 'a.txt'));
  tidyOutputs(folder, kept.at(-1)!);
  expect(kept.filter((one) => !existsSync(one))).toEqual([kept[0]]);
  const empty = keep('2026-02-01');
  tidyOutputs(folder, empty);
  expect(existsSync(empty)).toBe(false);
  expect(existsSync(kept[1]!)).toBe(true);
});

test('a required stage whose packages cannot be installed is one line, and the run fails', () => {
  const script = fileURLToPath(new URL('../../scripts/test.mjs', import.meta.url));
  const env = { PATH: folder, XDG_STATE_HOME: folder };
  const { status, stdout } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('NOT RUN'))).toEqual([
    expect.stringMatching(/^stage core: NOT RUN\. needs Xvfb .*no apt-get here.*start again\.$/),
    expect.stringMatching(/^stage apps: NOT RUN\. needs Xvfb .*no apt-get here.*start again\.$/),
  ]);
  expect([lines.at(-1), status]).toEqual(['0 passed, 1 failed', 1]);
  expect(existsSync(join(folder, 'deskproof-tests'))).toBe(false);
});

describe('stages', () => {
  const scripts = (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Package).scripts;
  interface Package {
    scripts: Record<string, string>;
  }

  test.each(STAGES)('$name runs alone by its own script', ({ name }) => {
    expect(scripts[`test:${name}`]).toBe(`node scripts/test.mjs --stage ${name}`);
  });

  test('every vitest project belongs to one stage', () => {
    const { projects } = (config as unknown as { test: { projects: { test: { name: string } }[] } }).test;
    const staged = STAGES.flatMap((stage) => stage.projects.map(({ name }) => name));
    expect(staged.toSorted()).toEqual(projects.map(({ test: { name } }) => name).toSorted());
  });

  test('the command line names a stage, and the other words are for vitest', () => {
    const two: Stage[] = [
      { name: 'core', packages: [], projects: [] },
      { name: 'more', packages: [], projects: [] },
    ];
    const names = (words: string[]): unknown => {
      const { chosen, rest } = parseArguments(words, two);
      return [chosen?.map(({ name }) => name), rest];
    };
    expect(names(['a', '-t', 'b'])).toEqual([
      ['core', 'more'],
      ['a', '-t', 'b'],
    ]);
    expect(names(['a', '--stage', 'more', 'b'])).toEqual([['more'], ['a', 'b']]);
    expect(parseArguments(['--stage', 'no'], two).problem).toBe('There is no stage "no". The stages are: core, more.');
  });
});
