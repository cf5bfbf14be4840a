import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publishTypes } from '../../scripts/reachable-types.mjs';

// Which types the build lets out, beginning with what a program may import.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-types-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, 'dist', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** What is in dist then, but for what tsc wrote; or what was complained of. */
async function published(): Promise<string[] | string> {
  const dist = join(folder, 'dist');
  try {
    await publishTypes(join(dist, '.types'), dist, ['index.d.ts', 'more.d.ts']);
  } catch (error) {
    return (error as Error).message;
  }
  const files = readdirSync(dist, { recursive: true }).map(String);
  return files.filter((file) => file.endsWith('.ts') && !file.startsWith('.types')).sort();
}

const ALL = {
  '.types/index.d.ts': `export type * from './a/index.js';\nexport { x } from "zod";\n// from './said.js'\n`,
  '.types/more.d.ts': `import { B } from './b.js';\nimport './side.js';\nexport declare const b: B;\n`,
  '.types/a/index.d.ts': `export declare const a: import("../c.js").C;\n`,
  '.types/b.d.ts': `import type { A } from './index.js';\nexport interface B extends A {}\n`,
  '.types/c.d.ts': `export type C = 'from ./unmentioned.js';\n`,
  '.types/side.d.ts': `export {};\n`,
  '.types/unreached.d.ts': `export * from './deeper.js';\n`,
  '.types/deeper.d.ts': `export {};\n`,
};
const REACHED = ['a/index.d.ts', 'b.d.ts', 'c.d.ts', 'index.d.ts', 'more.d.ts', 'side.d.ts'];

test('all that is reached, and nothing that is not, also of an earlier build', async () => {
  write({ ...ALL, 'unreached.d.ts': 'old', 'a/gone.d.ts': 'old', 'b.d.ts': 'old', 'index.js': '' });
  expect(await published()).toEqual(REACHED);
});

test('what becomes reachable is there, though the compiler wrote it long ago', async () => {
  write(ALL);
  expect(await published()).toEqual(REACHED);
  write({ '.types/c.d.ts': `export type * from './unreached.js';\n` });
  expect(await published()).toEqual([...REACHED, 'deeper.d.ts', 'unreached.d.ts'].sort());
  write({ '.types/c.d.ts': ALL['.types/c.d.ts'] });
  expect(await published()).toEqual(REACHED);
});

test('one that is named and was not written stops the build', async () => {
  write({ ...ALL, '.types/b.d.ts': `export * from './lost.js';\n` });
  expect(await published()).toBe('there is no lost.d.ts, which the types in b.d.ts name');
});
