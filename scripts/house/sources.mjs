// Which files the house checks read.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Folders whose files are data for tests, even below `src`. */
const FIXTURES = /(^|\/)(fixtures|goldens|fixture-apps)\//;

/** Files below `folder` of `root` whose names match, as paths relative to `root`, sorted. A missing folder is empty. */
export function filesIn(root, folder, name = /\.ts$/) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** A source file of the product: no test, no type declarations, no fixture. */
export function isSource(file) {
  return /^src\/.*\.ts$/.test(file) && !/\.(test|d)\.ts$/.test(file) && !FIXTURES.test(file);
}

/** All source files of the product. */
export function sourceFiles(root) {
  return filesIn(root, 'src').filter(isSource);
}

/** Prints the problems and the summary of a check and ends the process: 1 when there are problems. */
export function report({ problems, summary }) {
  for (const problem of problems) console.error(problem);
  console.log(summary);
  process.exit(problems.length > 0 ? 1 : 0);
}
