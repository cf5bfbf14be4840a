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

/** Everything known when an act has ended. */
export interface Facts {
  plan: ActionPlan;
  report: ActionReport;
  before: UiState;
  outcome: ObservedChanges;
  readBack: 'same' | undefined;
  actor: Actor;
  began: number;
  settledMs: number;
  /** Events during the act, whether or not the act caused them. */
  events: DesktopEvent[];
  verdict?: VerifyOutcome;
  /** Why it is unknown whether the act was completed, whatever changed. */
  reason?: string;
  /** Another caller acted before the post-condition was decided. */
  othersActed?: true;
  /** A newer window list than the one in `outcome`. */
  windows?: readonly WindowInfo[];
}

/** The result that the caller gets. */
export function resultOf(desktop: CallView, facts: Facts): RenderableActResult {
  const { plan, report, before, outcome, readBack, actor, began, settledMs, verdict, events } = facts;
  const { method, by, detail, unobservable } = report;
  const ref = plan.target?.element.ref;
  const seenToChange = outcome.changed === 'no' && unobservable ? 'unknown' : outcome.changed;
  const stack = report.stacks && plan.window && stackingChanged(before.windows, outcome.after.windows, plan.window.ref);
  const changed = report.changed || stack ? 'yes' : seenToChange;
  const confirmed = verdict
    ? verdict.answer === 'satisfied' && !facts.othersActed
    : readBack === 'same' || report.confirmed === true;
  const good = confirmed || (changed === 'yes' && verdict?.answer !== 'unknown' && facts.reason === undefined);
  const reason =
    (verdict?.answer === 'unknown' ? verdict.reason : undefined) ??
    facts.reason ??
    outcome.reason ??
    (changed === 'unknown' ? unobservable : undefined);
  const described = describeChanges(desktop, {
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
    ...targetOf(plan, outcome.redacted),
    ...(plan.target &&
      !outcome.redacted && { before: seen(findSame(before, plan.target.element.ref) ?? plan.target.element) }),
    ...(now && !outcome.redacted && { after: seen(now) }),
    changed,
    // Window changes, launches and the clipboard report this in `detail`.
    ...(method && attentionChange(before.windows, facts.windows ?? outcome.after.windows)),
    ...(reason && { reason }),
    ...(verdict && { postcondition: verdict.answer }),
    ...(readBack && { readBack }),
    delivered: actor.delivered,
    ...(detail !== undefined && { detail }),
    ...(report.read !== undefined && { read: report.read }),
    ...described,
    events: events.filter(({ element }) => !outcome.redacted || !element),
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

function targetOf(
  { target, window }: ActionPlan,
  redacted?: true,
): { resolvedTarget?: ResolvedTarget; window?: string } {
  if (!target) return window ? { window: window.ref } : {};
  const { ref, id, role, bounds } = target.element;
  const name = redacted ? undefined : target.element.name;
  const resolvedTarget = {
    ...{ ref, id, role, window: target.window.ref },
    ...(name !== undefined && { name }),
    ...(bounds && { bounds }),
    confidence: target.confidence ?? 1,
    why: (redacted ? undefined : target.reasons) ?? ['by identity'],
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
  /** The changes as diff lines. App text in them is quoted. */
  changes: string[];
  /** Windows opened or closed, or there are more than a few lines: the text puts the lines between markers. */
  wide: boolean;
}

interface ChangesToRender {
  diff: SnapshotDiff;
  /** Windows opened or closed. */
  windows: boolean;
  focus?: Element;
  caret?: MovedCaret;
  /** Ref of the act's target. Details that the first line of the answer already contains are omitted. */
  target?: string;
}

/** Renders the changes as lines. The caller knows the listed elements by these refs from then on. */
export function describeChanges(
  desktop: CallView,
  { diff, windows, focus: given, caret, target }: ChangesToRender,
): RenderedChanges {
  const limits = { maxLines: MOST_LINES, maxTokens: MOST_TOKENS, newsFirst: true };
  const rendered = renderChanges(diff, { ...limits, ...(target !== undefined && { target }) });
  const there = rendered.listed.filter(({ kind }) => kind !== 'gone').map(({ element }) => element);
  const focus = there.some((one) => one.ref === given?.ref) ? undefined : given;
  for (const element of rendered.listed.map((one) => one.element).concat(focus ?? [], caret?.element ?? []))
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

/** How long a list may take to close after an item was chosen, and how often we check. */
const CLOSES_MS = 600;
const POLL_MS = 40;

/** How an act changed which window has the user's attention. The values are window refs. */
export interface AttentionChange {
  /** Has keyboard focus now and did not have it before. */
  activated?: string;
  /** A menu or list that opened. It keeps pointer and keyboard until it is closed. */
  menu?: string;
}

export function attentionChange(before: readonly WindowInfo[], now: readonly WindowInfo[]): AttentionChange {
  const shown = new Set(before.filter(({ visible }) => visible).map(({ id }) => id));
  const active = now.find((window) => window.active);
  const menu = now.find((window) => window.menu && window.visible && !shown.has(window.id));
  const isNew = active && before.find((window) => window.active)?.id !== active.id;
  return { ...(isNew && { activated: active.ref }), ...(menu && { menu: menu.ref }) };
}

interface Settled {
  windows: readonly WindowInfo[];
  /** Why it is unknown whether the list is still open. `windows` does not contain the list then. */
  reason?: string;
}

/** Waits until the list that an item was chosen from has closed. Apps set the value before they close the list. */
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
    await pause(POLL_MS);
    try {
      now = await windows();
    } catch (error) {
      // The act is done and verified. Only whether its list has closed is unknown, and the result says so.
      const reason = `it is unknown whether ${menu} has closed: ${uncertaintyReason(error)}`;
      return { windows: now.filter(({ ref }) => ref !== menu), reason };
    }
  }
}
