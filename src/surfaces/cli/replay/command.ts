import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context, Flags } from '../context.js';

export interface ReplayFlags extends Flags {
  from?: number;
  to?: number;
  session?: string;
  dryRun?: boolean;
  keepGoing?: boolean;
  unverified?: boolean;
}

/** `deskproof replay LOG`: a session done again, each step held against what the log says of it. */
export function replayCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('replay').description(
    'Do the acts of a log again, and stop at the first that goes another way than it did then.',
  );
  command.argument('<log>', "a log's folder or a file in it");
  command.option('--from <n>', 'begin at this step; numbers as in deskproof export', wholeNumber);
  command.option('--to <n>', 'end with this step', wholeNumber);
  command.option('--session <id>', 'only what this session did');
  command.option('--dry-run', 'say what would be done, and do nothing');
  command.option('--keep-going', 'go on after a step that differs, and without those that the log does not hold whole');
  command.option('--unverified', 'also when the log cannot be shown to be what was written');
  command.action(async (log: string) => {
    // Loaded when it is wanted: most commands have no use for it.
    const { replayLog } = await import('./replay-log.js');
    await replayLog(context, log, command.optsWithGlobals<ReplayFlags>());
  });
  return command;
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It takes a whole number from 1.');
  return Number(text);
}

export interface ExportFlags extends Flags {
  to: 'html' | 'ts';
  out?: string;
  force?: boolean;
  session?: string;
  last?: number;
}

/** `deskproof export`: a log as a page to read, or as a script that does its acts again. */
export function exportCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('export').description('A log as a page to read, or as a script that does its acts again.');
  command.argument('[log]', "a log's folder or a file in it; without it, the log of the desktop that is written now");
  command.addOption(
    new Option('--to <form>', 'html: a page; ts: a script').choices(['html', 'ts']).makeOptionMandatory(),
  );
  command.option('-o, --out <file>', 'write it there, readable by you alone; without it, to standard output');
  command.option('--force', 'replace a file that is there');
  command.option('--session <id>', 'only what this session did');
  command.option('--last <n>', 'only the last n steps', wholeNumber);
  command.action(async (log: string | undefined) => {
    // Loaded when it is wanted: most commands have no use for it.
    const { exportLog } = await import('./export-log.js');
    await exportLog(context, log, command.optsWithGlobals<ExportFlags>());
  });
  return command;
}
