// No file over 400 lines, no folder of src over 20 source files: node scripts/sizes.mjs [FOLDER]
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { filesIn, report, sourceFiles } from './house/sources.mjs';
import { ROOT } from './run.mjs';

const MOST_LINES = 400;
const MOST_FILES = 20;
const MANY_FILES = 15;
const FOLDERS = ['src', 'tests', 'bench', 'scripts', 'examples'];
const SOURCES = new Set(['.ts', '.mjs', '.cjs', '.js', '.py', '.html', '.css']);

/** Returns `{ problems, hints, summary }`. */
export function measure(root = ROOT) {
  const files = FOLDERS.flatMap((folder) => filesIn(root, folder, /./)).filter((file) => SOURCES.has(extname(file)));
  const sizes = files.map((file) => [file, readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length]);
  const sorted = sizes.map(([, lines]) => lines).sort((a, b) => a - b);

  const folders = new Map();
  for (const file of sourceFiles(root)) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  const large = [...folders].filter(([, count]) => count > MANY_FILES);
  const text = ([folder, count]) => `${folder} has ${count} source files, ${MOST_FILES} is the limit`;
  return {
    problems: [
      ...sizes
        .filter(([, lines]) => lines > MOST_LINES)
        .map(([file, lines]) => `${file} has ${lines} lines, ${MOST_LINES} is the limit`),
      ...large.filter(([, count]) => count > MOST_FILES).map(text),
    ],
    hints: large.filter(([, count]) => count <= MOST_FILES).map(text),
    summary: `${sorted.length} files, median ${sorted[sorted.length >> 1] ?? 0} lines`,
  };
}

if (process.argv[1] === import.meta.filename) {
  const { problems, hints, summary } = measure(process.argv[2]);
  for (const hint of hints) console.log(`hint: ${hint}`);
  report({ problems, summary });
}
