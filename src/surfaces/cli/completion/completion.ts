import { Argument, type Command } from 'commander';
import type { Context } from '../context.js';
import { bashScript, fishScript, zshScript } from './shells.js';
import { commandWords, type Place } from './command-tree.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<
  string,
  (places: readonly Place[]) => string
>;

/** `deskproof completion SHELL`: a script for the shell to read once; nothing of ours runs when Tab is pressed. */
export function completionCommand(context: Context, make: (name: string) => Command, program: Command): Command {
  const command = make('completion').description('What a shell needs to complete commands and flags.');
  command.addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(SCRIPTS)));
  command.addHelpText(
    'after',
    `
bash, in ~/.bashrc:                     eval "$(deskproof completion bash)"
zsh, in ~/.zshrc, after compinit:       eval "$(deskproof completion zsh)"
fish, in ~/.config/fish/config.fish:    deskproof completion fish | source`,
  );
  command.action((shell: keyof typeof SCRIPTS) => context.terminal.out(SCRIPTS[shell](commandWords(program))));
  return command;
}
