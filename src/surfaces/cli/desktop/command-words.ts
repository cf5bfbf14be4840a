import { DesktopError } from '../../../shared/index.js';

/** The program and its arguments behind `--`. */
export function commandWords(words: readonly string[]): { command: string; args: string[] } {
  const [command = '', ...args] = words;
  if (command.trim() !== '') return { command, args };
  throw new DesktopError('bad_arguments', 'The command is empty.', {
    hint: 'Name a program after the dashes: -- mousepad notes.txt',
  });
}
