import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, hasTrait, exitCodeOf } from '../../shared/index.js';
import { type Difference, sameText, targetDifferences, compareOutcomes, outcomeOf } from '../compare.js';
import type { PlannedStep, StepOutcome } from '../plan.js';

/** One call of a tool on the desktop of the replay, with its JSON result. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<{ json?: Record<string, unknown> }>;

/** A planned step that can be performed. */
export type ReplayStep = PlannedStep & { do: 'again' };

interface StepPreview {
  /** Not empty: the step would act on a different target than recorded. */
  differences: Difference[];
  target?: StepOutcome['target'];
  /** Window titles by ref, read before the step: an act may change them. */
  titles: ReadonlyMap<string, string>;
}

interface Window {
  ref: string;
  title: string;
}

/** A replay leaves no time between steps, so the app may need a moment to reach the recorded state. */
const WITHIN_MS = 3_000;
const EVERY_MS = 150;
const UNKNOWN: StepPreview = { differences: [], titles: new Map() };

/** Errors of the replay itself, not of the app: the replay cannot continue. */
const isFatal = (error: DesktopError): boolean => hasTrait(error, 'ownFault');

/** Finds the current target of a step before anything is performed. A step with a different target is not performed. */
async function previewStep(call: CallTool, step: ReplayStep, signal: AbortSignal): Promise<StepPreview> {
  const { target } = step.then;
  if (!target) return UNKNOWN;
  const { target: given, from = given, window } = step.args;
  const named = from ?? (isForFocus(step) ? 'focused' : undefined);
  const once = (): Promise<StepPreview> =>
    typeof named === 'string' ? byTarget(call, target, { target: named, window }) : byWindow(call, target.window);
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const preview = await once().catch((error: unknown) => {
      if (!(error instanceof DesktopError) || isFatal(error)) throw error;
      // The target does not exist yet, or may not be read. The act itself waits for it and reports a better error.
      return UNKNOWN;
    });
    if (preview.differences.length === 0 || performance.now() > end) return preview;
    await pause(EVERY_MS, undefined, { signal });
  }
}

/** It named no element and no point, and the log has the element that had the focus. */
const isForFocus = ({ args: { target, from, x }, then }: ReplayStep): boolean =>
  target === undefined && from === undefined && x === undefined && then.target?.role !== undefined;

async function byTarget(
  call: CallTool,
  then: NonNullable<StepOutcome['target']>,
  args: Record<string, unknown>,
): Promise<StepPreview> {
  const { json = {} } = await call('ui_describe', args);
  const { element, window } = json as unknown as { element: { role: string; name?: string }; window: Window };
  const target = { role: element.role, ...(element.name && { name: element.name }), window: window.title };
  return { differences: targetDifferences(then, target), target, titles: new Map([[window.ref, window.title]]) };
}

/** Keys and window commands have only a window as their target: a window with the recorded title must exist. */
async function byWindow(call: CallTool, then: string | undefined): Promise<StepPreview> {
  const { json = {} } = await call('ui_list_windows', { hidden: true });
  const windows = json.windows as Window[];
  const titles = new Map(windows.map(({ ref, title }) => [ref, title]));
  const exists = then === undefined || windows.some(({ title }) => sameText(then, title));
  return { differences: exists ? [] : [{ what: 'window', then, now: 'none' }], titles };
}

/** The result of one replayed step. */
export interface ReplayedStep {
  step: ReplayStep;
  result: 'same' | 'differs' | 'refused';
  now: StepOutcome;
  differences: Difference[];
  better: Difference[];
  error?: DesktopError;
}

interface StepRun {
  call: CallTool;
  signal: AbortSignal;
  /** The policy's rate limit is reached: nothing happens for this many milliseconds. */
  onWait: (ms: number) => void;
}

/** Status of a step that was not performed because its target differs. */
export const NOT_DONE = 'not done';
const MAX_WAIT_MS = 60_000;

/** Performs one step and compares it with the log: first its target, then its outcome. */
export async function replayStep(step: ReplayStep, run: StepRun): Promise<ReplayedStep> {
  const elapsed = (since: number): number => Math.round(performance.now() - since);
  const started = performance.now();
  const { differences, target, titles } = await previewStep(run.call, step, run.signal);
  if (differences.length > 0) {
    const now: StepOutcome = { status: NOT_DONE, delivered: 'no', ms: elapsed(started), ...(target && { target }) };
    return { step, result: 'differs', now, differences, better: [] };
  }
  const called = performance.now();
  const answer = await performStep(step, run);
  const now = { ms: elapsed(called), ...outcomeOf(answer, (ref) => titles.get(ref)) };
  const error = answer instanceof DesktopError ? answer : undefined;
  if (error && exitCodeOf(error.code) === 3) {
    return { step, result: 'refused', now, differences: [], better: [], error };
  }
  const compared = compareOutcomes(step.then, { ...now, ...targetNow(step, now, target) });
  const result = compared.differences.length > 0 ? 'differs' : 'same';
  return { step, now, ...compared, result, ...(error && { error }) };
}

/** The result of an act without a target reports only its window. The element was compared before the step. */
function targetNow(
  { then }: ReplayStep,
  { target: now }: StepOutcome,
  found: StepOutcome['target'],
): Pick<StepOutcome, 'target'> {
  if (!now || now.role !== undefined || then.target?.role === undefined) return {};
  const { role, name } = found ?? then.target;
  return { target: { ...now, role, ...(name !== undefined && { name }) } };
}

/** A replay performs an hour of work in a minute, so it may reach the policy's rate limit. Then it waits. */
async function performStep(
  { tool, args }: ReplayStep,
  { call, signal, onWait }: StepRun,
): Promise<Record<string, unknown> | DesktopError> {
  for (;;) {
    try {
      return (await call(tool, args)).json ?? {};
    } catch (error) {
      if (!(error instanceof DesktopError) || isFatal(error)) throw error;
      const wait = error.code === 'rate_limited' ? error.details?.retryAfterMs : undefined;
      if (typeof wait !== 'number' || wait > MAX_WAIT_MS) return error;
      onWait(wait);
      await pause(wait, undefined, { signal });
    }
  }
}
