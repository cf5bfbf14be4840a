import type { PolicyRequest } from '../../../policy/index.js';
import {
  type DecisionChange,
  type Rehearsal,
  rehearsalTotals,
  type RehearsedCall,
  rehearsePolicy,
} from '../../../replay/index.js';
import { cleanName } from '../../../shared/index.js';
import { quote } from '../../../tree/index.js';
import { linesAt, existingLog } from '../audit/resolve-log.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { type Colour, type Paint, safeForTerminal } from '../terminal.js';
import { commandName } from '../tools/command-name.js';
import { currentPolicy } from './explain.js';

export interface RehearseFlags extends Flags {
  policy?: string;
  on?: PolicyRequest['desktop'];
  failOnChange?: boolean;
}

/** Decides every call of a log again under the current policy or another one. */
export async function rehearse(context: Context, given: string | undefined, flags: RehearseFlags): Promise<void> {
  // Errors in the policy are reported before any log is searched for.
  const { files } = currentPolicy(flags.policy);
  const log = given ?? (await existingLog(context, flags)).logs;
  const rehearsal = rehearsePolicy(linesAt(log), files, flags.on);
  const { desktop, policyHash, totals, left } = rehearsal;
  if (flags.json) {
    printJson(context, {
      ...{ schema: 1, untrusted: true, desktop, policy: policyHash, totals, left },
      calls: rehearsal.calls.map(callReport),
    });
  } else {
    for (const line of rehearsalLines(rehearsal, context.terminal.paint)) context.terminal.out(`${line}\n`);
  }
  // An open decision is not known to be different.
  if (flags.failOnChange && totals.stricter + totals.looser > 0) context.exitCode = 1;
}

/** One call for JSON output. */
function callReport({ step, then, now, rule, tier, change }: RehearsedCall): object {
  const { number, seq, at, tool, target, app } = step;
  return { step: number, seq, at, tool, target, program: app?.program, then, now, rule, tier, change };
}

const COLOURS: Readonly<Record<DecisionChange, Colour>> = {
  same: 'grey',
  stricter: 'red',
  looser: 'yellow',
  open: 'cyan',
};

/** One line for each act and each changed read, then the totals. */
export function rehearsalLines(rehearsal: Rehearsal, paint: Paint): string[] {
  // Reads that are still allowed are the normal case and are not listed.
  const shown = rehearsal.calls.filter(({ step, change }) => step.kind !== 'read' || change !== 'same');
  const rows = shown.map((call) => ({
    call,
    number: `#${call.step.seq}`,
    what: callText(call),
    how: decisionText(call),
  }));
  // `reduce`, because a function call takes at most about 100,000 arguments.
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
  const { calls, same, stricter, looser, open } = rehearsalTotals(rehearsal);
  const numbersOf: [number, string][] = [
    [same, 'as before'],
    [stricter, 'stricter'],
    [looser, 'looser'],
    [open, 'open (the log does not contain enough facts)'],
  ];
  const summary = numbersOf.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const left = rehearsal.left.map(({ why, count }) => `left out: ${count} (${why})`);
  return [...lines, `${calls} call${calls === 1 ? '' : 's'}: ${summary.join(', ')}`, ...left];
}

function decisionText({ then, now, change }: RehearsedCall): string {
  return change === 'same' ? then : `${then} -> ${now.join(' or ')}`;
}

/** `click button "Save" in "notes.txt - Mousepad"`; text from the screen is quoted. */
function callText({ step }: RehearsedCall): string {
  const { tool, target, app, args } = step;
  const short = (text: string): string => quote(cleanName(text, 40).text);
  const element = target?.role === undefined ? [] : [target.role, ...(target.name ? [short(target.name)] : [])];
  const named = args?.target ?? args?.command ?? args?.window;
  const about = element.length > 0 ? element : typeof named === 'string' ? [short(named)] : [];
  const where = target?.window ? ['in', short(target.window)] : app?.program ? ['in', short(app.program)] : [];
  return safeForTerminal([commandName(tool), ...about, ...where].join(' '));
}
