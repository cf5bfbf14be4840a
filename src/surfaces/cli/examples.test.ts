import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createContext } from './context.js';
import { guideOf } from './command-guide.js';
import { createProgram } from './program.js';

const program = (): Command => createProgram(createContext(new AbortController().signal, {}));

/** All commands by their words. */
function typed(command: Command, path: readonly string[] = []): [string, Command][] {
  const inner = command.commands.flatMap((one) => typed(one, [...path, one.name()]));
  const groups = inner.length > 0 && path.join(' ') !== 'grants';
  return groups ? inner : [[path.join(' '), command], ...inner];
}

const LINES = typed(program()).flatMap(([path, command]) =>
  (guideOf(command)?.examples ?? []).map(([line]) => [path, line] as const),
);

it('every command has an example', () => {
  expect([...new Set(LINES.map(([path]) => path))]).toEqual(typed(program()).map(([path]) => path));
});

it('every command is in the overview, except those at its top', () => {
  const missing = program().commands.filter((command) => !guideOf(command)?.overview);
  expect(missing.map((command) => command.name())).toEqual(['demo', 'init', 'doctor']);
});

it.each(LINES)('%s: deskproof %s', (path, line) => {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  const whole = program();
  const ran: string[] = [];
  for (const [name, command] of typed(whole)) command.action(() => void ran.push(name));
  whole.parse(words, { from: 'user' });
  expect(ran).toEqual([path]);
});

it('the help shows the examples and describes every flag', () => {
  for (const [path, command] of typed(program())) {
    let shown = '';
    command.configureOutput({ writeOut: (text) => void (shown += text) });
    command.outputHelp();
    expect(shown).toContain(`Examples:\n  deskproof ${guideOf(command)!.examples[0]![0]}`);
    const silent = command.options.filter(({ description }) => description.replace(/^default \S+$/, '') === '');
    expect([path, silent.map(({ long }) => long)]).toEqual([path, []]);
  }
});
