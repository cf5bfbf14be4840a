import { compilePolicy, type PolicyRequest } from '../../../policy/index.js';
import { type Change, type Rehearsal, type Rehearsed, rehearseTrace, traceOf } from '../../../replay/index.js';
import { cleanName, DesktopError } from '../../../shared/index.js';
import { quote } from '../../../tree/index.js';
import { linesAt, whoseWrittenLog } from '../audit/resolve-log.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { type Colour, type Paint, safeForTerminal } from '../terminal.js';
import { commandName } from '../tools/shapes.js';
import { policyHere } from './explain.js';

export interface RehearseFlags extends Flags {
  policy?: string;
  on?: PolicyRequest['desktop'];
  failOnChange?: boolean;
}

/** What a policy would have said to everything that a log tells of. */
export async function rehearse(context: Context, given: string | undefined, flags: RehearseFlags): Promise<void> {
  // A policy that cannot be read is told before any log is looked for.
  const { files } = policyHere(flags.policy);
  const log = given ?? (await whoseWrittenLog(context, flags)).logs;
  const trace = traceOf(linesAt(log));
  const kind = flags.on ?? (trace.desktop?.startsWith('user.') ? 'seat' : 'virtual');
  const policy = compilePolicy(files, kind);
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

export interface RehearsalTotals extends Record<Change, number> {
  calls: number;
}

export function totalsOf({ calls }: Rehearsal): RehearsalTotals {
  const count = (change: Change): number => calls.filter((call) => call.change === change).length;
  return {
    calls: calls.length,
    same: count('same'),
    stricter: count('stricter'),
    looser: count('looser'),
    open: count('open'),
  };
}

/** For programs. */
export function rowOf({ step, then, now, rule, tier, change }: Rehearsed): object {
  const { number, seq, at, tool, target, app } = step;
  return { step: number, seq, at, tool, target, program: app?.program, then, now, rule, tier, change };
}

const COLOURS: Readonly<Record<Change, Colour>> = { same: 'grey', stricter: 'red', looser: 'yellow', open: 'cyan' };

/** A line for each act, and for what else changed; then how many. */
export function rehearsalLines(rehearsal: Rehearsal, paint: Paint): string[] {
  // That looking is still allowed is the rule, and nothing to read line by line.
  const shown = rehearsal.calls.filter(({ step, change }) => step.kind !== 'read' || change !== 'same');
  const rows = shown.map((call) => ({ call, number: `#${call.step.seq}`, what: whatOf(call), how: howOf(call) }));
  // One by one: a function takes no more than some 100,000 arguments.
  const widest = (part: 'number' | 'what' | 'how'): number =>
    rows.reduce((most, row) => Math.max(most, row[part].length), 0);
  const [numbers, whats, hows] = [widest('number'), widest('what'), widest('how')];
  const lines = rows.map(({ call, number, what, how }) => {
    const by = call.now.length === 1 ? `rule ${call.rule} (${call.tier})` : 'open';
    return [
      paint('grey', number.padStart(numbers)),
      what.padEnd(whats),
      paint(COLOURS[call.change], how.padEnd(hows)),
      paint('grey', safeForTerminal(by)),
    ].join('  ');
  });
  const { calls, same, stricter, looser, open } = totalsOf(rehearsal);
  const numbersOf: [number, string][] = [
    [same, 'as before'],
    [stricter, 'stricter'],
    [looser, 'looser'],
    [open, 'open (the log does not tell enough)'],
  ];
  const summary = numbersOf.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const left = rehearsal.left.map(({ why, count }) => `left out: ${count} (${why})`);
  return [...lines, `${calls} call${calls === 1 ? '' : 's'}: ${summary.join(', ')}`, ...left];
}

function howOf({ then, now, change }: Rehearsed): string {
  return change === 'same' ? then : `${then} -> ${now.join(' or ')}`;
}

/** `click button "Save" in "notes.txt - Mousepad"`; what comes from the screen is quoted. */
function whatOf({ step }: Rehearsed): string {
  const { tool, target, app, args } = step;
  const short = (text: string): string => quote(cleanName(text, 40).text);
  const element = target?.role === undefined ? [] : [target.role, ...(target.name ? [short(target.name)] : [])];
  const named = args?.target ?? args?.command ?? args?.window;
  const about = element.length > 0 ? element : typeof named === 'string' ? [short(named)] : [];
  const where = target?.window ? ['in', short(target.window)] : app?.program ? ['in', short(app.program)] : [];
  return safeForTerminal([commandName(tool), ...about, ...where].join(' '));
}
