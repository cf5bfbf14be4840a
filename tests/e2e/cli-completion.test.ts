import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from './cli-room.js';
import { terminalForEach } from './support/terminal-for-each.js';

const here = terminalForEach();

/** As the help says; a prompt of our own, so that one sees when the shell is ready. */
const SHELLS = [
  ['bash', 'bash --noprofile --norc', `PS1='> '; eval "$(deskproof completion bash)"`],
  ['zsh', 'zsh -f', `PS1='> '; autoload -Uz compinit; compinit -D; eval "$(deskproof completion zsh)"`],
  ['fish', 'fish --no-config', `function fish_prompt; echo -n '> '; end; deskproof completion fish | source`],
] as const;

describe.each(SHELLS)('completion in %s', (_, shell, readIn) => {
  it('offers commands, their flags and the values of those', async () => {
    const bin = join(here.room.base, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'deskproof'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o700 });
    here.terminal.press(`clear; PATH='${bin}':$PATH ${shell}`, 'Enter');
    here.terminal.press(`${readIn}; echo rea''dy`, 'Enter');
    await here.terminal.shows(/^ready\n+>/m);
    const typed: readonly (readonly [string, RegExp])[] = [
      ['deskproof snap', /^> deskproof snapshot$/m],
      ['deskproof desktop star', /^> deskproof desktop start$/m],
      ['deskproof click --method pat', /^> deskproof click --method pattern$/m],
      ['deskproof --desktop virt', /^> deskproof --desktop virtual$/m],
      ['deskproof --desktop user snapshot --inter', /^> deskproof --desktop user snapshot --interactive$/m],
      ['deskproof completion fi', /^> deskproof completion fish$/m],
    ];
    for (const [words, whole] of typed) {
      here.terminal.press('-l', words);
      here.terminal.press('Tab');
      await here.terminal.shows(whole);
      here.terminal.press('C-u');
    }
    here.terminal.press('-l', 'deskproof audit ');
    here.terminal.press('Tab', 'Tab');
    const all = await here.terminal.shows(/verify/);
    for (const word of ['path', 'show', 'tail', 'keys', 'rotate']) expect(all).toContain(word);
  });
});

it('reports the known shells for an unknown one', async () => {
  const { code, err } = await here.room.run(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(err).toMatch(/bash, zsh, fish/);
});
