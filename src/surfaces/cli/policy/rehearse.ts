import { govern, type Question } from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { traceOf } from '../../../trace/index.js';
import { linesAt } from '../audit/log-at.js';
import { whoseWrittenLog } from '../audit/whose-log.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { policyHere } from './policy-here.js';
import { rehearsalLines, rowOf, totalsOf } from './rehearsal-text.js';
import { rehearseTrace } from './rehearsal.js';

export interface RehearseFlags extends Flags {
  policy?: string;
  on?: Question['desktop'];
  failOnChange?: boolean;
}

/** What a policy would have said to everything that a log tells of. */
export async function rehearse(context: Context, given: string | undefined, flags: RehearseFlags): Promise<void> {
  // A policy that cannot be read is told before any log is looked for.
  const { files } = policyHere(flags.policy);
  const log = given ?? (await whoseWrittenLog(context, flags)).logs;
  const trace = traceOf(linesAt(log));
  const kind = flags.on ?? (trace.desktop?.startsWith('user.') ? 'seat' : 'virtual');
  const policy = govern(files, kind);
  const rehearsal = rehearseTrace(trace, policy, kind);
  if (rehearsal.calls.length === 0) {
    throw new DesktopError('bad_arguments', 'The log holds nothing that a policy decides.', {
      hint: 'Give another log.',
    });
  }
  const totals = totalsOf(rehearsal);
  if (flags.json) {
    printJson(context, {
      ...{ schema: 1, untrusted: true, desktop: kind, policy: policy.hash, totals, left: rehearsal.left },
      calls: rehearsal.calls.map(rowOf),
    });
  } else {
    for (const line of rehearsalLines(rehearsal, context.terminal.paint)) context.terminal.out(`${line}\n`);
  }
  // What is open is not known to be decided otherwise.
  if (flags.failOnChange && totals.stricter + totals.looser > 0) context.exitCode = 1;
}
