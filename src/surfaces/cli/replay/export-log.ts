import { resolve } from 'node:path';
import type { Verification } from '../../../audit/index.js';
import { DesktopError } from '../../../shared/index.js';
import { traceHtml, traceOf, traceScript, type Trace } from '../../../replay/index.js';
import { printJson } from '../call-tool.js';
import type { Context } from '../context.js';
import type { ExportFlags } from './command.js';
import { safeForTerminal } from '../terminal.js';
import { desktopsLog, logAt } from '../audit/resolve-log.js';
import { toolFields } from '../tools/fields.js';
import { writeNew } from '../output-file.js';

/** A page of more is no pleasure to open; the page says that there were more. */
const MOST_ON_A_PAGE = 5_000;

/** A log as a page or a script. Whether it is what was written is looked at too, and said. */
export async function exportLog(context: Context, given: string | undefined, flags: ExportFlags): Promise<void> {
  const { to, out, force = false, session } = flags;
  const { terminal } = context;
  if (to === 'html' && out === undefined && terminal.isPerson) {
    throw new DesktopError('bad_arguments', 'A page is nothing for a terminal.', {
      hint: 'Say where to: --out trace.html',
    });
  }
  const log = given === undefined ? await desktopsLog(context, flags) : logAt(given, context);
  const last = flags.last ?? (to === 'html' ? MOST_ON_A_PAGE : undefined);
  const lines = [...log.lines()];
  const checked = log.verify();
  const trace = traceOf(lines, { session, last, unsigned: checked.unsigned });
  if (trace.steps.length === 0 || (session !== undefined && trace.callers.length === 0)) throw nothingIn(session);
  const text = to === 'html' ? traceHtml(trace, { checked }) : traceScript(trace, { checked, fieldsOf: toolFields });
  if (out === undefined || out === '-') terminal.out(text);
  else {
    writeNew(out, text, force);
    tell(context, { trace, checked, file: out, flags });
  }
  if (!checked.ok && !flags.json)
    terminal.err(`${terminal.paintErrors('red', 'The log does not verify:')} ${safeForTerminal(checked.verdict)}\n`);
}

function tell(context: Context, told: { trace: Trace; checked: Verification; file: string; flags: ExportFlags }): void {
  const { trace, checked, file, flags } = told;
  const { totals, steps, unknown } = trace;
  if (flags.json) {
    const verified = { ok: checked.ok, verdict: checked.verdict };
    return printJson(context, { schema: 1, file: resolve(file), steps: steps.length, totals, verified, unknown });
  }
  const acts = `${totals.acts} act${totals.acts === 1 ? '' : 's'}`;
  context.terminal.out(`${file}: ${steps.length} step${steps.length === 1 ? '' : 's'}, ${acts}\n`);
  if (flags.to === 'ts') context.terminal.out(`run it: node ${file} --desktop NAME\n`);
}

function nothingIn(session: string | undefined): DesktopError {
  const where = session === undefined ? '' : ` of the session ${JSON.stringify(session.slice(0, 80))}`;
  return new DesktopError('bad_arguments', `The log holds nothing${where}.`, {
    hint: session === undefined ? 'Give another log.' : 'Leave --session out to see all.',
  });
}
