// The stages of npm test. A stage is one entry here, one script `test:NAME` in package.json, and its vitest projects.
import { APPS, FULL } from '../packages.mjs';

/**
 * @typedef {object} Stage
 * @property {string} name `npm run test:NAME` runs this stage alone.
 * @property {string[]} packages Debian packages. `npm test` installs those that are missing.
 * @property {() => Promise<string | undefined>} [unavailable] Why the stage cannot run here, in one sentence. It is for
 *   needs that no package covers.
 * @property {boolean} [required] `npm test` fails if the stage cannot run. Other stages get one line in the summary.
 * @property {boolean} [checks] The stage also runs types, lint, rooms, format and sizes.
 * @property {{ name: string, repeat: boolean }[]} projects Its projects in vitest.config.ts. `repeat`: a file that
 *   fails runs once more, alone, after all others.
 */

/** @type {Stage[]} */
export const STAGES = [
  {
    name: 'core',
    packages: FULL,
    required: true,
    checks: true,
    projects: [
      { name: 'fast', repeat: false },
      { name: 'desktop', repeat: true },
    ],
  },
  { name: 'apps', packages: APPS, projects: [{ name: 'apps', repeat: true }] },
];

/**
 * Splits the command line: `--stage NAME` picks a stage, all other words are for vitest.
 *
 * @param {string[]} words
 * @returns {{ chosen?: Stage[], rest?: string[], problem?: string }}
 */
export function parseArguments(words, stages = STAGES) {
  const at = words.indexOf('--stage');
  if (at < 0) return { chosen: stages, rest: words };
  const chosen = stages.filter(({ name }) => name === words[at + 1]);
  if (chosen.length === 0) {
    const names = stages.map(({ name }) => name).join(', ');
    return { problem: `There is no stage "${words[at + 1] ?? ''}". The stages are: ${names}.` };
  }
  return { chosen, rest: words.toSpliced(at, 2) };
}
