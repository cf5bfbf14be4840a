import type { Command } from 'commander';
import type { Context } from '../context.js';
import { desktopEnv, desktopList, desktopStart, desktopStop, type StartFlags, type StopFlags } from './manage.js';
import { desktopLaunch, desktopRun, type LaunchFlags, type RunFlags } from './launch.js';
import { desktopView, type ViewFlags } from './view.js';
import { type Example, withGuide } from '../command-guide.js';

const WHICH = 'optional if exactly one is running';

/** `deskproof desktop …` manages private desktops. */
export function desktopCommand(context: Context, make: (name: string) => Command): Command {
  const desktop = make('desktop').description('Private desktops, each with its own display, buses and home directory.');
  desktop.enablePositionalOptions().helpCommand('help [command]', 'Show help for a command.');
  const add = (name: string, what: string, example: Example): Command => {
    const command = make(name).description(what);
    desktop.addCommand(withGuide(command, { examples: [example] }));
    return command;
  };
  const withDisplayOptions = (command: Command) =>
    command
      .option('--name <name>', 'letters, digits and dashes; default: a generated name')
      .option('--size <WxH>', 'size of one monitor; default 1280x800')
      .option('--monitors <n>', 'number of monitors, 1 or 2; default 1')
      .option('--visible', 'show the desktop in a window on your display')
      .option('--policy <file>', 'policy file for this desktop, instead of your own');

  const start = withDisplayOptions(
    add('start', 'Start a private desktop and leave it running.', [
      'desktop start --name work --size 1600x1000',
      'runs until you stop it',
    ]),
  );
  start.action(() => desktopStart(context, start.optsWithGlobals<StartFlags>()));

  const run = withDisplayOptions(
    add('run', 'Run a command in the named desktop, or in a new one that ends with the command.', [
      'desktop run -- npm test',
      'in a new desktop that ends with the command',
    ]),
  );
  run.argument('<command...>').passThroughOptions().usage('[options] -- COMMAND [ARGS…]');
  run.action((words: string[]) => desktopRun(context, words, run.optsWithGlobals<RunFlags>()));

  const launch = add(
    'launch',
    'Start an app in a private desktop, with accessibility enabled, and wait for its window.',
    ['desktop launch --name work -- mousepad notes.txt', 'start an app and wait for its window'],
  );
  launch.option('--name <name>', WHICH).option('--timeout-ms <ms>', 'how long to wait for the window; default 15000');
  launch.argument('<command...>').passThroughOptions().usage('[options] -- COMMAND [ARGS…]');
  launch.action((words: string[]) => desktopLaunch(context, words, launch.optsWithGlobals<LaunchFlags>()));

  const list = add('list', 'List running private desktops.', ['desktop list --json', 'for programs']);
  list.action(() => desktopList(context, list.optsWithGlobals()));

  const named = (command: Command) => command.argument('[name]', WHICH).option('--name <name>', WHICH);
  const nameOf = (name: string | undefined, command: Command) => name ?? command.opts<{ name?: string }>().name;

  const env = named(
    add('env', 'Print lines for eval "$(deskproof desktop env)", which moves your shell to the desktop.', [
      'desktop env work',
      'for eval "$(…)", to use it in this shell',
    ]),
  );
  env.action((name?: string) => desktopEnv(context, nameOf(name, env), env.optsWithGlobals()));

  const view = named(
    add('view', 'Save a screenshot of the desktop as PNG.', ['desktop view work -o work.png', 'save a screenshot']),
  );
  view.option('-o, --output <file>', 'output file; default NAME.png');
  view.action((name?: string) => desktopView(context, nameOf(name, view), view.optsWithGlobals<ViewFlags>()));

  const stop = named(
    add('stop', 'Stop a private desktop and everything in it.', ['desktop stop --all', 'stop all private desktops']),
  ).option('--all', 'stop all private desktops');
  stop.action((name?: string) => desktopStop(context, nameOf(name, stop), stop.optsWithGlobals<StopFlags>()));
  return withGuide(desktop, {
    overview: { group: 'Desks', usage: 'desktop start|run|launch|list|env|view|stop' },
    examples: [],
  });
}
