import { resolve } from 'node:path';
import type { Verification } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { traceHtml, traceOf, traceScript, type Trace } from '../../../replay/index.js';
import { printJson } from '../call-tool.js';
import type { Context } from '../context.js';
import type { ExportFlags } from './command.js';
import { safeForTerminal } from '../terminal.js';
import { desktopLog, logAt } from '../audit/resolve-log.js';
import { toolFields } from '../tools/fields.js';
import { writeNewFile } from '../output-file.js';

/** Larger pages are slow to open. The page states how many steps it leaves out. */
const MAX_STEPS_ON_PAGE = 5_000;

/** Exports a log as a page or a script. The log is verified too, and the result is part of the export. */
export async function exportLog(context: Context, given: string | undefined, flags: ExportFlags): Promise<void> {
  const { to, out, force = false, session } = flags;
  const { terminal } = context;
  if (to === 'html' && out === undefined && terminal.isTerminal) {
    throw new DesktopError('bad_arguments', 'An HTML page cannot be shown in a terminal.', {
      hint: 'Name an output file: --out trace.html',
    });
  }
  const log = given === undefined ? await desktopLog(context, flags) : logAt(given, context);
  const last = flags.last ?? (to === 'html' ? MAX_STEPS_ON_PAGE : undefined);
  const lines = [...log.lines()];
  const checked = log.verify();
  const trace = traceOf(lines, { session, last, unsigned: checked.unsigned });
  if (trace.steps.length === 0 || (session !== undefined && trace.callers.length === 0)) throw emptyLog(session);
  const text = to === 'html' ? traceHtml(trace, { checked }) : traceScript(trace, { checked, fieldsOf: toolFields });
  if (out === undefined || out === '-') terminal.out(text);
  else {
    writeNewFile(out, text, force);
    printSummary(context, { trace, checked, file: out, flags });
  }
  if (!checked.ok && !flags.json)
    terminal.err(`${terminal.paintErrors('red', 'The log does not verify:')} ${safeForTerminal(checked.verdict)}\n`);
}

function printSummary(
  context: Context,
  exported: { trace: Trace; checked: Verification; file: string; flags: ExportFlags },
): void {
  const { trace, checked, file, flags } = exported;
  const { totals, steps, unknown } = trace;
  if (flags.json) {
    const verified = { ok: checked.ok, verdict: checked.verdict };
    return printJson(context, { schema: 1, file: resolve(file), steps: steps.length, totals, verified, unknown });
  }
  const acts = `${totals.acts} act${totals.acts === 1 ? '' : 's'}`;
  context.terminal.out(`${file}: ${steps.length} step${steps.length === 1 ? '' : 's'}, ${acts}\n`);
  if (flags.to === 'ts') context.terminal.out(`Run it: node ${file} --desktop NAME\n`);
}

function emptyLog(session: string | undefined): DesktopError {
  const where = session === undefined ? '' : ` of the session ${JSON.stringify(session.slice(0, 80))}`;
  return new DesktopError('bad_arguments', `The log contains nothing${where}.`, {
    hint: session === undefined ? 'Give another log.' : 'Omit --session to export all sessions.',
  });
}
