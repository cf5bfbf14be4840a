// What a run of the tests means: which files run once more, what counts, and what the summary says. Pure functions.

/**
 * @typedef {object} FileResult
 * @property {string} file Path in the repository.
 * @property {string} project Its vitest project.
 * @property {number} passed
 * @property {number} failed
 * @property {boolean} safety One of its failures is of a test that is marked as a safety test.
 * @property {number} [seconds]
 *
 * @typedef {{ files: FileResult[], errors: string[] }} Report
 * @typedef {FileResult & { why?: string, outputs?: string[] }} Failure
 */

/** More failed files than this are no flakiness. Repeating them all would only hide the time. */
export const MOST_REPEATS = 20;

/**
 * Which failed files run once more, and which are final, with the reason.
 *
 * @param {FileResult[]} files
 * @param {readonly { name: string, repeat: boolean }[]} projects
 * @returns {{ repeat: FileResult[], final: Failure[] }}
 */
export function decide(files, projects) {
  const failed = files.filter((file) => file.failed > 0);
  const mayRepeat = (/** @type {FileResult} */ { project }) =>
    projects.some(({ name, repeat }) => name === project && repeat);
  const candidates = failed.filter((file) => mayRepeat(file) && !file.safety);
  const tooMany = candidates.length > MOST_REPEATS;
  const why = (/** @type {FileResult} */ file) => {
    if (file.safety) return 'a safety test failed: not repeated';
    if (!mayRepeat(file)) return 'a unit test failed: not repeated';
    return `${candidates.length} files failed: not repeated`;
  };
  const repeat = tooMany ? [] : candidates;
  return {
    repeat,
    final: failed.filter((file) => !repeat.includes(file)).map((file) => ({ ...file, why: why(file) })),
  };
}

/**
 * The run as it counts: a repeated file counts as in its second run.
 *
 * @param {Report} first
 * @param {Map<string, FileResult>} again Second results, by file.
 * @param {Failure[]} final
 */
export function combine(first, again, final) {
  const counted = first.files.map((file) => again.get(file.file) ?? file);
  const sum = (/** @type {'passed' | 'failed'} */ key) => counted.reduce((total, file) => total + file[key], 0);
  const second = [...again.values()];
  return {
    passed: sum('passed'),
    failed: sum('failed') + first.errors.length,
    flaky: second.filter(({ failed }) => failed === 0).map(({ file }) => file),
    failures: [
      ...final,
      ...second
        .filter(({ failed }) => failed > 0)
        .map((/** @type {Failure} */ file) => ({ ...file, why: 'failed again when it ran alone' })),
    ],
  };
}

/**
 * One line for each stage, flaky file and failure, with the path of each kept output.
 *
 * @param {object} run
 * @param {{ name: string, passed: number, failed: number, minutes: number, notRun?: string }[]} run.stages
 * @param {string[]} run.flaky
 * @param {Failure[]} run.failures
 * @param {string[]} run.errors
 * @param {(file: string) => string} run.often How often a file was flaky, as words.
 * @param {(file: string) => string[]} run.outputs Paths of the kept outputs of a file.
 * @returns {string[]}
 */
export function summary({ stages, flaky, failures, errors, often, outputs }) {
  const paths = (/** @type {string} */ file) => outputs(file).map((path) => `    ${path}`);
  return [
    ...stages.map(({ name, passed, failed, minutes, notRun }) =>
      notRun === undefined
        ? `stage ${name}: ${passed} passed, ${failed} failed, ${minutes.toFixed(1)} min`
        : `stage ${name}: NOT RUN. ${notRun}`,
    ),
    ...flaky.flatMap((file) => [`flaky: ${file} (${often(file)})`, ...paths(file)]),
    ...failures.flatMap(({ file, why }) => [`FAILED: ${file} (${why})`, ...paths(file)]),
    ...errors.map((error) => `FAILED: an error outside of the tests: ${error.split('\n')[0]}`),
  ];
}
