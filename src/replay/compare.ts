import { DesktopError } from '../shared/index.js';
import type { StepOutcome } from './plan.js';

/** One thing that is not as it was. */
export interface Difference {
  what: 'role' | 'name' | 'window' | 'method' | 'delivered' | 'status' | 'changed' | 'verify';
  then: string;
  now: string;
}

export interface Comparison {
  /** The step went another way: what follows would be done to something else. */
  differences: Difference[];
  /** Went better than it was seen to go then, or could not be told then: worth knowing, no reason to stop. */
  better: Difference[];
}

/** The log ends a long text so; what stands in its own quotes was left out of it. */
const TRUNCATION_MARK = /…\(\+\d+\)$/;
const REDACTED = /‹[^‹›]{1,100}›/;

/** What a tool answered, as far as it is in the log too. `titleOf` tells a window's title by its ref. */
export function outcomeOf(
  answer: Record<string, unknown> | DesktopError,
  titleOf: (ref: string) => string | undefined = () => undefined,
): StepOutcome {
  if (answer instanceof DesktopError) {
    const { code, delivered, details } = answer;
    // What was done and did not bring what it was for is told whole.
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

/** In what another thing was found than then. A window whose title nobody knows is not compared. */
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

/** What came of a step against what came of it then. */
export function compareOutcomes(then: StepOutcome, now: StepOutcome): Comparison {
  const out: Comparison = { differences: [], better: [] };
  const graded = (what: Difference['what'], was: string | undefined, is: string | undefined, best: string): void => {
    if (was === undefined || is === undefined || was === is) return;
    const list = was !== best && (is === best || was === 'unknown') ? out.better : out.differences;
    list.push({ what, then: was, now: is });
  };
  // What was not found has no role or name, and its error says more.
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

/** Whether a text of the log can be this one: it may be cut there, or left out. */
export function sameText(then: string | undefined, now: string | undefined): boolean {
  if (then === undefined || now === undefined) return then === now;
  if (REDACTED.test(then)) return true;
  const clean = now.replace(/\p{Surrogate}/gu, '\ufffd');
  return then === clean || (TRUNCATION_MARK.test(then) && clean.startsWith(then.replace(TRUNCATION_MARK, '')));
}
