import { createRequire } from 'node:module';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dp-house-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(place: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, file)), { recursive: true });
    writeFileSync(join(place, file), text);
  }
}

function run(command: string, args: string[], cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) =>
    execFile(command, args, { cwd, env: { ...process.env, NO_COLOR: '1' } }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    ),
  );
}

/** One small house with the real walls and every fault in it, checked in one run: the check takes seconds to start. */
const FAULTS = {
  'src/shared/index.ts': "export const one = 1;\nexport { two } from '../selector/index.js';\n",
  'src/shared/inner.ts': 'export const inner = 1;\n',
  'src/selector/index.ts': 'export const two = 2;\n',
  'src/tree/index.ts': "export { inner } from '../shared/inner.js';\nexport { one } from '../shared/index.js';\n",
  'src/policy/index.ts': "import { b } from './b.js';\nexport const a = () => b;\n",
  'src/policy/b.ts': "import { a } from './index.js';\nexport const b = () => a;\n",
  'src/secrets/index.ts': "import { d } from './d.js';\nexport const c = () => d;\n",
  'src/secrets/d.ts': "export { e as d } from './e.js';\n",
  'src/secrets/e.ts': "import { c } from './index.js';\nexport const e = () => c;\n",
  'src/replay/index.ts': "import type { F } from './f.js';\nexport type G = F;\n",
  'src/replay/f.ts': "import type { G } from './index.js';\nexport type F = G[];\n",
  'src/misc/index.ts': "export { one } from '../shared/index.js';\n",
  'src/vision/index.ts': "import x11 from 'x11';\nexport const client = x11;\n",
  'src/runtime/user/a.ts': "import { call } from '../call/b.js';\nexport const low = call;\n",
  'src/runtime/call/b.ts': 'export const call = 1;\n',
  'src/runtime/misc/c.ts': "import { call } from '../call/b.js';\nexport const odd = call;\n",
  'src/audit/index.ts': "import { test } from 'vitest';\nexport const late = test;\n",
};

describe('the walls of the house', () => {
  let seen: { code: number; output: string };
  beforeAll(async () => {
    const place = join(folder, 'rooms');
    mkdirSync(place);
    for (const file of ['.dependency-cruiser.cjs', 'rooms.cjs', 'tsconfig.json', 'package.json']) {
      cpSync(join(ROOT, file), join(place, file));
    }
    symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
    put(place, FAULTS);
    const depcruise = join(ROOT, 'node_modules/.bin/depcruise');
    seen = await run(depcruise, ['src', '--config', '.dependency-cruiser.cjs'], place);
  }, 60_000);

  test('a house with faults fails', () => {
    expect(seen.code).toBe(1);
  });

  test.each([
    ['an import that the table does not allow', /wall-of-shared: src\/shared\/index.ts → src\/selector\/index.ts/],
    [
      'a runtime folder that loads a higher one',
      /wall-of-runtime-user: src\/runtime\/user\/a.ts → src\/runtime\/call\/b.ts/,
    ],
    ['a runtime folder without a line', /unknown-runtime-folder: src\/runtime\/misc\/c.ts/],
    ["an import past a room's front door", /wall-of-tree: src\/tree\/index.ts → src\/shared\/inner.ts/],
    ['a circle', /no-cycles: src\/policy\/(b|index).ts/],
    ['a circle of three files', /no-cycles: src\/secrets\/(d|e|index).ts/],
    ['a folder that the table does not know', /unknown-room: src\/misc\/index.ts/],
    ['x11 outside the Linux driver', /x11-stays-in-the-linux-driver: src\/vision\/index.ts/],
    ['a tool of the developers in the product', /no-dev-dependencies-in-src: src\/audit\/index.ts/],
  ])('%s is found', (_, line) => {
    expect(seen.output).toMatch(line);
  });

  test('what is allowed is not complained about', () => {
    expect(seen.output).not.toMatch(/src\/tree\/index.ts → src\/shared\/index.ts/);
    expect(seen.output).not.toMatch(/no-cycles: src\/replay/);
  });
});

test('a file over 400 lines is found wherever sources are', async () => {
  const place = join(folder, 'sizes');
  const long = 'export {};\n'.repeat(401);
  put(place, {
    'src/a.ts': long,
    'tests/b.ts': long,
    'scripts/c.mjs': long,
    'bench/d.mjs': long,
    'src/e.ts': long.slice(11),
  });
  const { code, output } = await run(process.execPath, [join(ROOT, 'scripts/sizes.mjs'), place], ROOT);
  expect(code).toBe(1);
  for (const file of ['src/a.ts', 'tests/b.ts', 'scripts/c.mjs', 'bench/d.mjs']) {
    expect(output).toContain(`${file} has 401 lines`);
  }
  expect(output).not.toContain('src/e.ts');
  expect(output).toContain('5 files, median 401 lines');
});

test('the folders of runtime stand in an order without cycles', () => {
  const { RUNTIME } = createRequire(import.meta.url)('../../rooms.cjs') as { RUNTIME: Record<string, string[]> };
  const below = new Set<string>();
  for (const [folder, allowed] of Object.entries(RUNTIME)) {
    expect(allowed.filter((one) => !below.has(one))).toEqual([]);
    below.add(folder);
  }
});
