import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// What is published, in an empty directory. With SOAK npm installs it with all that it needs; else what package.json
// names is put beside it, and nothing else.

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MOST_BYTES = 3_500_000;
const folder = mkdtempSync(join(tmpdir(), 'dp-pack-'));
const env = { ...process.env, HOME: folder, DESKPROOF_RUNTIME: join(folder, 'run') };
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

let packed: Packed;
beforeAll(async () => {
  const { stdout } = await run('npm', ['pack', ROOT, '--json', '--ignore-scripts'], { cwd: folder });
  [packed] = JSON.parse(stdout) as [Packed];
  writeFileSync(join(folder, 'package.json'), '{"name":"reader","private":true,"type":"module"}');
  if (process.env.SOAK) {
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--omit=optional'];
    await run('npm', ['install', ...quiet, `./${packed.filename}`], { cwd: folder });
  } else await putBeside(packed.filename);
}, 240_000);

async function putBeside(tarball: string): Promise<void> {
  const home = join(folder, 'node_modules/deskproof');
  mkdirSync(home, { recursive: true });
  await run('tar', ['-xzf', join(folder, tarball), '-C', home, '--strip-components=1']);
  const { dependencies, bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    bin: { deskproof: string };
  };
  for (const name of Object.keys(dependencies)) {
    const place = join(folder, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), place);
  }
  mkdirSync(join(folder, 'node_modules/.bin'));
  symlinkSync(join(home, bin.deskproof), join(folder, 'node_modules/.bin/deskproof'));
}

const node = async (script: string): Promise<string> =>
  (await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder, env })).stdout.trim();

test('it is small, and holds no leftovers of the build', () => {
  expect(packed.unpackedSize).toBeLessThan(MOST_BYTES);
  const strange = packed.files.filter(({ path }) =>
    /\.test\.|goldens|tsbuildinfo|\.built|\.types|\.map$|^(src|tests)\//.test(path),
  );
  expect(strange).toEqual([]);
});

test('the command runs', async () => {
  const program = join(folder, 'node_modules/.bin/deskproof');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect((await run(program, ['--version'], { cwd: folder, env })).stdout).toBe(`${version}\n`);
  expect((await run(program, ['desktop', 'list'], { cwd: folder, env })).stdout).toContain(
    'No private desktop is running.',
  );
});

describe('the import works', () => {
  test('and loads nothing native', async () => {
    const native = await node(`
      const before = new Set(process.report.getReport().sharedObjects);
      await import('deskproof');
      console.log(process.report.getReport().sharedObjects.filter((one) => !before.has(one)).length);`);
    expect(native).toBe('0');
  });

  test('internal modules cannot be imported', async () => {
    const code = await node(`await import('deskproof/dist/host/index.js').catch((error) => console.log(error.code));`);
    expect(code).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  test('and opens a desktop', async () => {
    const name = await node(`
      import { openDesktop } from 'deskproof';
      const desktop = await openDesktop();
      console.log((await desktop.capabilities()).driver.kind, (await desktop.windows()).length);
      await desktop.close();`);
    expect(name).toBe('linux 0');
  });

  test('contains all reachable types and no others', () => {
    const home = join(folder, 'node_modules/deskproof');
    const there = new Set(packed.files.map(({ path }) => path));
    const seen = new Set<string>();
    const follow = (file: string): string[] => {
      if (seen.has(file)) return [];
      seen.add(file);
      if (!there.has(file)) return [file];
      const named = [
        ...readFileSync(join(home, file), 'utf8').matchAll(/(?:from|import|import\()\s*['"](\.[^'"]+)\.js['"]/g),
      ];
      return named.flatMap(([, path]) => follow(`${join(dirname(file), path!)}.d.ts`));
    };
    expect(['dist/index.d.ts', 'dist/vitest.d.ts'].flatMap(follow)).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
    expect([...there].filter((file) => file.endsWith('.d.ts') && !seen.has(file))).toEqual([]);
  });

  // The compiler reads every type of every package: that takes longer than all the rest.
  test.runIf(process.env.SOAK)('with all of its types', async () => {
    writeFileSync(
      join(folder, 'reader.ts'),
      `import { openDesktop, expect, type ActResult, type ToolArgs } from 'deskproof';
       const desktop = await openDesktop({ policy: { version: 1, rules: [{ name: 'a', decision: 'deny' }] } });
       const done: ActResult = await desktop.getByRole('button').click();
       const changed: 'yes' | 'no' | 'unknown' = done.changed;
       const args: ToolArgs['ui_click'] = { target: 'e1', button: 'right' };
       const { matches } = await desktop.call('ui_query', { target: 'role=button' });
       const confidence: number = matches[0]!.confidence;
       await expect(desktop.locator('e1')).not.toHaveValue(changed + confidence + args.target);
       // @ts-expect-error There is no such role.
       desktop.getByRole('buton');
       // @ts-expect-error There is no such field.
       await desktop.call('ui_click', { taget: 'e1' });\n`,
    );
    const options = ['--strict', '--noEmit', '--target', 'ES2022', '--module', 'NodeNext', '--lib', 'ES2023'];
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const checked = await run(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...types, 'reader.ts'],
      { cwd: folder },
    ).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(checked).toBe('');
  });
});
