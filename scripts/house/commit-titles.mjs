// Commit titles of at most 72 characters, for every commit made on top of the one that added this file:
// node scripts/house/commit-titles.mjs [FOLDER]
import { execFileSync } from 'node:child_process';
import { ROOT } from '../run.mjs';
import { report } from './sources.mjs';

const LIMIT = 72;
const THIS_FILE = 'scripts/house/commit-titles.mjs';

/** Returns `{ problems, summary }`. Without the whole history there is nothing to check, and the summary says so. */
export function commitTitles(root = ROOT) {
  const git = (...args) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  let shallow;
  try {
    shallow = git('rev-parse', '--is-shallow-repository');
  } catch {
    // Also when git is not installed: a source archive has no history to check.
    return { problems: [], summary: 'not checked: this folder is not a git repository' };
  }
  if (shallow === 'true') return { problems: [], summary: 'not checked: this clone is shallow' };
  const start = git('log', '--diff-filter=A', '--format=%H', '--', THIS_FILE).split('\n').at(-1);
  if (!start) return { problems: [], summary: 'not checked: no commit has this check yet' };
  // Descendants only: a branch that was started earlier could not know this rule. Merge titles come from git.
  const log = git('log', '--no-merges', '--ancestry-path', '--format=%h %s', `${start}..HEAD`);
  const commits = log === '' ? [] : log.split('\n').map((line) => line.match(/^(\S+) (.*)$/).slice(1));
  const problems = commits
    .filter(([, title]) => [...title].length > LIMIT)
    .map(([hash, title]) => `${hash} has a title of ${[...title].length} characters, ${LIMIT} is the limit: ${title}`);
  return { problems, summary: `${commits.length} commits` };
}

if (process.argv[1] === import.meta.filename) report(commitTitles(process.argv[2]));
