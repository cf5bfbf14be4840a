import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STATIC = /(?:import|export)\s*\{([^}]*)\}\s*from\s*'\.\.\/dist\/([^']+)\.js'/g;
const DYNAMIC = /const\s*\{([^}]*)\}\s*=\s*await import\('\.\.\/dist\/([^']+)\.js'\)/g;

const imports = ['bench', 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.mjs'))
    .flatMap((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8');
      return [...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].map(([, names, module]) => ({
        program: `${folder}/${name}`,
        names: names!.split(',').flatMap((one) => /\w+/.exec(one)?.[0] ?? []),
        module: module!,
      }));
    }),
);

it('finds the imports of the benchmarks', () => {
  expect(imports.length).toBeGreaterThan(15);
});

// The benchmarks are plain programs that use the build: no compiler sees that a name has gone.
it.each(imports)('$program: $module exports $names', async ({ names, module }) => {
  const source = join(ROOT, 'src', `${module}.ts`);
  expect(existsSync(source)).toBe(true);
  const exported = (await import(source)) as object;
  expect(Object.keys(exported)).toEqual(expect.arrayContaining(names));
});
