// How many source files one call executes: node scripts/files-per-call.mjs [--list]
//
// A file counts when at least one of its functions runs between the start of `perform` and its answer, on the fake
// driver. Loading a file does not count: each call is made once before, on another desktop, so that every module is
// loaded and every table is built. The caches of the measured desktop are empty. Files of `src/drivers/fake` do not
// count: they stand for the programs on the screen. The contract and everything else below `src` counts.
//
// V8 counts the calls of each function (precise coverage). `dist` is bundled, so the sources are transpiled one by one
// into a temporary folder.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { sourceFiles } from './house/sources.mjs';
import { ROOT } from './run.mjs';

/**
 * The targets are 90 files for a click by ref and 50 for a snapshot. A limit leaves room for one more file than today
 * and is lowered when the count goes down.
 */
export const MOST_FILES = { 'click by ref': 90, 'click by selector': 110, snapshot: 50 };

/** Not below `perform`. */
const ABOVE = /^src\/(surfaces|host|replay|drivers\/linux)\//;
const NOT_COUNTED = /^src\/drivers\/fake\//;

const SCENE = {
  windows: [
    {
      ...{ key: 'editor', title: 'Letter', app: 'editor', active: true },
      children: [
        { role: 'text_field', name: 'Subject', value: 'Hello' },
        { role: 'checkbox', name: 'Urgent' },
        { role: 'button', name: 'Save' },
        { role: 'button', name: 'Cancel' },
      ],
    },
  ],
};

/** Returns the files that each call executes: `{ snapshot: ['src/…', …], … }`. */
export async function filesPerCall(root = ROOT) {
  const folder = mkdtempSync(join(tmpdir(), 'deskproof-files-per-call-'));
  try {
    transpile(root, folder);
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function transpile(root, folder) {
  const { compilerOptions } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.convertCompilerOptionsFromJson(
    { target: compilerOptions.target, module: 'ESNext', verbatimModuleSyntax: true },
    root,
  );
  for (const file of sourceFiles(root).filter((one) => !ABOVE.test(one))) {
    const { outputText } = ts.transpileModule(readFileSync(join(root, file), 'utf8'), { compilerOptions: options });
    const to = join(folder, file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, outputText);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

async function measure(folder) {
  const load = (file) => import(pathToFileURL(join(folder, file)).href);
  const { Desktop, perform } = await load('src/runtime/index.js');
  const { TOOLS } = await load('src/tools/index.js');
  const { fakeDesktop } = await load('src/drivers/fake/index.js');

  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  /** The files of which a function ran since the last time. */
  const executed = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url, functions }) => url.startsWith('file:') && functions.some(runsInCall))
      .map(({ url }) => relative(folder, fileURLToPath(url)).replace(/\.js$/, '.ts'))
      .filter((file) => file.startsWith('src/') && !NOT_COUNTED.test(file))
      .sort();
  };
  /** The files of the last call; the calls before it are made on the same desktop. */
  const run = async (...calls) => {
    const desktop = new Desktop({ name: 'files', kind: 'virtual', driver: fakeDesktop(SCENE).driver });
    try {
      for (const [tool, args] of calls) {
        await executed();
        await perform(desktop, TOOLS, { tool, args, caller: 'files-per-call' });
      }
      return await executed();
    } finally {
      await desktop.close();
    }
  };
  const secondRun = async (...calls) => {
    await run(...calls);
    return run(...calls);
  };
  try {
    return {
      'click by ref': await secondRun(['ui_snapshot', {}], ['ui_click', { target: 'e4' }]),
      'click by selector': await secondRun(['ui_click', { target: 'role=button && name="Save"' }]),
      snapshot: await secondRun(['ui_snapshot', {}]),
    };
  } finally {
    session.disconnect();
  }
}

/** The first function of a file without a name is the file itself: it runs when the file is loaded. */
function runsInCall({ functionName, ranges: [range] }) {
  return range.count > 0 && !(functionName === '' && range.startOffset === 0);
}

if (process.argv[1] === import.meta.filename) {
  const counted = await filesPerCall();
  for (const [name, files] of Object.entries(counted)) {
    console.log(`${name}: ${files.length} files, ${MOST_FILES[name]} is the limit`);
    if (process.argv.includes('--list')) for (const file of files) console.log(`  ${file}`);
  }
  process.exit(Object.entries(counted).some(([name, files]) => files.length > MOST_FILES[name]) ? 1 : 0);
}
