import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createContext } from './context.js';
import { EXAMPLES } from './examples.js';
import { createProgram } from './program.js';

const program = (): Command => createProgram(createContext(new AbortController().signal, {}));

/** All commands by their words. */
function typed(command: Command, path: readonly string[] = []): [string, Command][] {
  const inner = command.commands.flatMap((one) => typed(one, [...path, one.name()]));
  const groups = inner.length > 0 && path.join(' ') !== 'grants';
  return groups ? inner : [[path.join(' '), command], ...inner];
}

it('every command has an example, and every example has a command', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(
    typed(program())
      .map(([path]) => path)
      .sort(),
  );
});

const LINES = Object.entries(EXAMPLES).flatMap(([path, all]) => all.map(([line]) => [path, line] as const));

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
    expect(shown).toContain(`Examples:\n  deskproof ${EXAMPLES[path]![0]![0]}`);
    const silent = command.options.filter(({ description }) => description.replace(/^default \S+$/, '') === '');
    expect([path, silent.map(({ long }) => long)]).toEqual([path, []]);
  }
});
