// npm run build: dist/ from src/. Also used by npm start and npm test, which skip it when nothing changed.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { capture, bin, ROOT } from './run.mjs';

const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.built');
const MAIN = join(DIST, 'surfaces/cli/main.js');

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** What the build was made from; a changed, new or removed source changes it. */
function fingerprint() {
  const sources = filesIn(SRC).filter((file) => !file.endsWith('.test.ts'));
  return [...sources, join(ROOT, 'tsconfig.json'), join(ROOT, 'package-lock.json')]
    .map((file) => `${relative(ROOT, file)} ${statSync(file).mtimeMs} ${statSync(file).size}`)
    .sort()
    .join('\n');
}

export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
}

/** What tsc says; empty when all is well. It writes dist also when types do not fit. */
export async function build() {
  const made = fingerprint();
  const { code, output } = await capture(bin('tsc'), ['-p', 'tsconfig.json']);
  removeOrphans();
  if (existsSync(MAIN)) chmodSync(MAIN, 0o755);
  if (code === 0) writeFileSync(STAMP, made);
  return code === 0 ? '' : output.trim() || 'tsc failed';
}

/** Outputs whose source is gone: they would still be found by imports and published. */
function removeOrphans() {
  for (const file of filesIn(DIST).filter((name) => /\.(js|d\.ts)$/.test(name))) {
    const source = join(SRC, relative(DIST, file)).replace(/\.(js|d\.ts)$/, '.ts');
    if (!existsSync(source)) rmSync(file);
  }
}

if (process.argv[1] === import.meta.filename) {
  const problems = await build();
  if (problems) console.error(problems);
  process.exit(problems ? 1 : 0);
}
