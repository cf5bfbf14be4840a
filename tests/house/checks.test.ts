import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PARTS } from '../../scripts/check.mjs';
import { commitTitles } from '../../scripts/house/commit-titles.mjs';
import { checkPhrases, phrasesIn } from '../../scripts/house/phrases.mjs';
import { unusedExports } from '../../scripts/house/unused-exports.mjs';
import { measure } from '../../scripts/sizes.mjs';

const folder = mkdtempSync(join(tmpdir(), 'dp-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));
let trees = 0;

/** A small tree with these files; returns its path. */
function tree(files: Record<string, string>): string {
  const root = join(folder, String(trees++));
  for (const [file, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

test('npm run check runs every house check', () => {
  expect(PARTS.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['rooms', 'sizes', 'phrases', 'exports', 'commits']),
  );
});

describe('sizes', () => {
  const files = (count: number, name: (at: number) => string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), 'export {};\n']));

  test.each<[string, Record<string, string>, string[], string[]]>([
    ['15 files in a folder are fine', files(15, (at) => `src/a/${at}.ts`), [], []],
    [
      '16 files in a folder are a hint',
      files(16, (at) => `src/a/${at}.ts`),
      [],
      ['src/a has 16 source files, 20 is the limit'],
    ],
    [
      '21 files in a folder fail',
      files(21, (at) => `src/a/${at}.ts`),
      ['src/a has 21 source files, 20 is the limit'],
      [],
    ],
    ['files of sub-folders do not count', files(21, (at) => `src/a/${at % 2}/${at}.ts`), [], []],
    [
      'tests, declarations and fixtures do not count',
      {
        ...files(15, (at) => `src/a/${at}.ts`),
        ...files(20, (at) => `src/a/${at}.test.ts`),
        ...files(20, (at) => `src/a/${at}.d.ts`),
        ...files(30, (at) => `src/a/fixtures/${at}.ts`),
        ...files(30, (at) => `tests/a/${at}.ts`),
      },
      [],
      [],
    ],
    [
      'a file above 400 lines fails',
      { 'src/a.ts': 'export {};\n'.repeat(401), 'src/b.ts': 'export {};\n'.repeat(400) },
      ['src/a.ts has 401 lines, 400 is the limit'],
      [],
    ],
  ])('%s', (_, planted, problems, hints) => {
    expect(measure(tree(planted))).toMatchObject({ problems, hints });
  });
});

describe('phrases', () => {
  test.each<[string, string, string[]]>([
    ['a word in a comment', '// Shown anew.', ['anew']],
    ['a word in a string', "throw new Error('Nobody answered');", ['Nobody']],
    ['a part of a name', 'const mustBeAsWished = AS_WISHED;', ['Wished', 'WISHED']],
    ['a phrase across two comment lines', ' * it is no\n * border at all', ['is no * border']],
    ['a part of a file name', 'src/act/last-look.ts', ['last-look']],
    ['words that only contain one', 'const indeed = renewed + unveiling + disability + dispatch;', []],
    ['human-readable text', 'a human-readable line', []],
    ['usual English', 'It is happening; it took so long that the app, as long as it runs, …', []],
  ])('%s', (_, text, found) => {
    expect(phrasesIn(text).map((phrase) => /"(.*?)":/.exec(phrase.text)![1])).toEqual(found);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['a tree without findings', { 'src/a.ts': '// again\n', 'README.md': 'Fine.\n' }, []],
    [
      'every finding with its line',
      { 'src/a.ts': '// anew\n// owed\n' },
      ['src/a.ts:1 "anew": write "again"', 'src/a.ts:2 "owed": write "pending"'],
    ],
    [
      'a page and a fixture app',
      { 'docs/b.md': 'Fine.\nNobody.\n', 'tests/fixture-apps/c.py': '# anew\n' },
      [
        'tests/fixture-apps/c.py:1 "anew": write "again"',
        'docs/b.md:2 "Nobody": write "name the user, the caller or the process"',
      ],
    ],
    ['a file name', { 'src/last-look.ts': '' }, ['src/last-look.ts:1 "last-look": write "precheck"']],
  ])('%s', (_, files, problems) => {
    expect(checkPhrases(tree(files)).problems).toEqual(problems);
  });
});

describe('unused exports', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['an export without an import', { 'src/a.ts': 'export const one = 1;' }, ['src/a.ts:1 one']],
    ['an unused type', { 'src/a.ts': '\nexport interface One {}' }, ['src/a.ts:2 One']],
    ['a type that the published types name', { 'src/a.ts': '/** Word. @public */\nexport type One = 1;' }, []],
    [
      'an import of another name',
      { 'src/a.ts': 'export const one = 1, two = 2;', 'src/b.ts': "import { one } from './a.js';" },
      ['src/a.ts:1 two'],
    ],
    [
      'an index that passes on what nothing imports from it',
      {
        'src/a/one.ts': 'export const one = 1;',
        'src/a/index.ts': "export { one } from './one.js';",
        'src/a/two.ts': "import { one } from './one.js';",
      },
      ['src/a/index.ts:1 one'],
    ],
    [
      'a chain of indexes with a user at its end',
      {
        'src/a/one.ts': 'export const one = 1;',
        'src/a/index.ts': "export { one as first } from './one.js';",
        'src/index.ts': "export * from './a/index.js';",
        'src/c.ts': "import { first } from './index.js';",
      },
      [],
    ],
    [
      'what package.json publishes',
      {
        'package.json': '{ "exports": { ".": { "default": "./dist/index.js" } }, "bin": { "x": "dist/cli.js" } }',
        'src/index.ts': 'export const one = 1;',
        'src/cli.ts': 'export const two = 2;',
        'src/more.ts': 'export const three = 3;',
      },
      ['src/more.ts:1 three'],
    ],
    [
      'imports at run time and in types',
      {
        'src/a.ts': 'export const one = 1;\nexport const two = 2;\nexport const three = 3;\nexport type Four = 4;',
        'src/b.ts': "const { one } = await import('./a.js');\nlet four: import('./a.js').Four;",
        'src/c.ts': "void import('./a.js').then(({ two }) => two);",
      },
      ['src/a.ts:3 three'],
    ],
    [
      'a whole module',
      { 'src/a.ts': 'export const one = 1;', 'src/b.ts': "import * as all from './a.js';\nconsole.log(all);" },
      [],
    ],
    [
      'code that only tests run',
      {
        'src/a.ts':
          'export const one = 1;\nexport const two = 2;\nconsole.log(two);\n/** @internal */\nexport const three = 3;',
        'src/a.test.ts': "import { one, two, three } from './a.js';",
      },
      ['src/a.ts:1 one'],
    ],
  ])('%s', (_, planted, found) => {
    const { findings } = unusedExports(tree(planted));
    expect(findings.map(({ file, line, text }) => `${file}:${line} ${text.split(' ')[0]}`)).toEqual(found);
  });
});

describe('commit titles', () => {
  const FILE = 'scripts/house/commit-titles.mjs';
  const LONG = `fix(tree): ${'x'.repeat(62)}`;
  const git = (root: string, ...args: string[]): string =>
    execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' });

  /** A repository with these commits; the one titled `add` adds the check. */
  function repository(...titles: string[]): string {
    const root = tree({});
    git(root, 'init', '-q');
    for (const title of titles) {
      if (title === 'add') {
        mkdirSync(dirname(join(root, FILE)), { recursive: true });
        writeFileSync(join(root, FILE), '');
      }
      git(root, 'add', '.');
      git(root, 'commit', '-q', '--allow-empty', '-m', title);
    }
    return root;
  }

  test.each<[string, string[], number, RegExp]>([
    ['a title of 73 characters fails', ['add', 'fix: fine', LONG], 1, /^2 commits$/],
    ['a title of 72 characters passes', ['add', LONG.slice(1)], 0, /^1 commits$/],
    ['commits before the check do not count', [LONG, 'add', 'fix: fine'], 0, /^1 commits$/],
    ['without the check there is nothing to compare', [LONG], 0, /^not checked: no commit/],
  ])('%s', (_, titles, count, summary) => {
    const result = commitTitles(repository(...titles));
    expect(result.problems).toHaveLength(count);
    expect(result.summary).toMatch(summary);
  });

  test('a shallow clone and a folder without git are one line, not a failure', () => {
    const full = repository('add', LONG, 'fix: last');
    const shallow = join(folder, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '1', `file://${full}`, shallow]);
    expect(commitTitles(shallow)).toEqual({ problems: [], summary: 'not checked: this clone is shallow' });
    expect(commitTitles(tree({}))).toEqual({
      problems: [],
      summary: 'not checked: this folder is not a git repository',
    });
  });
});
