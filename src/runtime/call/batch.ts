import { DesktopError } from '../../shared/index.js';
import type { RenderedChanges } from '../verify/action-result.js';
import type { Performed } from './perform.js';
import { excerpt } from '../locate/resolve-selector.js';

export interface Step {
  tool: string;
  args: Record<string, unknown>;
}

export interface StepDone extends Performed {
  tool: string;
}

export interface BatchResult extends RenderedChanges {
  done: StepDone[];
  durationMs: number;
}

/** `{tool: "ui_click", target: "e12"}`: everything but `tool` is an argument. */
export function stepsOf(given: readonly Record<string, unknown>[]): Step[] {
  return given.map(({ tool, ...args }, at) => {
    if (typeof tool !== 'string') throw wrongStep(at, 'has no tool.');
    return { tool, args };
  });
}

/** A batch in a batch would hide how much is going to be done. */
export function refuseNestedBatch(steps: readonly Step[], isBatch: (tool: string) => boolean): void {
  const at = steps.findIndex(({ tool }) => isBatch(tool));
  if (at >= 0) throw wrongStep(at, 'is a batch itself.');
}

/** Checks all steps before the first is performed: if one is invalid, none is. */
export function checkSteps(steps: readonly Step[], check: (step: Step) => void): void {
  for (const [at, step] of steps.entries()) {
    try {
      check(step);
    } catch (error) {
      if (error instanceof DesktopError) throw unreadable(steps, at, step, error);
      throw error;
    }
  }
}

/** Performs the steps in order until one fails. `changed`: the combined changes of those before it. */
export async function performSteps(
  steps: readonly Step[],
  perform: (step: Step) => Promise<Performed>,
  changed: () => Promise<RenderedChanges | undefined>,
): Promise<StepDone[]> {
  const done: StepDone[] = [];
  for (const step of steps) {
    try {
      done.push({ tool: step.tool, ...(await perform(step)) });
    } catch (error) {
      if (error instanceof DesktopError) throw failedAt(steps, done, step, error, await changed());
      throw error;
    }
  }
  return done;
}

function failedAt(
  steps: readonly Step[],
  done: StepDone[],
  step: Step,
  error: DesktopError,
  together: RenderedChanges | undefined,
): DesktopError {
  const { code, hint, retry, retryAfter, details } = error;
  const at = done.length + 1;
  const subject = step.args.target ?? step.args.window ?? step.args.keys ?? '';
  const what = [step.tool, typeof subject === 'string' ? excerpt(subject) : ''].filter(Boolean).join(' ');
  const before = at > 1 ? ` ${range(1, at - 1)} done` : ' Nothing was done before';
  const after = at < steps.length ? `, ${range(at + 1, steps.length).toLowerCase()} not tried` : '';
  const acted = done.some(({ json }) => json.delivered === 'yes');
  const message = `Step ${at} of ${steps.length} (${what}): ${error.message.replace(/\.?$/, '.')}${before}${after}.`;
  return new DesktopError(code, message, {
    hint,
    retry: acted ? 'no' : retry,
    retryAfter,
    delivered: acted ? 'yes' : error.delivered,
    details: {
      ...details,
      step: at,
      steps: done.map(({ tool, json }) => ({ tool, json })),
      ...(together && { changesBefore: together.changes }),
    },
    cause: error,
  });
}

function unreadable(steps: readonly Step[], at: number, { tool }: Step, error: DesktopError): DesktopError {
  const message = `Step ${at + 1} of ${steps.length} (${excerpt(tool)}): ${error.message.replace(/\.?$/, '.')} Nothing was done.`;
  return new DesktopError(error.code, message, { hint: error.hint, retry: 'no', details: error.details, cause: error });
}

function range(from: number, to: number): string {
  return from === to ? `Step ${from}` : `Steps ${from}-${to}`;
}

function wrongStep(at: number, why: string): DesktopError {
  return new DesktopError('bad_arguments', `Step ${at + 1} ${why}`, {
    hint: 'a step is {tool: "ui_click", target: "e12"}.',
    retry: 'no',
  });
}
