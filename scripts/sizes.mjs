// No file over 400 lines: node scripts/sizes.mjs [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { ROOT } from './run.mjs';

const LIMIT = 400;
const FOLDERS = ['src', 'tests', 'bench', 'scripts', 'examples'];
const SOURCES = new Set(['.ts', '.mjs', '.cjs', '.js', '.py', '.html', '.css']);

export function measure(root = ROOT) {
  const files = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDERS.includes(entry.name))
    .flatMap((entry) => readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && SOURCES.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const sizes = files.map((file) => ({
    file: relative(root, file),
    lines: readFileSync(file, 'utf8').trimEnd().split('\n').length,
  }));
  const sorted = sizes.map((size) => size.lines).sort((a, b) => a - b);
  return {
    tooLong: sizes.filter((size) => size.lines > LIMIT),
    median: sorted[sorted.length >> 1] ?? 0,
    count: sorted.length,
  };
}

if (process.argv[1] === import.meta.filename) {
  const { tooLong, median, count } = measure(process.argv[2]);
  for (const { file, lines } of tooLong) console.error(`${file} has ${lines} lines; ${LIMIT} is the end`);
  console.log(`${count} files, median ${median} lines`);
  process.exit(tooLong.length > 0 ? 1 : 0);
}
