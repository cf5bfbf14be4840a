import { CommanderError } from 'commander';
import { DesktopError, localiseError, exitCodeOf, osError } from '../../shared/index.js';
import { failureText } from '../../tools/index.js';
import { toolNamesToCommands } from './call-tool.js';
import { safeForTerminal, type Terminal } from './terminal.js';

interface Report {
  exitCode: number;
  error: DesktopError;
}

/** Converts anything thrown to one error with a message, a hint and an exit code. */
export function toReport(thrown: unknown): Report {
  if (thrown instanceof CommanderError) return { exitCode: 2, error: usageError(thrown) };
  const error = thrown instanceof DesktopError ? thrown : (osError(thrown) ?? internalError(thrown));
  return { exitCode: exitCodeOf(error.code), error };
}

interface ReportOptions {
  json: boolean;
  debug: boolean;
  /** A tool failed, so a pipe gets the text that a model would get. */
  ofTool?: boolean;
  /** The desktop of the command. */
  desktop?: string;
  toolNames: ReadonlySet<string>;
}

export function printReport(report: Report, terminal: Terminal, options: ReportOptions): void {
  const error = DesktopError.fromJSON(localiseError(options.desktop, report.error.toJSON()));
  if (options.json) {
    terminal.out(`${JSON.stringify({ schema: 1, error: error.toJSON() })}\n`);
    return;
  }
  const forModels = failureText(error);
  if (options.ofTool && !terminal.errorsToUser) terminal.err(`${forModels}\n`);
  else {
    const paint = terminal.paintErrors;
    // Candidates, or the selector with a pointer into it, are printed between the message and the hint, as models get
    // them.
    const between = forModels.split('\n').slice(1, error.hint ? -1 : undefined);
    terminal.err(`${paint('red', 'deskproof:')} ${selectorPosition(error)}${safeForTerminal(error.message)}\n`);
    for (const line of between) terminal.err(`  ${safeForTerminal(line)}\n`);
    // For bad arguments, the hint may mean a tool by its name.
    const named = options.ofTool && error.code !== 'bad_arguments';
    const hint = error.hint && named ? toolNamesToCommands(error.hint, options.toolNames) : error.hint;
    if (hint) terminal.err(`${paint('grey', '  next:')} ${safeForTerminal(hint)}\n`);
  }
  const { stack = '', cause } = report.error;
  if (options.debug) terminal.err(`${stack}\n${cause instanceof Error ? cause.stack : ''}\n`);
}

/** The position of an error in a selector, counted from 1. */
function selectorPosition({ code, details }: DesktopError): string {
  const { position } = details ?? {};
  return code === 'selector_syntax' && typeof position === 'number' ? `selector_syntax at ${position + 1}: ` : '';
}

const SEE_HELP = 'Run deskproof --help to see all commands.';
const SEE_HELP_OR_DASHES = `${SEE_HELP} Put text that begins with a dash last, after --`;

/** Rewords commander's messages: "error: unknown option '--jsn'\n(Did you mean --json?)". */
function usageError({ message, code }: CommanderError): DesktopError {
  const [first = '', guess] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  const hint = /Did you mean (one of )?(.+)\?\)/.exec(guess ?? '');
  return new DesktopError('bad_arguments', sentence, {
    hint: hint ? `Did you mean ${hint[2]}?` : code === 'commander.unknownOption' ? SEE_HELP_OR_DASHES : SEE_HELP,
  });
}

function internalError(thrown: unknown): DesktopError {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return new DesktopError('command_failed', `Internal error in Deskproof: ${words.split('\n')[0]}`, {
    hint: 'Run the command again with DESKPROOF_DEBUG=* and report its output.',
    cause: thrown,
  });
}
