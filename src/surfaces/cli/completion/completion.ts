import { Argument, type Command } from 'commander';
import type { Context } from '../context.js';
import { bashScript, fishScript, zshScript } from './shells.js';
import { commandTree, type CommandNode } from './command-tree.js';
import { withGuide } from '../command-guide.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<
  string,
  (places: readonly CommandNode[]) => string
>;

/** `deskproof completion SHELL` prints a script that the shell loads once. Pressing Tab starts no process of ours. */
export function completionCommand(context: Context, make: (name: string) => Command, program: Command): Command {
  const command = make('completion').description('Print the script that completes commands and flags in a shell.');
  command.addArgument(new Argument('<shell>', 'shell to complete in').choices(Object.keys(SCRIPTS)));
  command.addHelpText(
    'after',
    `
bash, in ~/.bashrc:                     eval "$(deskproof completion bash)"
zsh, in ~/.zshrc, after compinit:       eval "$(deskproof completion zsh)"
fish, in ~/.config/fish/config.fish:    deskproof completion fish | source`,
  );
  command.action((shell: keyof typeof SCRIPTS) => context.terminal.out(SCRIPTS[shell](commandTree(program))));
  return withGuide(command, {
    overview: { group: 'Serve', usage: 'completion SHELL' },
    examples: [['completion bash', 'print the bash script']],
  });
}
