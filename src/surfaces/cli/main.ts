#!/usr/bin/env node
import { CommanderError } from 'commander';
import { DesktopError } from '../../shared/index.js';
import { makeContext } from './context.js';
import { makeProgram } from './program.js';
import { printReport, reportOf } from './report-error.js';

const INTERRUPTED = 130;

const stop = new AbortController();
const context = makeContext(stop.signal);

// The reader of our output may leave (| head); that is its right and no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? context.exitCode : 1);
});
// Who reads no complaints may still read answers, as clients of the MCP server do: only those words are lost.
process.stderr.on('error', () => undefined);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (context.terminalIsLent) return;
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
  });
}

const argv = process.argv.slice(2);
const beforeDashes = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;

/** Waits until everything written has left: exit alone would cut a long answer to a pipe. */
async function leave(exitCode: number): Promise<never> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))),
  );
  process.exit(exitCode);
}

try {
  const program = makeProgram(context);
  if (argv.length === 0) program.outputHelp();
  else await program.parseAsync(argv, { from: 'user' });
  await leave(context.exitCode);
} catch (error) {
  // Help and version end the parsing by a throw as well; help that nobody asked for stands for a missing word.
  if (error instanceof CommanderError && error.exitCode === 0) await leave(0);
  if (error instanceof CommanderError && error.code === 'commander.help') await leave(2);
  // Who interrupts knows that it was interrupted, but not how far it had come.
  const begun = error instanceof DesktopError && error.delivered !== 'no';
  if (stop.signal.aborted && !begun) await leave(INTERRUPTED);
  const report = reportOf(error);
  context.exitCode = stop.signal.aborted ? INTERRUPTED : report.exitCode;
  const debug = Boolean(process.env.DESKPROOF_DEBUG);
  printReport(report, context.terminal, {
    ...{ json: beforeDashes.includes('--json'), debug, ofTool: context.inTool, desktop: context.named },
  });
  await leave(context.exitCode);
}
