import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { InitFlags } from './init.js';

const DESKTOP = 'With --desktop NAME they get that desktop: user is your screen, virtual a new private one each time.';

export function initCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('init').description('Connect Claude, VS Code or Cursor: shows each change, asks, writes.');
  command.option('--print', 'only print what goes into which file').addHelpText('after', `\n${DESKTOP}`);
  command.action(async () => (await import('./init.js')).init(context, command.optsWithGlobals<InitFlags>()));
  return command;
}
