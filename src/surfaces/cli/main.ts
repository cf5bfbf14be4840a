#!/usr/bin/env node
import { CommanderError } from 'commander';
import { DesktopError } from '../../shared/index.js';
import { createContext } from './context.js';
import { createProgram } from './program.js';
import { printReport, toReport } from './report-error.js';

const INTERRUPTED = 130;

const stop = new AbortController();
const context = createContext(stop.signal);

// The reader of our output may close it early (| head). That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? context.exitCode : 1);
});
// If stderr is closed, stdout may still be read, for example by an MCP client. Only the messages are lost.
process.stderr.on('error', () => undefined);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// Without a listener, the system's own handling applies again.
context.endAtSignals = () => SIGNALS.forEach((signal) => process.removeAllListeners(signal));

for (const signal of SIGNALS) {
  process.on(signal, () => {
    if (context.terminalIsLent) return;
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  });
}

const argv = process.argv.slice(2);
const beforeDashes = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

/** Waits until all output is flushed: exit alone would cut off a long answer to a pipe. */
async function leave(exitCode: number): Promise<never> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))),
  );
  process.exit(exitCode);
}

try {
  const program = createProgram(context);
  if (argv.length === 0) program.outputHelp();
  else await program.parseAsync(argv, { from: 'user' });
  await leave(context.exitCode);
} catch (error) {
  // Help and version also end parsing with an exception. Help that was not requested means that a word is missing.
  if (error instanceof CommanderError && error.exitCode === 0) await leave(0);
  if (error instanceof CommanderError && error.code === 'commander.help') await leave(2);
  // After Ctrl-C no error is needed, unless input may have been delivered already.
  const begun = error instanceof DesktopError && error.delivered !== 'no';
  if (stop.signal.aborted && !begun) await leave(INTERRUPTED);
  const report = toReport(error);
  context.exitCode = stop.signal.aborted ? INTERRUPTED : report.exitCode;
  const debug = Boolean(process.env.DESKPROOF_DEBUG);
  printReport(report, context.terminal, {
    ...{ json: beforeDashes.includes('--json'), debug, ofTool: context.inTool, desktop: context.named },
    toolNames: context.toolNames,
  });
  await leave(context.exitCode);
}
