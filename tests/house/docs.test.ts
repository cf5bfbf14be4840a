import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommanderError, type Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { createContext } from '../../src/surfaces/cli/context.js';
import { createProgram } from '../../src/surfaces/cli/program.js';
import { SKIPS as DRIVER_SKIPS } from '../conformance/skips.js';
import { TOOL_SKIPS } from '../conformance/tools/skips.js';

const SKIPS = [...DRIVER_SKIPS, ...TOOL_SKIPS];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...pagesIn('docs')];

function pagesIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => join(folder, file));
}

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

interface Parts {
  /** Lines of fenced blocks. */
  code: string[];
  /** `like this` in the running text. */
  spans: string[];
  /** The running text without code. */
  prose: string;
}

function partsOf(markdown: string): Parts {
  const parts: Parts = { code: [], spans: [], prose: '' };
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) fenced = !fenced;
    else if (fenced) parts.code.push(line);
    else {
      parts.spans.push(...[...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code!));
      parts.prose += `${line.replaceAll(/`[^`]+`/g, 'code')}\n`;
    }
  }
  return parts;
}

/** Every command line of ours that a reader could type, as words. Output of a transcript is none. */
function commandsOf({ code, spans }: Parts): string[][] {
  const typed = [...code.map((line) => line.replace(/^\$ /, '')), ...spans];
  return typed.flatMap((line) => /^(?:npx )?deskproof (.*)$/.exec(line)?.[1] ?? []).map(wordsOf);
}

/** As a shell would cut it; a comment, a pipe or another file ends the command. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare!,
  );
  const end = words.findIndex((word) => /^(#|\||>|&&|;)/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

/** A page may name a command, or a group of them, without all that it needs. */
const NAMED_ONLY = new Set(['commander.missingArgument', 'commander.help']);

/** What the command line says against it; undefined when it would run. */
function complaint(words: readonly string[]): string | undefined {
  const program = createProgram(createContext(new AbortController().signal, {}));
  for (const command of everyCommand(program)) {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    // Groups keep their lack of an action: that is how an unknown command is found.
    if (command.commands.length === 0) command.action(() => undefined);
  }
  try {
    program.parse([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 || NAMED_ONLY.has(error.code) ? undefined : error.message;
  }
}

function* everyCommand(command: Command): Generator<Command> {
  yield command;
  for (const inner of command.commands) yield* everyCommand(inner);
}

/** Links and paths of the repository that lead nowhere. */
function deadEnds(page: string, { prose, spans }: Parts): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  const relativeLinks = links.filter((link) => !/^[a-z]+:/.test(link));
  const paths = spans.filter((span) => /^(src|tests|docs|scripts|bench|examples)\/[\w./-]+$/.test(span));
  return [
    ...relativeLinks.filter((link) => !leadsSomewhere(page, link)),
    ...paths.filter((path) => !existsSync(join(ROOT, path))),
  ];
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (file.startsWith('..') || !existsSync(join(ROOT, file))) return false;
  return anchor === undefined || headingsOf(textOf(file)).includes(anchor);
}

/** Anchors as GitHub makes them. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function unknownScripts({ code, spans }: Parts): string[] {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const named = [...code, ...spans].flatMap((line) => [...line.matchAll(/\bnpm (?:run )?(?:-s )?([a-z]+)\b/g)]);
  return named.map(([, name]) => name!).filter((name) => !(name in scripts) && name !== 'ci');
}

describe.each(PAGES)('%s', (page) => {
  const parts = partsOf(textOf(page));

  test('shows only commands that the command line takes', () => {
    const wrong = commandsOf(parts).map((words) => [`deskproof ${words.join(' ')}`, complaint(words)]);
    expect(wrong.filter(([, why]) => why !== undefined)).toEqual([]);
  });

  test('has no broken links', () => {
    expect(deadEnds(page, parts)).toEqual([]);
  });

  test('names only scripts that there are', () => {
    expect(unknownScripts(parts)).toEqual([]);
  });
});

test('the README names the two commands, and each alone on its line', () => {
  const lines = partsOf(textOf('README.md')).code.map((line) => line.replace(/\s+#.*$/, ''));
  expect(lines).toContain('npm start');
  expect(lines).toContain('npm test');
});

test('the README says which Node is needed', () => {
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
  expect(textOf('README.md')).toContain(`Node ${engines.node.replace('>=', '')} or newer`);
});

describe('docs/drivers.md lists every skip', () => {
  const rows = textOf('docs/drivers.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));

  test.each(SKIPS)('$driver: $case', ({ driver, case: name, reason }) => {
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^\\| ${driver} \\|.*\\| ${escaped(reason)} \\|$`)));
    expect(rows.filter((row) => row.startsWith(`| ${driver} |`)).join('\n')).toContain(name);
  });

  test('and counts them', () => {
    for (const driver of new Set(SKIPS.map((skip) => skip.driver))) {
      const count = SKIPS.filter((skip) => skip.driver === driver).length;
      expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^\\| ${escaped(driver)} \\|.*\\| ${count} \\|$`)));
    }
  });

  function escaped(text: string): string {
    return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
});

describe('planted faults are found', () => {
  const page = [
    'Run `deskproof doctor --fix` or `deskproof clack e12`; see [that](docs/nothing.md), [this](#nowhere)',
    'and `src/nothing.ts`, then `npm run nothing`. But [here](#safety), `deskproof doctor` and `deskproof desktop launch` are fine.',
    '```sh',
    '$ npx deskproof snapshot Calculator --windw w2   # a comment --not-a-flag',
    'e12 button "deskproof nonsense"',
    "deskproof read e40 'cells A1:B2' | head -1",
    'deskproof desktop run -- mousepad --its-own-flag',
    'deskproof read e40 1-2 3',
    'deskproof desktop fly',
    'deskproof --help',
    '```',
  ].join('\n');
  const parts = partsOf(page);

  test('in commands', () => {
    const found = commandsOf(parts).flatMap((words) => complaint(words) ?? []);
    expect(found.map((why) => why.split('\n')[0])).toEqual([
      expect.stringContaining("unknown option '--windw'"),
      expect.stringContaining('too many arguments'),
      expect.stringContaining("unknown command 'fly'"),
      expect.stringContaining("unknown option '--fix'"),
      expect.stringContaining("unknown command 'clack'"),
    ]);
  });

  test('in links, paths and scripts', () => {
    expect(deadEnds('README.md', parts)).toEqual(['docs/nothing.md', '#nowhere', 'src/nothing.ts']);
    expect(unknownScripts(parts)).toEqual(['nothing']);
  });
});
