// npm run build: dist/ from src/. Also used by npm start and npm test, which skip it when nothing changed.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.mjs';
import { publishTypes } from './reachable-types.mjs';
import { withoutComments } from './without-comments.mjs';
import { capture, bin, ROOT } from './run.mjs';

const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
/** Where tsc writes types: all of them, also those that are not published. */
const TYPES = join(DIST, '.types');
const STAMP = join(DIST, '.built');
const MAIN = join(DIST, 'surfaces/cli/deskproof.js');
/** Programs bundled into one file each, and their entries. The MCP bundle replaces tsc's index.js, which loads hundreds. */
const BUNDLES = {
  [MAIN]: join(DIST, 'surfaces/cli/main.js'),
  [join(DIST, 'surfaces/mcp/index.js')]: join(DIST, 'surfaces/mcp/serve.js'),
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
  const scripts = ['bundle', 'reachable-types', 'without-comments'].map((name) => `scripts/${name}.mjs`);
  const others = ['tsconfig.json', 'package.json', 'package-lock.json', ...scripts].map((name) => join(ROOT, name));
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
  // By its own account tsc has written them, and would not do so again.
  if (!existsSync(TYPES)) rmSync(join(DIST, '.tsbuildinfo'), { force: true });
  const problems = [];
  const { code, output } = await capture(bin('tsc'), ['-p', 'tsconfig.json']);
  removeOrphans();
  if (code !== 0) problems.push(output.trim() || 'tsc failed');
  try {
    for (const [program, input] of Object.entries(BUNDLES)) await bundle(DIST, input, program);
    chmodSync(MAIN, 0o755);
    await publishTypes(TYPES, DIST, publishedTypes());
    await withoutComments(filesIn(DIST).filter((file) => file.endsWith('.js') && !(file in BUNDLES)));
  } catch (error) {
    problems.push(error.message);
  }
  if (problems.length === 0) writeFileSync(STAMP, made);
  return problems.join('\n');
}

/** What a program may import has its types there. */
function publishedTypes() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const files = Object.values(exports).flatMap(({ types }) => (types ? [join(ROOT, types)] : []));
  return files.map((file) => relative(DIST, file));
}

/** Outputs whose source is gone: they would still be found by imports and published. */
function removeOrphans() {
  const programs = filesIn(DIST).filter((name) => name.endsWith('.js') && name !== MAIN);
  const made = [
    ...programs.map((file) => relative(DIST, file)),
    ...filesIn(TYPES).map((file) => relative(TYPES, file)),
  ];
  for (const file of made) {
    const source = join(SRC, file).replace(/\.(js|d\.ts)$/, '.ts');
    if (!existsSync(source)) rmSync(join(file.endsWith('.js') ? DIST : TYPES, file));
  }
}

if (process.argv[1] === import.meta.filename) {
  const problems = await build();
  if (problems) console.error(problems);
  process.exit(problems ? 1 : 0);
}
