import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from './cli-room.js';
import { terminalForEach } from './support/terminal-for-each.js';

const here = terminalForEach();

/** As the help says; a prompt of our own, so that one sees when the shell is ready. */
const SHELLS = [
  ['bash', 'bash --noprofile --norc', `PS1='> '; eval "$(deskwright completion bash)"`],
  ['zsh', 'zsh -f', `PS1='> '; autoload -Uz compinit; compinit -D; eval "$(deskwright completion zsh)"`],
  ['fish', 'fish --no-config', `function fish_prompt; echo -n '> '; end; deskwright completion fish | source`],
] as const;

describe.each(SHELLS)('completion in %s', (_, shell, readIn) => {
  it('offers commands, their flags and the values of those', async () => {
    const bin = join(here.room.base, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'deskwright'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, { mode: 0o700 });
    here.terminal.press(`clear; PATH='${bin}':$PATH ${shell}`, 'Enter');
    here.terminal.press(`${readIn}; echo rea''dy`, 'Enter');
    await here.terminal.shows(/^ready\n+>/m);
    const typed: readonly (readonly [string, RegExp])[] = [
      ['deskwright snap', /^> deskwright snapshot$/m],
      ['deskwright desktop star', /^> deskwright desktop start$/m],
      ['deskwright click --method pat', /^> deskwright click --method pattern$/m],
      ['deskwright --desktop virt', /^> deskwright --desktop virtual$/m],
      ['deskwright --desktop user snapshot --inter', /^> deskwright --desktop user snapshot --interactive$/m],
      ['deskwright completion fi', /^> deskwright completion fish$/m],
    ];
    for (const [words, whole] of typed) {
      here.terminal.press('-l', words);
      here.terminal.press('Tab');
      await here.terminal.shows(whole);
      here.terminal.press('C-u');
    }
    here.terminal.press('-l', 'deskwright audit ');
    here.terminal.press('Tab', 'Tab');
    const all = await here.terminal.shows(/verify/);
    for (const word of ['path', 'show', 'tail', 'keys', 'rotate']) expect(all).toContain(word);
  });
});

it('a shell that is not known is told which are', async () => {
  const { code, err } = await here.room.run(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(err).toMatch(/bash, zsh, fish/);
});
