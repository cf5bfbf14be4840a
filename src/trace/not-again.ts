import type { DeedStep } from './trace.js';

/** Reads that hold a session together: one that is done again waits and checks where that one did. */
const CHECKS = new Set(['ui_wait', 'ui_assert']);

/** Whether a step has a part in doing a session again: acts have, looks have not. */
export function matters({ kind, tool, result }: DeedStep): boolean {
  return kind !== 'read' || (CHECKS.has(tool) && result === 'ok');
}

/** Why a step is not done again; undefined for one that can be. */
export function notAgain(step: DeedStep, isTool: boolean): string | undefined {
  const { kind, outcome, args, decision } = step;
  if (kind === 'refused')
    return `it was refused (${outcome?.error ?? 'refused'}${decision ? `, rule ${decision.rule}` : ''})`;
  if (kind === 'question') return 'it was asked about and never begun';
  if (step.unsigned) return 'nobody signed what the log says of it';
  if (kind === 'act' && !outcome) return 'whether it was done then is not known';
  if (kind === 'act' && outcome?.delivered === 'no')
    return `nothing was done then either (${outcome.error ?? outcome.status ?? 'failed'})`;
  if (!isTool) return 'there is no such tool';
  return args === undefined ? 'the log does not say with which arguments' : undefined;
}
