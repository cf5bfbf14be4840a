import type { Element, WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Happening } from '../event-log.js';
import type { Outcome as VerifyOutcome } from '../wait.js';
import type { Actor } from './actor.js';
import type { Aim, Deed } from './aim.js';
import { sameIn, targetAfter, type Outcome, type Scenery } from './changes.js';
import { restacked } from './restacked.js';
import type { ActResult, ResolvedTarget, Seen } from './result.js';
import { takenBy } from './taken.js';
import { toldChanges } from './told-changes.js';

/** All that is known when an act is over. */
export interface Facts {
  aim: Aim;
  deed: Deed;
  before: Scenery;
  outcome: Outcome;
  readBack: 'same' | undefined;
  actor: Actor;
  began: number;
  settledMs: number;
  /** What happened meanwhile, by the act or not. */
  events: Happening[];
  verdict?: VerifyOutcome;
  /** Why nobody can say whether it did all that it was for, whatever changed. */
  doubt?: string;
  /** A later look at the windows than the outcome's. */
  windows?: readonly WindowInfo[];
}

/** What a caller hears of it. */
export function resultOf(desktop: Desktop, facts: Facts): ActResult {
  const { aim, deed, before, outcome, readBack, actor, began, settledMs, verdict, events } = facts;
  const { method, by, words, untold } = deed;
  const ref = aim.target?.element.ref;
  const seenToChange = outcome.changed === 'no' && untold ? 'unknown' : outcome.changed;
  const stack = deed.stacks && aim.window && restacked(before.windows, outcome.after.windows, aim.window.ref);
  const changed = deed.changed || stack ? 'yes' : seenToChange;
  const proved = verdict ? verdict.answer === 'satisfied' : readBack === 'same' || deed.confirmed === true;
  const good = proved || (changed === 'yes' && verdict?.answer !== 'unknown' && facts.doubt === undefined);
  const doubt =
    (verdict?.answer === 'unknown' ? verdict.reason : undefined) ??
    facts.doubt ??
    outcome.doubt ??
    (changed === 'unknown' ? untold : undefined);
  const told = toldChanges(desktop, {
    diff: outcome.diff,
    windows: outcome.opened.length + outcome.closed.length > 0,
    ...(outcome.focus && { focus: outcome.focus }),
    ...(outcome.caret && { caret: outcome.caret }),
    ...(ref !== undefined && { target: ref }),
  });
  const now = ref === undefined ? undefined : targetAfter(outcome, ref);
  return {
    untrusted: true,
    status: good ? 'ok' : changed === 'no' && !verdict && !doubt ? 'no change' : 'unconfirmed',
    verb: aim.verb,
    ...(method && { method }),
    ...(by !== undefined && { by }),
    ...targetOf(aim, outcome.veiled),
    ...(aim.target &&
      !outcome.veiled && { before: seen(sameIn(before, aim.target.element.ref) ?? aim.target.element) }),
    ...(now && !outcome.veiled && { after: seen(now) }),
    changed,
    // A window's change, a start and the clipboard say in their own words what became of it.
    ...(method && takenBy(before.windows, facts.windows ?? outcome.after.windows)),
    ...(doubt && { doubt }),
    ...(verdict && { postcondition: verdict.answer }),
    ...(readBack && { readBack }),
    delivered: actor.delivered,
    ...(words !== undefined && { words }),
    ...(deed.read !== undefined && { read: deed.read }),
    ...told,
    events: events.filter(({ element }) => !outcome.veiled || !element),
    evidence: { snapshotId: outcome.after.snapshot.id },
    ...stamp(desktop, began),
    settledMs: Math.round(settledMs),
  };
}

export function nothingToDo(desktop: Desktop, aim: Aim, before: Scenery, began: number): ActResult {
  return {
    untrusted: true,
    status: 'ok',
    verb: aim.verb,
    ...targetOf(aim),
    ...(aim.target && { before: seen(aim.target.element), after: seen(aim.target.element) }),
    changed: 'no',
    delivered: 'no',
    already: aim.already!,
    changes: [],
    wide: false,
    events: [],
    evidence: { snapshotId: before.snapshot.id },
    ...stamp(desktop, began),
    settledMs: 0,
  };
}

function stamp(desktop: Desktop, began: number): Pick<ActResult, 'driver' | 'durationMs'> {
  const { kind, name, version } = desktop.driver.describe();
  return { driver: { kind, name, version }, durationMs: Math.round(performance.now() - began) };
}

function targetOf({ target, window }: Aim, veiled?: true): { resolvedTarget?: ResolvedTarget; window?: string } {
  if (!target) return window ? { window: window.ref } : {};
  const { ref, id, role, bounds } = target.element;
  const name = veiled ? undefined : target.element.name;
  const resolvedTarget = {
    ...{ ref, id, role, window: target.window.ref },
    ...(name !== undefined && { name }),
    ...(bounds && { bounds }),
    confidence: target.confidence ?? 1,
    why: (veiled ? undefined : target.reasons) ?? ['by identity'],
  };
  return { resolvedTarget, window: target.window.ref };
}

function seen({ name, value, states }: Element): Seen {
  return { ...(name !== undefined && { name }), ...(value !== undefined && { value }), states };
}
