// npm run build: dist/ from src/. Also used by npm start and npm test, which skip it when nothing changed.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.mjs';
import { withoutComments } from './without-comments.mjs';
import { capture, bin, ROOT } from './run.mjs';

const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.built');
const MAIN = join(DIST, 'surfaces/cli/deskwright.js');
/** What is one file each, and where it begins. Over `serve.js` of tsc, which would load hundreds. */
const BUNDLES = {
  [MAIN]: join(DIST, 'surfaces/cli/main.js'),
  [join(DIST, 'serve.js')]: join(DIST, 'surfaces/mcp/serve-stdio.js'),
};

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    : [];

/** What the build was made from; a changed, new or removed source changes it. */
function fingerprint() {
  const sources = filesIn(SRC).filter((file) => !file.endsWith('.test.ts'));
  const others = ['tsconfig.json', 'package-lock.json', 'scripts/bundle.mjs', 'scripts/without-comments.mjs'].map(
    (name) => join(ROOT, name),
  );
  return [...sources, ...others]
    .map((file) => `${relative(ROOT, file)} ${statSync(file).mtimeMs} ${statSync(file).size}`)
    .sort()
    .join('\n');
}

export function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint();
}

/** What is wrong; empty when all is well. tsc writes dist also when types do not fit. */
export async function build() {
  const made = fingerprint();
  const problems = [];
  const { code, output } = await capture(bin('tsc'), ['-p', 'tsconfig.json']);
  removeOrphans();
  if (code !== 0) problems.push(output.trim() || 'tsc failed');
  try {
    for (const [program, input] of Object.entries(BUNDLES)) await bundle(DIST, input, program);
    chmodSync(MAIN, 0o755);
    await withoutComments(filesIn(DIST).filter((file) => file.endsWith('.js') && !(file in BUNDLES)));
  } catch (error) {
    problems.push(error.message);
  }
  if (problems.length === 0) writeFileSync(STAMP, made);
  return problems.join('\n');
}

/** Outputs whose source is gone: they would still be found by imports and published. */
function removeOrphans() {
  for (const file of filesIn(DIST).filter((name) => /\.(js|d\.ts)$/.test(name) && name !== MAIN)) {
    const source = join(SRC, relative(DIST, file)).replace(/\.(js|d\.ts)$/, '.ts');
    if (!existsSync(source)) rmSync(file);
  }
}

if (process.argv[1] === import.meta.filename) {
  const problems = await build();
  if (problems) console.error(problems);
  process.exit(problems ? 1 : 0);
}
