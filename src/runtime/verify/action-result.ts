import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../../shared/index.js';
import { type Element, quote, renderChanges, type SnapshotDiff, type WindowInfo } from '../../tree/index.js';
import type {
  ActResult,
  RenderableActResult,
  ActionPlan,
  ActionReport,
  ResolvedTarget,
  ElementState,
} from '../act/action.js';
import type { Actor } from '../act/actor.js';
import type { WaitOutcome as VerifyOutcome } from '../conditions/wait.js';
import type { CallView } from '../visibility/call-view.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import type { MovedCaret } from './focus-changes.js';
import {
  uncertaintyReason,
  type ObservedChanges,
  stackingChanged,
  findSame,
  type UiState,
  targetAfter,
} from './ui-changes.js';

/** All that is known when an act is over. */
export interface Facts {
  aim: ActionPlan;
  deed: ActionReport;
  before: UiState;
  outcome: ObservedChanges;
  readBack: 'same' | undefined;
  actor: Actor;
  began: number;
  settledMs: number;
  /** What happened meanwhile, by the act or not. */
  events: DesktopEvent[];
  verdict?: VerifyOutcome;
  /** Why nobody can say whether it did all that it was for, whatever changed. */
  reason?: string;
  /** A later look at the windows than the outcome's. */
  windows?: readonly WindowInfo[];
}

/** What a caller hears of it. */
export function resultOf(desktop: CallView, facts: Facts): RenderableActResult {
  const { aim: plan, deed: report, before, outcome, readBack, actor, began, settledMs, verdict, events } = facts;
  const { method, by, detail, untold } = report;
  const ref = plan.target?.element.ref;
  const seenToChange = outcome.changed === 'no' && untold ? 'unknown' : outcome.changed;
  const stack = report.stacks && plan.window && stackingChanged(before.windows, outcome.after.windows, plan.window.ref);
  const changed = report.changed || stack ? 'yes' : seenToChange;
  const proved = verdict ? verdict.answer === 'satisfied' : readBack === 'same' || report.confirmed === true;
  const good = proved || (changed === 'yes' && verdict?.answer !== 'unknown' && facts.reason === undefined);
  const reason =
    (verdict?.answer === 'unknown' ? verdict.reason : undefined) ??
    facts.reason ??
    outcome.reason ??
    (changed === 'unknown' ? untold : undefined);
  const told = describeChanges(desktop, {
    diff: outcome.diff,
    windows: outcome.opened.length + outcome.closed.length > 0,
    ...(outcome.focus && { focus: outcome.focus }),
    ...(outcome.caret && { caret: outcome.caret }),
    ...(ref !== undefined && { target: ref }),
  });
  const now = ref === undefined ? undefined : targetAfter(outcome, ref);
  return {
    untrusted: true,
    status: good ? 'ok' : changed === 'no' && !verdict && !reason ? 'no change' : 'unconfirmed',
    verb: plan.verb,
    ...(method && { method }),
    ...(by !== undefined && { by }),
    ...targetOf(plan, outcome.veiled),
    ...(plan.target &&
      !outcome.veiled && { before: seen(findSame(before, plan.target.element.ref) ?? plan.target.element) }),
    ...(now && !outcome.veiled && { after: seen(now) }),
    changed,
    // A window's change, a start and the clipboard say in their own words what became of it.
    ...(method && attentionChange(before.windows, facts.windows ?? outcome.after.windows)),
    ...(reason && { reason }),
    ...(verdict && { postcondition: verdict.answer }),
    ...(readBack && { readBack }),
    delivered: actor.delivered,
    ...(detail !== undefined && { detail }),
    ...(report.read !== undefined && { read: report.read }),
    ...told,
    events: events.filter(({ element }) => !outcome.veiled || !element),
    evidence: { snapshotId: outcome.after.snapshot.id },
    ...stamp(desktop, began),
    settledMs: Math.round(settledMs),
  };
}

export function noopResult(desktop: CallView, plan: ActionPlan, before: UiState, began: number): RenderableActResult {
  return {
    untrusted: true,
    status: 'ok',
    verb: plan.verb,
    ...targetOf(plan),
    ...(plan.target && { before: seen(plan.target.element), after: seen(plan.target.element) }),
    changed: 'no',
    delivered: 'no',
    noop: plan.noop!,
    changes: [],
    wide: false,
    events: [],
    evidence: { snapshotId: before.snapshot.id },
    ...stamp(desktop, began),
    settledMs: 0,
  };
}

function stamp(desktop: CallView, began: number): Pick<ActResult, 'driver' | 'durationMs'> {
  const { kind, name, version } = desktop.driver.describe();
  return { driver: { kind, name, version }, durationMs: Math.round(performance.now() - began) };
}

function targetOf({ target, window }: ActionPlan, veiled?: true): { resolvedTarget?: ResolvedTarget; window?: string } {
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

function seen({ name, value, states }: Element): ElementState {
  return { ...(name !== undefined && { name }), ...(value !== undefined && { value }), states };
}

const MOST_LINES = 10;
const MOST_TOKENS = 150;
const FEW_LINES = 3;

export interface RenderedChanges {
  /** What changed, in the form of a difference; app text in it is quoted. */
  changes: string[];
  /** Windows that opened or closed, or more than a few lines: the lines go between marks. */
  wide: boolean;
}

interface ChangesToRender {
  diff: SnapshotDiff;
  /** Windows opened or closed. */
  windows: boolean;
  focus?: Element;
  caret?: MovedCaret;
  /** The target of the act: what the first line says is left out. */
  target?: string;
}

/** The lines about what changed. Whoever reads them knows these elements by these names from then on. */
export function describeChanges(
  desktop: CallView,
  { diff, windows, focus: given, caret, target }: ChangesToRender,
): RenderedChanges {
  const limits = { maxLines: MOST_LINES, maxTokens: MOST_TOKENS };
  const rendered = renderChanges(diff, { ...limits, ...(target !== undefined && { target }) });
  const there = rendered.told.filter(({ kind }) => kind !== 'gone').map(({ element }) => element);
  const focus = there.some((one) => one.ref === given?.ref) ? undefined : given;
  for (const element of rendered.told.map((one) => one.element).concat(focus ?? [], caret?.element ?? []))
    desktop.refs.markSeen(element, diff.to);
  const changes = [
    ...rendered.lines,
    ...(focus ? [lineOf('focus', focus)] : []),
    ...(caret ? [lineOf(caret.selects ? 'selection' : 'caret', caret.element)] : []),
  ];
  return { changes, wide: changes.length > FEW_LINES || windows };
}

/** `focus: e12 button "Yes"` */
function lineOf(what: 'focus' | 'caret' | 'selection', { ref, role, name, cell }: Element): string {
  const said = cell?.address ?? (name ? quote(name) : undefined);
  return `${what}: ${[ref, role, said].filter(Boolean).join(' ')}`;
}

/** So long a list that was chosen from may take to go, and so often it is looked for. */
const CLOSES_MS = 600;
const LOOK_MS = 40;

/** What an act took of the desktop's attention besides doing its work; refs of windows. */
export interface AttentionChange {
  /** Has the keys now, and had not before. */
  activated?: string;
  /** A menu or list that opened: pointer and keyboard are its own until it is closed. */
  menu?: string;
}

export function attentionChange(before: readonly WindowInfo[], now: readonly WindowInfo[]): AttentionChange {
  const shown = new Set(before.filter(({ visible }) => visible).map(({ id }) => id));
  const active = now.find((window) => window.active);
  const menu = now.find((window) => window.menu && window.visible && !shown.has(window.id));
  const isNew = active && before.find((window) => window.active)?.id !== active.id;
  return { ...(isNew && { activated: active.ref }), ...(menu && { menu: menu.ref }) };
}

export interface Settled {
  windows: readonly WindowInfo[];
  /** Why one cannot tell whether the list is still open; it is not among the windows then. */
  reason?: string;
}

/** The windows once the list that the act chose from has gone: it is still being closed when the value is there already. */
export async function waitForListsClosed(
  before: readonly WindowInfo[],
  seen: readonly WindowInfo[],
  windows: () => Promise<readonly WindowInfo[]>,
  deadline: Deadline,
): Promise<Settled> {
  let now = seen;
  for (const end = deadline.atMost(CLOSES_MS); ;) {
    const { menu } = attentionChange(before, now);
    if (menu === undefined || end.over) return { windows: now };
    await pause(LOOK_MS);
    try {
      now = await windows();
    } catch (error) {
      // The act is done and proved: what is lost is only whether its list has closed, and that is told.
      const reason = `whether ${menu} has closed is not known: ${uncertaintyReason(error)}`;
      return { windows: now.filter(({ ref }) => ref !== menu), reason };
    }
  }
}
