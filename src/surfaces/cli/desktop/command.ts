import type { Command } from 'commander';
import type { Context } from '../context.js';
import { desktopEnv, desktopList, desktopStart, desktopStop, type StartFlags, type StopFlags } from './manage.js';
import { desktopLaunch, desktopRun, type LaunchFlags, type RunFlags } from './launch.js';
import { desktopView, type ViewFlags } from './view.js';

const WHICH = 'may be left out when exactly one runs';

/** `deskproof desktop …`: private desktops, from start to stop. */
export function desktopCommand(context: Context, make: (name: string) => Command): Command {
  const desktop = make('desktop').description('Private desktops: a display, buses and a home of their own.');
  desktop.enablePositionalOptions().helpCommand('help [command]', 'more about one of these');
  const add = (name: string, what: string) => {
    const command = make(name).description(what);
    desktop.addCommand(command);
    return command;
  };
  const shaped = (command: Command) =>
    command
      .option('--name <name>', 'small letters, digits and dashes; a new one is made up otherwise')
      .option('--size <WxH>', 'of one monitor; default 1280x800')
      .option('--monitors <n>', '1 or 2; default 1')
      .option('--visible', 'show it in a window of your own display')
      .option('--policy <file>', 'the policy that its calls go by, instead of your own');

  const start = shaped(add('start', 'Start one and leave it running.'));
  start.action(() => desktopStart(context, start.optsWithGlobals<StartFlags>()));

  const run = shaped(add('run', 'Run a command in the named one, or in a new one that ends with the command.'));
  run.argument('<command...>').passThroughOptions().usage('[options] -- COMMAND [ARGS…]');
  run.action((words: string[]) => desktopRun(context, words, run.optsWithGlobals<RunFlags>()));

  const launch = add('launch', 'Start an app in it, with accessibility on, and wait for its window.');
  launch.option('--name <name>', WHICH).option('--timeout-ms <ms>', 'how long to wait for the window; default 15000');
  launch.argument('<command...>').passThroughOptions().usage('[options] -- COMMAND [ARGS…]');
  launch.action((words: string[]) => desktopLaunch(context, words, launch.optsWithGlobals<LaunchFlags>()));

  const list = add('list', 'What runs.');
  list.action(() => desktopList(context, list.optsWithGlobals()));

  const named = (command: Command) => command.argument('[name]', WHICH).option('--name <name>', WHICH);
  const nameOf = (name: string | undefined, command: Command) => name ?? command.opts<{ name?: string }>().name;

  const env = named(add('env', 'Lines for eval "$(deskproof desktop env)": the shell then lives in it.'));
  env.action((name?: string) => desktopEnv(context, nameOf(name, env), env.optsWithGlobals()));

  const view = named(add('view', 'Write a picture of it to a PNG file.'));
  view.option('-o, --output <file>', 'the file; default NAME.png');
  view.action((name?: string) => desktopView(context, nameOf(name, view), view.optsWithGlobals<ViewFlags>()));

  const stop = named(add('stop', 'End it and everything in it.')).option('--all', 'every one that runs');
  stop.action((name?: string) => desktopStop(context, nameOf(name, stop), stop.optsWithGlobals<StopFlags>()));
  return desktop;
}
