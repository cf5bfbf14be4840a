import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { OWN_CASES, TOOL_CASES } from '../conformance/tools/cases.js';
import { CASES } from '../conformance/suite.js';

// A failed safety test is never repeated. The mark is vitest's tag `safety`: for a whole file by its first line, for
// one test by its options, for a conformance case by `safety: true`.

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const MARK = '// @module-tag safety';
/** Words in the name of a file: all of its tests are about safety. */
const FILES =
  /\b(liars|secrets?|approvals?|elicit|audit|ledger|governed|policy|hidden|impostor|stop|user input|covered|races?|recycled|reused)\b/;
/** Words in the title of a test or a case. */
const TITLES =
  /\bsecrets?\b|\bpasswords?\b|\bpolic(y|ies)\b|\bledger\b|\bwrong element\b|\bapprov|\banother (item|ref|window is not)\b|\bmeans? another\b|\b(left|stays?|leaves? nothing|nothing) pressed\b/i;
const TITLE = /\b(?:it|test)(?:\.\w+\([^)]*\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1,([^]{0,40})/g;

interface TestFile {
  name: string;
  text: string;
}

const files: TestFile[] = ['e2e', 'conformance', 'apps'].flatMap((folder) =>
  readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(TESTS, folder, name), 'utf8') })),
);
const isMarked = ({ text }: TestFile): boolean => text.startsWith(`${MARK}\n`);

/** Tests about safety that carry no mark. */
function unmarked(file: TestFile): string[] {
  if (isMarked(file)) return [];
  if (FILES.test(file.name.replaceAll(/[-/.]/g, ' '))) return [`${file.name}: the first line must be "${MARK}"`];
  return [...file.text.matchAll(TITLE)]
    .filter(([, , title, after]) => TITLES.test(title!) && !after!.includes("tags: 'safety'"))
    .map(([, , title]) => `${file.name}: "${title}" needs { tags: 'safety' }, or the file needs "${MARK}"`);
}

describe('safety tests are marked', () => {
  it('on desktops', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(unmarked)).toEqual([]);
  });

  it('in the conformance suites', () => {
    const cases = [...CASES, ...TOOL_CASES, ...Object.values(OWN_CASES).flat()];
    const missing = cases.filter(({ name, safety }) => TITLES.test(name) && !safety);
    expect(missing.map(({ name }) => `"${name}" needs safety: true`)).toEqual([]);
    expect(cases.filter(({ safety }) => safety).length).toBeGreaterThan(3);
  });

  it.each([
    ['e2e/liars-new.test.ts', '', 1],
    ['e2e/liars-new.test.ts', `${MARK}\n`, 0],
    ['e2e/new.test.ts', "it('types a secret', async () => {", 1],
    ['e2e/new.test.ts', "it('types a secret', { tags: 'safety' }, async () => {", 0],
    ['e2e/new.test.ts', "test.each(ROWS)(\n  'no password in %s',\n  { tags: 'safety' }, async () => {", 0],
    ['e2e/new.test.ts', "it('types a text', async () => {", 0],
  ])('%s with %j', (name, text, found) => {
    expect(unmarked({ name, text })).toHaveLength(found);
  });
});
