import { InvalidArgumentError, type Command } from 'commander';
import type { Context, Flags } from '../context.js';
import type { NewFlags } from './manage-log.js';
import type { ShowFlags } from './show.js';
import type { VerifyFlags } from './verify.js';

/** `deskproof audit …`: the log of a desktop. What it does is loaded when it is wanted. */
export function auditCommand(context: Context, make: (name: string) => Command): Command {
  const audit = make('audit').description(
    'The log of a desktop: read it, and find out whether it is what was written.',
  );
  audit.enablePositionalOptions().helpCommand('help [command]', 'more about one of these');
  const add = (name: string, what: string): Command => {
    const command = make(name).description(what);
    audit.addCommand(command);
    return command;
  };
  const log = (command: Command): Command =>
    command.argument('[log]', "a log's folder or a file in it; without it, the desktop's own");

  const path = add('path', 'The file that is written now.');
  path.action(async () => (await import('./show.js')).showPath(context, path.optsWithGlobals<Flags>()));

  const show = log(add('show', 'The last records, a line each.'));
  show.option('--last <n>', 'how many; default 50', wholeNumber);
  show.action(async (given?: string) =>
    (await import('./show.js')).showLog(context, given, show.optsWithGlobals<ShowFlags>()),
  );

  const tail = add('tail', 'The last records and each new one, until Ctrl-C.');
  tail.option('--last <n>', 'how many come first; default 10', wholeNumber);
  tail.action(async () => (await import('./show.js')).tailLog(context, tail.optsWithGlobals<ShowFlags>()));

  const verify = log(add('verify', 'Whether it is what was written. Exit code 1 when not, or when one cannot know.'));
  verify.option('--key <fingerprint>', 'the first key, from where you kept it');
  verify.option('--anchor <file>', 'what the outside anchor got');
  verify.action(async (given?: string) =>
    (await import('./verify.js')).verify(context, given, verify.optsWithGlobals<VerifyFlags>()),
  );

  const keys = add('keys', 'The fingerprint to keep elsewhere, and the key of each file.');
  keys.action(async () => (await import('./manage-log.js')).showKeys(context, keys.optsWithGlobals<Flags>()));

  const rotate = add('rotate', 'Close the file, destroy its private key, go on in a new one.');
  rotate.action(async () => (await import('./manage-log.js')).rotateLog(context, rotate.optsWithGlobals<Flags>()));

  const begin = add('new', 'Go on after a log that cannot be continued, in a new one that names it.');
  begin.requiredOption('--reason <text>', 'written into it');
  begin.action(async () => (await import('./manage-log.js')).beginLog(context, begin.optsWithGlobals<NewFlags>()));
  return audit;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return Number(text);
}
