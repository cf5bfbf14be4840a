import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { SelectorFlags } from './selector.js';
import { type Example, withGuide } from '../command-guide.js';

/** Loaded on demand: it needs the whole selector code, which other commands do not. */
const work = () => import('./selector.js');

/** `deskproof selector …` explains and suggests selectors. */
export function selectorCommand(context: Context, make: (name: string) => Command): Command {
  const selector = make('selector').description('Explain a selector, or suggest one for an element.');
  selector.enablePositionalOptions().helpCommand('help [command]', 'Show help for a command.');
  const add = (name: string, what: string, example: Example): Command => {
    const command = make(name).description(what).option('--window <text>', 'only in this window, by ref or title');
    selector.addCommand(withGuide(command, { examples: [example] }));
    return command;
  };
  const explain = add('explain', 'Show how a selector is parsed, what it reads, and what it matches, with reasons.', [
    "selector explain 'dialog:Open >> button:Cancel'",
    'how it is parsed and what it matches',
  ]);
  explain.argument('<selector>', 'selector, quoted for the shell');
  explain.action(async (text: string) =>
    (await work()).explainSelector(context, text, explain.optsWithGlobals<SelectorFlags>()),
  );

  const suggest = add('suggest', 'Print the shortest selector that is unique now and likely to stay so.', [
    'selector suggest e22',
    'a selector that is likely to stay valid',
  ]);
  suggest.argument('<target>', 'ref, or a selector that matches one element');
  suggest.action(async (target: string) =>
    (await work()).suggestSelector(context, target, suggest.optsWithGlobals<SelectorFlags>()),
  );
  return withGuide(selector, { overview: { group: 'Check', usage: 'selector explain|suggest' }, examples: [] });
}
