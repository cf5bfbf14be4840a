import { DesktopError } from '../shared/index.js';
import type { Ended } from './replay-plan.js';

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
const CUT = /…(\(\+\d+\))?$/;
const LEFT_OUT = /‹[^‹›]{1,100}›/;

/** What a tool answered, as far as it is in the log too. `titleOf` tells a window's title by its ref. */
export function endedNow(
  answer: Record<string, unknown> | DesktopError,
  titleOf: (ref: string) => string | undefined = () => undefined,
): Ended {
  if (answer instanceof DesktopError) {
    const { code, delivered, details } = answer;
    // What was done and did not bring what it was for is told whole.
    const known = isObject(details?.result) ? endedNow(details.result, titleOf) : {};
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

/** What came of a step against what came of it then. */
export function compareEnds(then: Ended, now: Ended): Comparison {
  const out: Comparison = { differences: [], better: [] };
  const differs = (what: Difference['what'], was: string | undefined, is: string | undefined): void => {
    if (was !== is) out.differences.push({ what, then: was ?? 'none', now: is ?? 'none' });
  };
  const graded = (what: Difference['what'], was: string | undefined, is: string | undefined, best: string): void => {
    if (was === undefined || is === undefined || was === is) return;
    const list = was !== best && (is === best || was === 'unknown') ? out.better : out.differences;
    list.push({ what, then: was, now: is });
  };
  // What was not found has no role or name, and its error says more.
  if (now.target || now.error === undefined) {
    differs('role', then.target?.role, now.target?.role);
    if (!sameText(then.target?.name, now.target?.name)) differs('name', then.target?.name, now.target?.name);
    const { window } = now.target ?? {};
    if (window !== undefined && then.target?.window !== undefined && !sameText(then.target.window, window))
      differs('window', then.target.window, window);
    if (now.method !== undefined || now.error === undefined) differs('method', then.method, now.method);
  }
  graded('status', then.error ?? then.status, now.error ?? now.status, 'ok');
  graded('delivered', then.delivered, now.delivered, 'yes');
  graded('changed', then.changed, now.changed, 'yes');
  graded('verify', then.postcondition, now.postcondition, 'satisfied');
  return out;
}

function sameText(then: string | undefined, now: string | undefined): boolean {
  if (then === undefined || now === undefined) return then === now;
  if (LEFT_OUT.test(then)) return true;
  const clean = now.replace(/\p{Surrogate}/gu, '\ufffd');
  return then === clean || (CUT.test(then) && clean.startsWith(then.replace(CUT, '')));
}
