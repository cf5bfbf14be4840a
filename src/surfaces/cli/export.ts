import { wholeNumber } from './replay.js';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Context, Flags } from './context.js';

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
