import { randomBytes } from 'node:crypto';
import type { Verification } from '../../../audit/index.js';
import { DesktopError, exitCodeOf } from '../../../shared/index.js';
import { replayPlan, traceOf, type PlannedStep } from '../../../replay/index.js';
import { printJson } from '../call-tool.js';
import { closing, openChosen, type Context } from '../context.js';
import type { ReplayFlags } from './command.js';
import { toolFields } from '../tools/fields.js';
import { safeForTerminal } from '../terminal.js';
import { logAt } from '../audit/resolve-log.js';
import { doAgain, type Redone } from './replay-step.js';
import { endedLine, plannedLine, redoneLines, summaryLine, waitingLine } from './replay-text.js';

type Doable = PlannedStep & { do: 'again' };

/** A session done again through the same door as every call, and held against its log step by step. */
export async function replayLog(context: Context, given: string, flags: ReplayFlags): Promise<void> {
  const log = logAt(given, context);
  const lines = [...log.lines()];
  const checked = log.verify();
  const trace = traceOf(lines, { session: flags.session, unsigned: checked.unsigned });
  const plan = replayPlan(trace, { fieldsOf: toolFields, from: flags.from, to: flags.to });
  if (plan.length === 0) throw nothingToDo();
  if (flags.dryRun) tellPlan(context, plan, checked, flags);
  else {
    refuseUnverified(checked, flags);
    refuseGaps(plan, flags);
    await replay(context, plan, checked, flags);
  }
  if (!checked.ok && !flags.json) {
    const { terminal } = context;
    terminal.err(`${terminal.paintErrors('red', 'The log does not verify:')} ${safeForTerminal(checked.verdict)}\n`);
  }
}

async function replay(
  context: Context,
  plan: readonly PlannedStep[],
  checked: Verification,
  flags: ReplayFlags,
): Promise<void> {
  const { terminal } = context;
  const { host, choice } = await openChosen(context, flags);
  const done: Redone[] = [];
  const say = (line: string): void => {
    if (!flags.json) terminal.out(`${line}\n`);
  };
  if (terminal.isPerson && choice.kind === 'private') say(terminal.paint('grey', `desktop ${choice.name}`));
  const redoAll = async (): Promise<void> => {
    // Its own caller: rules may name replays, and what is granted to one is not granted to the next.
    const caller = `replay:${randomBytes(4).toString('hex')}`;
    for (const step of plan) {
      if (step.do !== 'again') {
        say(plannedLine(step, terminal.paint));
        continue;
      }
      const waits = (ms: number): void => terminal.err(`${waitingLine(step.number, ms)}\n`);
      const redone = await doAgain(context, host, step, { caller, waits });
      done.push(redone);
      for (const line of redoneLines(redone, terminal.paint)) say(line);
      if (redone.result === 'refused' || (redone.result === 'differs' && !flags.keepGoing)) break;
    }
  };
  await closing(host, redoAll).catch((error: unknown) => {
    // Where a person typed Ctrl-C, its echo stands on the line.
    if (context.signal.aborted) terminal.err(`${terminal.errorsToPerson ? '\n' : ''}${endedLine(plan, done, error)}\n`);
    throw error;
  });
  const first = done.find(({ result }) => result !== 'same');
  const refused = done.find(({ result }) => result === 'refused');
  context.exitCode = refused ? exitCodeOf(refused.error!.code) : first ? 1 : 0;
  if (flags.json) {
    return printJson(context, {
      ...{ schema: 1, untrusted: true, result: refused ? 'refused' : first ? 'differs' : 'same' },
      ...(first && { first: first.step.number }),
      ...{ steps: plan.map((step) => stepJson(step, done)), verified: verifiedJson(checked) },
    });
  }
  say(summaryLine(plan, done, terminal.paint));
}

function tellPlan(context: Context, plan: readonly PlannedStep[], checked: Verification, { json }: ReplayFlags): void {
  const { terminal } = context;
  if (json) {
    const steps = plan.map((step) => stepJson(step, []));
    return printJson(context, {
      schema: 1,
      untrusted: true,
      result: 'planned',
      steps,
      verified: verifiedJson(checked),
    });
  }
  for (const step of plan) terminal.out(`${plannedLine(step, terminal.paint)}\n`);
  terminal.out('Nothing was done: this is what a replay would do.\n');
}

const verifiedJson = ({ ok, verdict }: Verification): { ok: boolean; verdict: string } => ({ ok, verdict });

function stepJson(step: PlannedStep, done: readonly Redone[]): Record<string, unknown> {
  const { number, tool, words, then } = step;
  const about = { number, tool, words, then };
  if (step.do !== 'again') return { ...about, result: step.do, why: step.why };
  const redone = done.find((one) => one.step === step);
  const given = { args: step.args, ...(step.notes.length > 0 && { notes: step.notes }) };
  if (!redone) return { ...about, ...given, result: 'not done' };
  const { result, now, differences, better, error } = redone;
  return { ...about, ...given, result, now, differences, better, ...(error && { error: error.toJSON() }) };
}

/** Whoever can write a file could have an act done here in a session's name. */
function refuseUnverified({ ok, verdict }: Verification, { unverified }: ReplayFlags): void {
  if (ok || unverified) return;
  throw new DesktopError(
    'bad_arguments',
    `Nothing was done: the log cannot be shown to be what was written (${verdict}).`,
    {
      hint: 'look at it first with --dry-run; --unverified does it all the same.',
    },
  );
}

/** Without a step in the middle the others would be done to something else than then. */
function refuseGaps(plan: readonly PlannedStep[], { keepGoing }: ReplayFlags): void {
  const gaps = plan.filter((step): step is PlannedStep & { do: 'cannot' } => step.do === 'cannot');
  if (gaps.length === 0 || keepGoing) {
    if (plan.some((step): step is Doable => step.do === 'again')) return;
    throw nothingToDo();
  }
  const [first] = gaps;
  const more = gaps.length === 1 ? '' : ` (and ${gaps.length - 1} more)`;
  throw new DesktopError(
    'bad_arguments',
    `Nothing was done: step ${first!.number}${more} cannot be done again: ${first!.why}.`,
    { hint: 'leave it out with --from, --to or --keep-going, or fill it in: deskproof export --to ts' },
  );
}

function nothingToDo(): DesktopError {
  return new DesktopError('bad_arguments', 'There is no act to do again in this part of the log.', {
    hint: 'See what there is: deskproof export LOG --to html --out trace.html',
  });
}
