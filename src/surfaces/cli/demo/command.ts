import type { Command } from 'commander';
import { withGuide } from '../command-guide.js';
import type { Context } from '../context.js';
import type { DemoFlags } from './demo.js';

/** `deskproof demo`. Loaded on demand: no other command needs it. */
export function demoCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('demo').description('See Deskproof work on a private desktop.');
  command.option('--visible', 'show the desktop in a window on your display');
  command.action(async () => (await import('./demo.js')).demo(context, command.optsWithGlobals<DemoFlags>()));
  return withGuide(command, { examples: [['demo --visible', 'in a window on your display']] });
}
