import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { InitFlags } from './init.js';
import { withGuide } from '../command-guide.js';

const DESKTOP =
  'With --desktop NAME, clients use that desktop: user is your screen, virtual a new private desktop for each start.';

export function initCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('init').description(
    'Connect Claude, VS Code or Cursor. Shows each change and asks before writing.',
  );
  command.option('--print', 'only print the lines for each file').addHelpText('after', `\n${DESKTOP}`);
  command.action(async () => (await import('./init.js')).init(context, command.optsWithGlobals<InitFlags>()));
  return withGuide(command, {
    examples: [
      ['init', 'show the change for each installed client, and ask'],
      ['init --print --desktop virtual', 'only print the lines, for a private desktop'],
    ],
  });
}
