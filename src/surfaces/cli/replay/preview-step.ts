import { setTimeout as pause } from 'node:timers/promises';
import type { CallAnswer } from '../../../host/index.js';
import { DesktopError, type ErrorCode } from '../../../shared/index.js';
import { sameText, targetDifferences, type Difference, type Ended, type PlannedStep } from '../../../replay/index.js';
import type { Arguments } from '../tools/tool-command.js';

export type Look = (tool: string, args: Arguments) => Promise<CallAnswer>;

export interface Ahead {
  /** Not empty: it would be done to something else than then. */
  differences: Difference[];
  target?: Ended['target'];
  /** By their refs, as answers name them; an act may change them. */
  titles: ReadonlyMap<string, string>;
}

interface Window {
  ref: string;
  title: string;
}

/** What is not yet as it was then may be on its way: nobody thinks between the steps of a replay. */
const WITHIN_MS = 3_000;
const EVERY_MS = 150;
const UNKNOWN: Ahead = { differences: [], titles: new Map() };

/** These say nothing of the app: the replay itself cannot go on. */
const OURS: ReadonlySet<ErrorCode> = new Set([
  ...(['cancelled', 'driver_unavailable', 'permission_missing', 'audit_unavailable'] as const),
]);
export const isOurs = ({ code }: DesktopError): boolean => OURS.has(code);

/** What a step would be done to now, found before anything is done: what was meant for another is not done at all. */
export async function lookAhead(look: Look, step: PlannedStep & { do: 'again' }, signal: AbortSignal): Promise<Ahead> {
  const { target } = step.then;
  if (!target) return UNKNOWN;
  const { target: given, from = given, window } = step.args;
  const once = (): Promise<Ahead> =>
    typeof from === 'string' ? byTarget(look, target, { target: from, window }) : byWindow(look, target.window);
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const seen = await once().catch((error: unknown) => {
      if (!(error instanceof DesktopError) || isOurs(error)) throw error;
      // Not there yet, or not to be looked at: the act waits for it, and tells it better.
      return UNKNOWN;
    });
    if (seen.differences.length === 0 || performance.now() > end) return seen;
    await pause(EVERY_MS, undefined, { signal });
  }
}

async function byTarget(look: Look, then: NonNullable<Ended['target']>, args: Arguments): Promise<Ahead> {
  const { json = {} } = await look('ui_describe', args);
  const { element, window } = json as unknown as { element: { role: string; name?: string }; window: Window };
  const target = { role: element.role, ...(element.name && { name: element.name }), window: window.title };
  return { differences: targetDifferences(then, target), target, titles: new Map([[window.ref, window.title]]) };
}

/** Keys and window commands go to a window alone: it has to be there under the name that it had. */
async function byWindow(look: Look, then: string | undefined): Promise<Ahead> {
  const { json = {} } = await look('ui_list_windows', { hidden: true });
  const windows = json.windows as Window[];
  const titles = new Map(windows.map(({ ref, title }) => [ref, title]));
  const isThere = then === undefined || windows.some(({ title }) => sameText(then, title));
  return { differences: isThere ? [] : [{ what: 'window', then, now: 'none' }], titles };
}
