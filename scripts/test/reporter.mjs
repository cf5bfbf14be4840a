// A vitest reporter for npm test. It writes one JSON report, and the whole output of each failed file as text.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folder for the report and the outputs. The process that starts vitest sets it. */
export const REPORT_FOLDER = 'DESKPROOF_TEST_REPORT';
/** Set to keep the output of each file, not only of those that fail. */
export const KEEP_ALL = 'DESKPROOF_TEST_KEEP_ALL';
export const REPORT = 'report.json';

/** Console output that is kept for each file, in characters. A failed file seldom prints more. */
const MOST_CONSOLE = 1_000_000;
const SAFETY = 'safety';
/** An act on a wrong element is a safety failure in any test that notices it. */
const WRONG_ELEMENT = /\bwrong element: /;
const MARKED_FILE = /(\/\/|\*)\s*@module-tag\s+safety\b/;

export default class Reporter {
  console = new Map();

  onInit(vitest) {
    this.vitest = vitest;
    this.folder = process.env[REPORT_FOLDER];
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  onUserConsoleLog({ content, taskId }) {
    const file = this.vitest.state.idMap.get(taskId)?.file?.filepath;
    if (!file) return;
    const before = this.console.get(file) ?? '';
    if (before.length < MOST_CONSOLE) this.console.set(file, before + content);
  }

  /** The output of a failed file is there at once, also if vitest does not live to the end of the run. */
  onTestModuleEnd(module) {
    this.describe(module);
  }

  onTestRunEnd(modules, unhandled) {
    const files = modules.map((module) => this.describe(module));
    const errors = unhandled.map((error) => printed(error));
    writeFileSync(join(this.folder, REPORT), JSON.stringify({ files, errors }), { mode: 0o600 });
  }

  describe(module) {
    const file = relative(this.vitest.config.root, module.moduleId);
    const tests = [...module.children.allTests()];
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const marked = MARKED_FILE.test(sourceOf(module.moduleId));
    const failures = [
      ...[module, ...module.children.allSuites()].flatMap((suite) =>
        suite.errors().map((error) => ({ name: suite.fullName ?? file, safety: marked, text: printed(error) })),
      ),
      ...tests
        .filter((test) => test.result().state === 'failed')
        .map((test) => ({
          name: test.fullName,
          safety: marked || test.tags.includes(SAFETY) || test.result().errors.some(isWrongElement),
          text: test.result().errors.map(printed).join('\n\n'),
        })),
    ];
    // A file whose worker died has neither a failed test nor an error of its own.
    const ended = ['passed', 'failed', 'skipped'].includes(module.state());
    if (!ended) failures.push({ name: file, safety: marked, text: 'The file did not run to its end.' });
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const result = {
      file,
      project: module.project.name,
      seconds: Number(seconds),
      passed: count('passed'),
      // A hook that fails, or a file that cannot be loaded, is a failure without a failed test.
      failed: Math.max(count('failed'), failures.length > 0 ? 1 : 0),
      safety: failures.some(({ safety }) => safety),
    };
    if (failures.length > 0 || process.env[KEEP_ALL]) this.keep(module, result, failures);
    return result;
  }

  keep(module, result, failures) {
    const text = [
      `${result.file} (project ${result.project}): ${result.passed} passed, ${result.failed} failed, ${result.seconds} s`,
      ...failures.map(({ name, text }) => `FAILED ${name}\n${text}`),
      `Console output:\n${this.console.get(module.moduleId) ?? '(none)'}`,
    ].join('\n\n');
    writeFileSync(join(this.folder, outputName(result.file)), `${text}\n`, { mode: 0o600 });
  }
}

/** `tests/e2e/foo.test.ts` as the name of one text file. */
export function outputName(file) {
  return `${file.replaceAll(/[^\w.-]+/g, '_')}.txt`;
}

function isWrongElement({ message }) {
  return WRONG_ELEMENT.test(message);
}

function printed(error) {
  return [error.stack ?? error.message ?? String(error), error.diff].filter(Boolean).join('\n');
}

function sourceOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // A file that is gone has no mark. It counts as failed all the same.
  }
}
