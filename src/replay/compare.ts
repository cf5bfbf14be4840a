import { CUT_MARK, DesktopError } from '../shared/index.js';
import type { StepOutcome } from './plan.js';

/** One fact that differs from the log. */
export interface Difference {
  what: 'role' | 'name' | 'window' | 'method' | 'delivered' | 'status' | 'changed' | 'verify';
  then: string;
  now: string;
}

interface Comparison {
  /** The step had a different result: the steps after it would act on something else. */
  differences: Difference[];
  /** The result is better than recorded, or was unknown then: worth reporting, but no reason to stop. */
  better: Difference[];
}

/** The log puts marks in these quotes in place of redacted text. */
const REDACTED = /‹[^‹›]{1,100}›/;

/** The part of a tool's result that the log also records. `titleOf` returns a window's title by its ref. */
export function outcomeOf(
  answer: Record<string, unknown> | DesktopError,
  titleOf: (ref: string) => string | undefined = () => undefined,
): StepOutcome {
  if (answer instanceof DesktopError) {
    const { code, delivered, details } = answer;
    // An act that was performed but missed its post-condition carries its whole result.
    const known = isObject(details?.result) ? outcomeOf(details.result, titleOf) : {};
    const unmet = code === 'verify_failed' && 'status' in known;
    return { ...known, status: 'failed', error: code, delivered, ...(unmet && { postcondition: 'unsatisfied' }) };
  }
  const text = (key: string): string | undefined => (typeof answer[key] === 'string' ? answer[key] : undefined);
  const { role, name, window } = isObject(answer.resolvedTarget) ? answer.resolvedTarget : {};
  const ref = typeof window === 'string' ? window : text('window');
  const title = ref === undefined ? undefined : titleOf(ref);
  const target = {
    ...(typeof role === 'string' && { role }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(title && { window: title }),
  };
  return {
    ...(Object.keys(target).length > 0 && { target }),
    status: text('status') ?? 'ok',
    ...Object.fromEntries(
      ['method', 'changed', 'delivered', 'postcondition'].flatMap((key) => (text(key) ? [[key, text(key)]] : [])),
    ),
    ...(typeof answer.durationMs === 'number' && { ms: answer.durationMs }),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

type FoundTarget = NonNullable<StepOutcome['target']>;

/** How the target differs from the recorded one. A window is compared only if both titles are known. */
export function targetDifferences(then: FoundTarget = {}, now: FoundTarget = {}): Difference[] {
  const out: Difference[] = [];
  const differs = (what: 'role' | 'name' | 'window'): void => {
    if (!sameText(then[what], now[what])) out.push({ what, then: then[what] ?? 'none', now: now[what] ?? 'none' });
  };
  differs('role');
  differs('name');
  if (then.window !== undefined && now.window !== undefined) differs('window');
  return out;
}

/** Compares the outcome of a step with the recorded one. */
export function compareOutcomes(then: StepOutcome, now: StepOutcome): Comparison {
  const out: Comparison = { differences: [], better: [] };
  const graded = (what: Difference['what'], was: string | undefined, is: string | undefined, best: string): void => {
    if (was === undefined || is === undefined || was === is) return;
    const list = was !== best && (is === best || was === 'unknown') ? out.better : out.differences;
    list.push({ what, then: was, now: is });
  };
  // A target that was not found has no role or name; its error is more useful.
  if (now.target || now.error === undefined) {
    out.differences.push(...targetDifferences(then.target, now.target));
    if (then.method !== now.method && (now.method !== undefined || now.error === undefined))
      out.differences.push({ what: 'method', then: then.method ?? 'none', now: now.method ?? 'none' });
  }
  graded('status', then.error ?? then.status, now.error ?? now.status, 'ok');
  graded('delivered', then.delivered, now.delivered, 'yes');
  graded('changed', then.changed, now.changed, 'yes');
  graded('verify', then.postcondition, now.postcondition, 'satisfied');
  return out;
}

/** Whether a recorded text can be this one: the log may have truncated or redacted it. */
export function sameText(then: string | undefined, now: string | undefined): boolean {
  if (then === undefined || now === undefined) return then === now;
  if (REDACTED.test(then)) return true;
  const clean = now.replace(/\p{Surrogate}/gu, '\ufffd');
  return then === clean || (CUT_MARK.test(then) && clean.startsWith(then.replace(CUT_MARK, '')));
}
