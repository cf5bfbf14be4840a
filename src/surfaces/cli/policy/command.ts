import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Context, Flags } from '../context.js';
import type { ExplainFlags } from './explain.js';
import type { RehearseFlags } from './rehearse.js';

export interface InitFlags extends Flags {
  print?: boolean;
}

const ON = ['seat', 'virtual', 'remote'];

/** `deskproof policy …`: write it, check it, ask it, let a change count, try another one on what was done. */
export function policyCommand(context: Context, make: (name: string) => Command): Command {
  const policy = make('policy').description('What agents may do: write it, check it, ask it.');
  policy.enablePositionalOptions().helpCommand('help [command]', 'more about one of these');
  const add = (name: string, what: string) => {
    const command = make(name).description(what);
    policy.addCommand(command);
    return command;
  };
  // Each is loaded when it is wanted: they bring the whole policy.
  const init = add('init', 'Write a first policy of your own, to be read and changed by hand.');
  init.option('--print', 'only print it');
  init.action(async () => (await import('./init.js')).initPolicy(context, init.optsWithGlobals<InitFlags>()));

  const check = add('check', 'All files that count here, or this one in place of yours: what is wrong, what is odd.');
  check.argument('[file]', 'instead of your own policy');
  check.action(async (file?: string) =>
    (await import('./check.js')).checkPolicy(context, file, check.optsWithGlobals<Flags>()),
  );

  const explain = explainOptions(add('explain', 'What would be decided, by which rule and from which facts.'));
  explain.action(async (tool: string, target?: string) =>
    (await import('./explain.js')).explainPolicy(context, tool, target, explain.optsWithGlobals<ExplainFlags>()),
  );

  const reload = add('reload', 'Let changed files count, after you have seen what changed.');
  reload.action(async () => (await import('./check.js')).reloadPolicy(context, reload.optsWithGlobals<Flags>()));

  const test = add('test', 'Decide again what a log tells of, under the policy as it is now or another one.');
  test.argument('[log]', "a log's folder or a file in it; without it, the log of the desktop that is written now");
  test.option('--policy <file>', 'instead of your own policy').addOption(onOption('default: what the log is of'));
  test.option('--fail-on-change', 'end with 1 when anything is stricter or looser');
  test.action(async (log?: string) =>
    (await import('./rehearse.js')).rehearse(context, log, test.optsWithGlobals<RehearseFlags>()),
  );
  return policy;
}

function onOption(preset: string): Option {
  return new Option('--on <kind>', `kind of desktop; ${preset}`).choices(ON);
}

function explainOptions(command: Command): Command {
  const fact = (flags: string, what: string) => new Option(flags, what).helpGroup('Facts, instead of a target:');
  return command
    .argument('<tool>', 'ui_click, or click')
    .argument('[target]', 'on the running desktop: a ref or a selector; of launch a command, of window a window')
    .option('--window <text>', 'with a target: only there; with facts: its title')
    .option('--args <json>', 'the other arguments of the call')
    .option('--caller <surface>', 'mcp, cli, library, inspector, replay; default cli')
    .addOption(fact('--app <path>', 'real path of the program'))
    .addOption(fact('--app-name <text>', 'what the app calls itself'))
    .addOption(fact('--role <role>', 'button, textbox, …'))
    .addOption(fact('--name <text>', 'of the element'))
    .addOption(fact('--method <how>', 'how it was found').choices(['id', 'name', 'focus', 'ocr', 'point']))
    .addOption(fact('--confidence <n>', 'from 0 to 1').argParser(share))
    .addOption(fact('--secure', 'what is typed there is not shown'))
    .addOption(fact('--policy <file>', 'instead of your own policy'))
    .addOption(onOption('default: your own screen if there is one').helpGroup('Facts, instead of a target:'));
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1)) throw new InvalidArgumentError('It takes 0 to 1.');
  return number;
}
