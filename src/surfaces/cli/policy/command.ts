import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Context, Flags } from '../context.js';
import type { ExplainFlags } from './explain.js';
import type { RehearseFlags } from './rehearse.js';
import { type Example, withGuide } from '../command-guide.js';

export interface InitFlags extends Flags {
  print?: boolean;
}

const ON = ['seat', 'virtual', 'remote'];

/** `deskproof policy …`: write, check, explain, reload and test a policy. */
export function policyCommand(context: Context, make: (name: string) => Command): Command {
  const policy = make('policy').description('Write, check, explain and test the policy that limits agents.');
  policy.enablePositionalOptions().helpCommand('help [command]', 'show help for a command');
  const add = (name: string, what: string, example: Example): Command => {
    const command = make(name).description(what);
    policy.addCommand(withGuide(command, { examples: [example] }));
    return command;
  };
  // Loaded on demand: they load the whole policy engine.
  const init = add('init', 'Write a starter policy file for you to edit.', [
    'policy init',
    'write a policy to start from',
  ]);
  init.option('--print', 'print it instead of writing a file');
  init.action(async () => (await import('./init.js')).initPolicy(context, init.optsWithGlobals<InitFlags>()));

  const check = add(
    'check',
    'Check all policy files that apply here, or FILE instead of yours, and report errors and warnings.',
    ['policy check', 'report errors with their lines'],
  );
  check.argument('[file]', 'use this file instead of your own policy');
  check.action(async (file?: string) =>
    (await import('./check.js')).checkPolicy(context, file, check.optsWithGlobals<Flags>()),
  );

  const explain = explainOptions(
    add('explain', 'Show what the policy would decide, by which rule and from which facts.', [
      "policy explain click 'button:Delete' --window Files",
      'the decision and its reasons',
    ]),
  );
  explain.action(async (tool: string, target?: string) =>
    (await import('./explain.js')).explainPolicy(context, tool, target, explain.optsWithGlobals<ExplainFlags>()),
  );

  const reload = add('reload', 'Put changed policy files into force, after showing you what changed.', [
    'policy reload',
    'apply a changed file after you have confirmed it',
  ]);
  reload.action(async () => (await import('./check.js')).reloadPolicy(context, reload.optsWithGlobals<Flags>()));

  const test = add('test', 'Decide the calls of a log again under the current policy or another one.', [
    'policy test LOG --policy new.yaml',
    'decisions of a new policy about logged calls',
  ]);
  test.argument('[log]', 'folder of a log, or a file in it; default: the current log of the desktop');
  test
    .option('--policy <file>', 'use this file instead of your own policy')
    .addOption(onOption('default: the kind that the log belongs to'));
  test.option('--fail-on-change', 'exit with code 1 if any decision is stricter or looser');
  test.action(async (log?: string) =>
    (await import('./rehearse.js')).rehearse(context, log, test.optsWithGlobals<RehearseFlags>()),
  );
  return withGuide(policy, {
    overview: { group: 'Govern', usage: 'policy init|check|explain|reload|test' },
    examples: [],
  });
}

function onOption(preset: string): Option {
  return new Option('--on <kind>', `kind of desktop; ${preset}`).choices(ON);
}

function explainOptions(command: Command): Command {
  const fact = (flags: string, what: string) => new Option(flags, what).helpGroup('Facts, instead of a target:');
  return command
    .argument('<tool>', 'ui_click, or click')
    .argument(
      '[target]',
      'target on the running desktop: a ref or a selector; for launch a command, for window a window',
    )
    .option('--window <text>', 'with a target: search only in this window; with facts: the window title')
    .option('--args <json>', 'other arguments of the call')
    .option('--caller <surface>', 'mcp, cli, library, inspector, replay; default cli')
    .addOption(fact('--app <path>', 'real path of the program'))
    .addOption(fact('--app-name <text>', 'app name, as the app reports it'))
    .addOption(fact('--role <role>', 'button, textbox, …'))
    .addOption(fact('--name <text>', 'name of the element'))
    .addOption(fact('--method <how>', 'how the target was found').choices(['id', 'name', 'focus', 'ocr', 'point']))
    .addOption(fact('--confidence <n>', 'from 0 to 1').argParser(share))
    .addOption(fact('--secure', 'the field masks its input'))
    .addOption(fact('--policy <file>', 'use this file instead of your own policy'))
    .addOption(
      onOption('default: your own desktop if there is one, else a private one').helpGroup(
        'Facts, instead of a target:',
      ),
    );
}

function share(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('Enter a number from 0 to 1.');
  return number;
}
