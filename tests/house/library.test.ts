import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { complaints, exportsOf, libraryProgram, ownMembers, ROOT, written, type Named } from './library-program.js';

// What programs depend on. A difference here is a change for its users, and goes into the CHANGELOG: npx vitest -u

const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((file) => `docs/${file}`)].filter((file) =>
  file.endsWith('.md'),
);
const EXAMPLES = Object.fromEntries(
  PAGES.flatMap((page) => {
    const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)];
    // Each is a module, whatever it imports.
    return blocks.map(([, text], at) => [`${page.replace(/\.md$/, '')}-${at + 1}.ts`, `${text}\nexport {};\n`]);
  }),
) as Record<string, string>;

const program = libraryProgram(EXAMPLES);
const ENTRIES = ['deskproof', 'deskproof/vitest'] as const;
const of = Object.fromEntries(ENTRIES.map((entry) => [entry, exportsOf(program, entry)])) as Record<string, Named[]>;

test.each(ENTRIES)('%s is what it was', async (entry) => {
  const text = of[entry]!.map((one) => written(program, one)).join('\n\n');
  const file = `../golden/${entry.replace('/', '-')}.d.txt`;
  await expect(`${text}\n`).toMatchFileSnapshot(file);
});

describe('everything public says what it is', () => {
  const checker = program.getTypeChecker();
  const isOurs = ({ symbol }: Named): boolean =>
    symbol.declarations!.some((one) => one.getSourceFile().fileName.includes('/src/'));
  const isSaid = (symbol: ts.Symbol): boolean => symbol.getDocumentationComment(checker).length > 0;
  const all = ENTRIES.flatMap((entry) => of[entry]!).filter(isOurs);

  test('each name', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(({ symbol }) => !isSaid(symbol)).map(({ name }) => name)).toEqual([]);
  });

  test('each member of what the library itself declares', () => {
    const own = all.filter(({ symbol }) =>
      symbol.declarations!.some((one) => one.getSourceFile().fileName.includes('/surfaces/library/')),
    );
    const members = own.flatMap(({ name, symbol }) =>
      ownMembers(symbol).map((member) => ({ path: `${name}.${member.name}`, said: isSaid(member) })),
    );
    expect(members.length).toBeGreaterThan(100);
    expect(members.filter(({ said }) => !said).map(({ path }) => path)).toEqual([]);
  });
});

describe('examples in the docs', () => {
  test('there are some', () => {
    expect(Object.keys(EXAMPLES).length).toBeGreaterThan(3);
  });

  test.each(Object.keys(EXAMPLES))('%s compiles', (file) => {
    expect(complaints(program, file), EXAMPLES[file]).toEqual([]);
  });
});
