import { CommanderError } from 'commander';
import { DesktopError, errorFor, exitCodeOf, systemFault } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';
import { asCommands } from './call-tool.js';
import { safeForTerminal, type Terminal } from './terminal.js';

export interface Report {
  exitCode: number;
  error: DesktopError;
}

/** Whatever went wrong, as one error with a sentence, a hint and an exit code. */
export function reportOf(thrown: unknown): Report {
  if (thrown instanceof CommanderError) return { exitCode: 2, error: usageError(thrown) };
  const error = thrown instanceof DesktopError ? thrown : (systemFault(thrown) ?? unexpected(thrown));
  return { exitCode: exitCodeOf(error.code), error };
}

export interface ReportOptions {
  json: boolean;
  debug: boolean;
  /** A tool failed: a pipe then gets what a model would get. */
  ofTool?: boolean;
  /** The desktop that the command was about. */
  desktop?: string;
}

export function printReport(report: Report, terminal: Terminal, options: ReportOptions): void {
  const error = DesktopError.fromJSON(errorFor(options.desktop, report.error.toJSON()));
  if (options.json) {
    terminal.out(`${JSON.stringify({ schema: 1, error: error.toJSON() })}\n`);
    return;
  }
  const forModels = failureText(error);
  if (options.ofTool && !terminal.errorsToPerson) terminal.err(`${forModels}\n`);
  else {
    const paint = terminal.paintErrors;
    // Candidates, or the selector with a pointer into it, stand between the first line and the last, in the words that models get too.
    const between = forModels.split('\n').slice(1, error.hint ? -1 : undefined);
    terminal.err(`${paint('red', 'deskproof:')} ${where(error)}${safeForTerminal(error.message)}\n`);
    for (const line of between) terminal.err(`  ${safeForTerminal(line)}\n`);
    // What is wrong with the arguments may be the name of a tool.
    const named = options.ofTool && error.code !== 'bad_arguments';
    const hint = error.hint && named ? asCommands(error.hint) : error.hint;
    if (hint) terminal.err(`${paint('grey', '  next:')} ${safeForTerminal(hint)}\n`);
  }
  const { stack = '', cause } = report.error;
  if (options.debug) terminal.err(`${stack}\n${cause instanceof Error ? cause.stack : ''}\n`);
}

/** A selector's mistake has a place, counted from 1 as people do. */
function where({ code, details }: DesktopError): string {
  const { position } = details ?? {};
  return code === 'selector_syntax' && typeof position === 'number' ? `selector_syntax at ${position + 1}: ` : '';
}

const SEE_HELP = 'See what there is: deskproof --help';
const DASHES = `${SEE_HELP}. A text that begins with a dash goes last, after --`;

/** Commander's words in ours: "error: unknown option '--jsn'\n(Did you mean --json?)". */
function usageError({ message, code }: CommanderError): DesktopError {
  const [first = '', guess] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  const hint = /Did you mean (one of )?(.+)\?\)/.exec(guess ?? '');
  return new DesktopError('bad_arguments', sentence, {
    hint: hint ? `Did you mean ${hint[2]}?` : code === 'commander.unknownOption' ? DASHES : SEE_HELP,
  });
}

function unexpected(thrown: unknown): DesktopError {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return new DesktopError('command_failed', `Deskproof itself failed: ${words.split('\n')[0]}`, {
    hint: 'Run it again with DESKPROOF_DEBUG=* and report what it says.',
    cause: thrown,
  });
}
