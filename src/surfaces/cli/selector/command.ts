import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { SelectorFlags } from './selector.js';

/** Loaded when it is wanted: it brings all that selectors are, and other commands start without. */
const work = () => import('./selector.js');

/** `deskproof selector …`: what a selector means, and which one to use. */
export function selectorCommand(context: Context, make: (name: string) => Command): Command {
  const selector = make('selector').description('What a selector means, and which one to use for an element.');
  selector.enablePositionalOptions().helpCommand('help [command]', 'more about one of these');
  const add = (name: string, what: string) => {
    const command = make(name).description(what).option('--window <text>', 'ref or title: only there');
    selector.addCommand(command);
    return command;
  };
  const explain = add('explain', 'How it is read, what is read for it, and what it finds, with reasons.');
  explain.argument('<selector>', 'in quotes, so that the shell leaves it alone');
  explain.action(async (text: string) =>
    (await work()).explainOn(context, text, explain.optsWithGlobals<SelectorFlags>()),
  );

  const suggest = add('suggest', 'The shortest selector that is unique now and likely to stay so.');
  suggest.argument('<target>', 'a ref, or a selector that finds one element');
  suggest.action(async (target: string) =>
    (await work()).suggestFor(context, target, suggest.optsWithGlobals<SelectorFlags>()),
  );
  return selector;
}
