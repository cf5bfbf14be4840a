import { type Command } from 'commander';
import type { Context, Flags } from '../context.js';
import { parseWholeNumber } from '../option-values.js';
import type { EvidenceFlags } from './evidence.js';
import type { NewFlags } from './manage-log.js';
import type { ShowFlags } from './show.js';
import type { VerifyFlags } from './verify.js';
import { type Example, withGuide } from '../command-guide.js';

/** `deskproof audit …`: the log of a desktop. Subcommands are loaded on demand. */
export function auditCommand(context: Context, make: (name: string) => Command): Command {
  const audit = make('audit').description('Read the log of a desktop and verify that it was not changed.');
  audit.enablePositionalOptions().helpCommand('help [command]', 'show help for a command');
  const add = (name: string, what: string, example: Example): Command => {
    const command = make(name).description(what);
    audit.addCommand(withGuide(command, { examples: [example] }));
    return command;
  };
  const log = (command: Command): Command =>
    command.argument('[log]', 'folder of a log, or a file in it; default: the log of the desktop');

  const path = add('path', 'Print the path of the current log file.', [
    'audit path --desktop work',
    'for a private desktop',
  ]);
  path.action(async () => (await import('./show.js')).showPath(context, path.optsWithGlobals<Flags>()));

  const show = log(
    add('show', 'Print the last records, one per line.', ['audit show --desktop work', 'for a private desktop']),
  );
  show.option('--last <n>', 'number of records; default 50', parseWholeNumber);
  show.action(async (given?: string) =>
    (await import('./show.js')).showLog(context, given, show.optsWithGlobals<ShowFlags>()),
  );

  const tail = add('tail', 'Print the last records and each new one, until Ctrl-C.', [
    'audit tail',
    'follow the log while agents work',
  ]);
  tail.option('--last <n>', 'number of records to start with; default 10', parseWholeNumber);
  tail.action(async () => (await import('./show.js')).tailLog(context, tail.optsWithGlobals<ShowFlags>()));

  const verify = log(
    add('verify', 'Verify that a log was not changed. Exit code 1 if it was, or if this cannot be determined.', [
      'audit verify --desktop work',
      'exit code 0 if the log is unchanged',
    ]),
  );
  verify.option('--key <fingerprint>', 'fingerprint of the first key, from your own copy');
  verify.option('--anchor <file>', 'file with the statements that the external anchor received');
  verify.action(async (given?: string) =>
    (await import('./verify.js')).verify(context, given, verify.optsWithGlobals<VerifyFlags>()),
  );

  const evidence = add('evidence', 'Open the stored snapshot of an act and compare it with the hash in the log.', [
    'audit evidence 12 --after',
    'the snapshot after act 12',
  ]);
  evidence.argument('<seq>', 'number of the act in deskproof audit show', parseWholeNumber);
  log(evidence);
  evidence.option('--after', 'the snapshot after the act; default: before it');
  evidence.option('-o, --out <file>', 'new output file, readable only by you; default: standard output');
  evidence.action(async (seq: number, given?: string) =>
    (await import('./evidence.js')).showEvidence(context, seq, given, evidence.optsWithGlobals<EvidenceFlags>()),
  );

  const keys = add('keys', 'Print the fingerprint to keep in another place, and the key of each file.', [
    'audit keys',
    'keep a copy of the first fingerprint elsewhere',
  ]);
  keys.action(async () => (await import('./manage-log.js')).showKeys(context, keys.optsWithGlobals<Flags>()));

  const rotate = add('rotate', 'Close the log file, destroy its private key and continue in a new file.', [
    'audit rotate',
    'close the current log file',
  ]);
  rotate.action(async () => (await import('./manage-log.js')).rotateLog(context, rotate.optsWithGlobals<Flags>()));

  const begin = add('new', 'Start a new log after one that cannot be continued. The new log names the old one.', [
    "audit new --reason 'disk was restored'",
    'only in a terminal',
  ]);
  begin.requiredOption('--reason <text>', 'reason, recorded in the new log');
  begin.action(async () => (await import('./manage-log.js')).startLog(context, begin.optsWithGlobals<NewFlags>()));
  return withGuide(audit, {
    overview: { group: 'Record', usage: 'audit path|show|tail|verify|evidence|keys|rotate|new' },
    examples: [],
  });
}
