import { randomBytes } from 'node:crypto';
import type { Verification } from '../../../audit/index.js';
import { exitCodeOf } from '../../../shared/index.js';
import {
  checkReplay,
  noSteps,
  type PlannedStep,
  planReplay,
  type ReplayedStep,
  replayPlan,
  replayResult,
  stepReport,
  traceOf,
} from '../../../replay/index.js';
import { callOnConnection, printJson } from '../call-tool.js';
import { closing, connectDesktop, type Context } from '../context.js';
import type { ReplayFlags } from './command.js';
import { toolFields } from '../tools/fields.js';
import { safeForTerminal } from '../terminal.js';
import { logAt } from '../audit/resolve-log.js';
import { interruptedLine, plannedLine, replayedLines, summaryLine, waitingLine } from './replay-text.js';

/** Replays a session with ordinary tool calls and compares each step with its log. */
export async function replayLog(context: Context, given: string, flags: ReplayFlags): Promise<void> {
  const log = logAt(given, context);
  const lines = [...log.lines()];
  const verification = log.verify();
  const trace = traceOf(lines, { session: flags.session, unsigned: verification.unsigned });
  const plan = planReplay(trace, { fieldsOf: toolFields, from: flags.from, to: flags.to });
  if (flags.dryRun) printPlan(context, plan, verification, flags);
  else {
    checkReplay(plan, { verification, allowUnverified: flags.unverified, allowGaps: flags.keepGoing });
    await replay(context, plan, verification, flags);
  }
  if (!verification.ok && !flags.json) {
    const { terminal } = context;
    const verdict = safeForTerminal(verification.verdict);
    terminal.err(`${terminal.paintErrors('red', 'The log does not verify:')} ${verdict}\n`);
  }
}

async function replay(
  context: Context,
  plan: readonly PlannedStep[],
  verification: Verification,
  flags: ReplayFlags,
): Promise<void> {
  const { terminal, signal } = context;
  const { host, choice } = await connectDesktop(context, flags);
  const done: ReplayedStep[] = [];
  const print = (line: string): void => {
    if (!flags.json) terminal.out(`${line}\n`);
  };
  if (terminal.isTerminal && choice.kind === 'private') print(terminal.paint('grey', `desktop ${choice.name}`));
  // A caller of its own: rules can name replays, and a grant for one replay does not cover the next.
  const caller = `replay:${randomBytes(4).toString('hex')}`;
  const run = (): Promise<ReplayedStep[]> =>
    replayPlan(plan, {
      call: (tool, args) => callOnConnection(context, host, { tool, args, want: 'json', caller }),
      ...{ signal, keepGoing: flags.keepGoing },
      onSkipped: (step) => print(plannedLine(step, terminal.paint)),
      onWait: (step, ms) => terminal.err(`${waitingLine(step.number, ms)}\n`),
      onReplayed: (replayed) => {
        done.push(replayed);
        for (const line of replayedLines(replayed, terminal.paint)) print(line);
      },
    });
  await closing(host, run).catch((error: unknown) => {
    // After Ctrl-C in a terminal, its echo is on the current line.
    if (signal.aborted) terminal.err(`${terminal.errorsToUser ? '\n' : ''}${interruptedLine(plan, done, error)}\n`);
    throw error;
  });
  const { result, first, refused } = replayResult(done);
  context.exitCode = refused ? exitCodeOf(refused.error!.code) : first ? 1 : 0;
  if (flags.json) {
    return printJson(context, {
      ...{ schema: 1, untrusted: true, result },
      ...(first && { first: first.step.number }),
      ...{ steps: plan.map((step) => stepReport(step, done)), verified: verifiedJson(verification) },
    });
  }
  print(summaryLine(plan, done, terminal.paint));
}

function printPlan(
  context: Context,
  plan: readonly PlannedStep[],
  verification: Verification,
  { json }: ReplayFlags,
): void {
  const { terminal } = context;
  if (plan.length === 0) throw noSteps();
  if (json) {
    return printJson(context, {
      ...{ schema: 1, untrusted: true, result: 'planned' },
      ...{ steps: plan.map((step) => stepReport(step, [])), verified: verifiedJson(verification) },
    });
  }
  for (const step of plan) terminal.out(`${plannedLine(step, terminal.paint)}\n`);
  terminal.out('Dry run: nothing was done.\n');
}

const verifiedJson = ({ ok, verdict }: Verification): { ok: boolean; verdict: string } => ({ ok, verdict });
