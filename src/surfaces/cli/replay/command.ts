import { type Command, Option } from 'commander';
import type { Context, Flags } from '../context.js';
import { parseWholeNumber } from '../option-values.js';
import { withGuide } from '../command-guide.js';

export interface ReplayFlags extends Flags {
  from?: number;
  to?: number;
  session?: string;
  dryRun?: boolean;
  keepGoing?: boolean;
  unverified?: boolean;
}

/** `deskproof replay LOG`: repeats a session and compares each step with the log. */
export function replayCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('replay').description(
    'Repeat the acts of a log and stop at the first step with a different result.',
  );
  command.argument('<log>', 'folder of a log, or a file in it');
  command.option('--from <n>', 'first step to repeat; numbers as in deskproof export', parseWholeNumber);
  command.option('--to <n>', 'last step to repeat', parseWholeNumber);
  command.option('--session <id>', 'only the calls of this session');
  command.option('--dry-run', 'print the steps without performing them');
  command.option(
    '--keep-going',
    'continue after a step that differs, and skip steps that the log does not contain in full',
  );
  command.option('--unverified', 'replay even if the log does not verify');
  command.action(async (log: string) => {
    // Loaded on demand: most commands do not need it.
    const { replayLog } = await import('./replay-log.js');
    await replayLog(context, log, command.optsWithGlobals<ReplayFlags>());
  });
  return withGuide(command, {
    overview: { group: 'Record', usage: 'replay LOG' },
    examples: [['replay LOG --dry-run', 'only print what would be done']],
  });
}

export interface ExportFlags extends Flags {
  to: 'html' | 'ts';
  out?: string;
  force?: boolean;
  session?: string;
  last?: number;
}

/** `deskproof export`: a log as a page to read, or as a script that repeats its acts. */
export function exportCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('export').description('Export a log as a page to read, or as a script that repeats its acts.');
  command.argument('[log]', 'folder of a log, or a file in it; default: the current log of the desktop');
  command.addOption(
    new Option('--to <form>', 'html: a page; ts: a script').choices(['html', 'ts']).makeOptionMandatory(),
  );
  command.option('-o, --out <file>', 'output file, readable only by you; default: standard output');
  command.option('--force', 'replace an existing file');
  command.option('--session <id>', 'only the calls of this session');
  command.option('--last <n>', 'only the last n steps', parseWholeNumber);
  command.action(async (log: string | undefined) => {
    // Loaded on demand: most commands do not need it.
    const { exportLog } = await import('./export-log.js');
    await exportLog(context, log, command.optsWithGlobals<ExportFlags>());
  });
  return withGuide(command, {
    overview: { group: 'Record', usage: 'export [LOG] --to html|ts' },
    examples: [['export --to html -o trace.html', 'an HTML page']],
  });
}
