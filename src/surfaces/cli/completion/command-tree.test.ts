import { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { bashScript, fishScript, zshScript } from './shells.js';
import { commandTree } from './command-tree.js';

function program(): Command {
  const all = new Command('deskproof').option('--desktop <name>', "user (that's yours) or a name");
  all.command('look').description('See it: all of it. And then more.').option('-i, --inner', 'only within');
  const group = all.command('desktop').description('Private ones.');
  const start = group.command('start').description(`${'long '.repeat(30)}text`);
  start.addOption(new Option('--size <s>').choices(['small', 'large'])).addOption(new Option('--hidden').hideHelp());
  return all;
}

describe('the completions of a program', () => {
  const places = commandTree(program());

  it('are the commands and flags, each with a short description', () => {
    expect(places.map(({ path }) => path.join(' '))).toEqual(['', 'look', 'desktop', 'desktop start']);
    expect(places[0]!.commands).toEqual([
      { word: 'look', what: 'See it: all of it' },
      { word: 'desktop', what: 'Private ones' },
    ]);
    expect(places[2]!.commands[0]!.what).toMatch(/^long .{60,70}…$/);
  });

  it('include which flags take a value, and exclude hidden flags', () => {
    expect(places[0]!.flags.find(({ words }) => words.includes('--desktop'))!.value).toEqual(['user', 'virtual']);
    expect(places[1]!.flags[0]).toEqual({ words: ['-i', '--inner'], what: 'only within' });
    const [size, ...rest] = places[3]!.flags;
    expect(size).toMatchObject({ words: ['--size'], value: ['small', 'large'] });
    expect(rest.flatMap(({ words }) => words)).not.toContain('--hidden');
  });

  it.each([
    ['bash', bashScript, "'look desktop --desktop -h --help'"],
    ['zsh', zshScript, String.raw`'--desktop:user (that'\''s yours) or a name'`],
    ['fish', fishScript, String.raw`-d 'user (that\'s yours) or a name'`],
  ])('are quoted for the shell: %s', (_, script, line) => {
    expect(script(places)).toContain(line);
  });
});
