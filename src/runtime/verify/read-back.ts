import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, quote } from '../../tree/index.js';
import type { ActionPlan, ActionReport } from '../act/action.js';
import { focusMovedTo, describeFocus } from '../actionability/keyboard-focus.js';
import type { CallView } from '../visibility/call-view.js';
import { readAgain, type Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { type Expected, compareText } from './typed-text.js';
import { type ObservedChanges, findSame, type UiState, targetAfter } from './ui-changes.js';

/** An app that was slow to take what was typed gets so long to come to its end. */
export const SLOW_MS = 1_000;
export const AGAIN_MS = 50;
const IN_COMBO = 500;
const SHORT = 200;

export interface ReadBack {
  same?: true;
  /** It was not all there at first: what was looked at before that is out of date. */
  late?: true;
  /** Why nobody can say whether all of it is there. */
  reason?: string;
}

/** How things stood, and how they stand. */
interface Seen {
  before: UiState;
  outcome: ObservedChanges;
}

/** What stands there now, against what was to be written. A difference is a failure: the act did not do what it says. */
export async function readBackValue(
  reader: Reader,
  plan: ActionPlan,
  report: ActionReport,
  { before, outcome }: Seen,
  deadline: Deadline,
  /** Why it cannot be read any more, where that is a failure. */
  lost: () => Promise<DesktopError | undefined>,
): Promise<ReadBack> {
  const { target } = plan;
  const { expected } = report;
  if (!expected || !target) return {};
  if (report.hidden) {
    const why = await lost();
    if (why) throw why;
    return isTyped(plan, report) ? whereSecretIs(reader, target, { before, outcome }) : {};
  }
  let now = targetAfter(outcome, target.element.ref);
  const end = deadline.atMost(SLOW_MS);
  for (const late: Pick<ReadBack, 'late'> = {}; ; late.late = true) {
    const there = now && (await textOf(reader, plan, expected, now).catch(ifGone));
    if (there === undefined) {
      const why = await lost();
      if (why) throw why;
      return now && isChosen(now) ? { ...late, reason: 'it does not tell what is chosen in it' } : late;
    }
    const how = compareText(expected, there);
    if (how === 'same' && 'value' in expected) {
      const shown = await shownInstead(reader, target, now!, expected.value);
      return shown === undefined ? { ...late, same: true } : { ...late, reason: `it holds that and shows ${shown}` };
    }
    if (how !== 'otherwise') return late;
    // Who stops has not waited for an app that is on its way.
    if (deadline.signal?.aborted) deadline.throwIfOver('Reading it back');
    if (end.over) throw await differentValueError(reader, plan, report, there);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    now = (await reader.target(target.element.ref).catch(ifGone))?.element;
  }
}

/** Whose end it is, and what that means, is asked at once. */
function ifGone(error: unknown): undefined {
  if (error instanceof DesktopError && (error.code === 'stale_ref' || error.code === 'process_gone')) return undefined;
  throw error;
}

async function textOf(
  reader: Reader,
  { target }: ActionPlan,
  expected: Expected,
  now: Element,
): Promise<string | number | undefined> {
  const itsValue = ('value' in expected && typeof expected.value === 'number') || isChosen(now);
  if (!itsValue) return isWhole(now.value, expected) ? now.value : reader.wholeText({ ...target!, element: now });
  if (now.value !== undefined || !now.states.offscreen) return now.value;
  // What a page shows in its combo box is a part of that, which a look leaves out where it does not show.
  return (await reader.target(now.ref, undefined, { full: true, maxNodes: IN_COMBO })).element.value;
}

const PLAIN_NUMBER = /^[-−]?[\d.,]+$/;

/** A spin button keeps the number that it was given, and shows as much of it as it has digits for. Quoted. */
async function shownInstead(
  reader: Reader,
  target: Target,
  now: Element,
  value: string | number,
): Promise<string | undefined> {
  if (now.role !== 'spinbutton' || typeof value !== 'number') return undefined;
  const text = (await reader.wholeText({ ...target, element: now }).catch(ifGone))?.trim();
  // Dates, units and other words are not for us to understand.
  if (text === undefined || !PLAIN_NUMBER.test(text)) return undefined;
  const plain = text.replace('−', '-');
  const readings = [plain.replaceAll(',', ''), plain.replaceAll('.', '').replace(',', '.')];
  return readings.some((one) => Number(one) === value) ? undefined : quote(text);
}

/** A look tells short texts whole; nobody needs to be asked again for what it has just told word for word. */
const isWhole = (value: Element['value'], expected: Expected): value is string =>
  typeof value === 'string' && value.length <= SHORT && 'value' in expected && value === expected.value;

/** A combo box tells what is chosen as its value; its text is another thing, or none, unless it is a field itself. */
function isChosen({ role, states }: Element): boolean {
  return role === 'combobox' && !states.editable;
}

/** With mouse and keys, which go where the focus is. A spin button is left at the end, so that it takes its number. */
function isTyped({ target }: ActionPlan, { method }: ActionReport): boolean {
  return method === 'input' && target!.element.role !== 'spinbutton';
}

async function differentValueError(
  reader: Reader,
  plan: ActionPlan,
  report: ActionReport,
  there: string | number,
): Promise<DesktopError> {
  const { verb, target } = plan;
  const { method, expected } = report;
  const { ref } = target!.element;
  const moved = isTyped(plan, report) ? await focusMovedTo(reader, target!) : undefined;
  const focus = moved ? `, and the focus is at ${describeFocus(moved, target!)}` : '';
  const message = `${verb} ${ref} was done (by ${method}), but it reads otherwise now${focus}.`;
  return new DesktopError('verify_failed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: moved
      ? `the rest may have gone there: ui_read ${moved.element.ref}, then ui_read ${ref}.`
      : `see what it holds: ui_read ${ref}.`,
    details: {
      expected: 'part' in expected! ? expected.part : expected!.value,
      untrusted: { value: there },
      changes: [`${ref} holds ${quote(String(there))}`],
    },
  });
}

/** It may have passed the focus on as it should, once all was in there; but not when something came in elsewhere. */
async function whereSecretIs(reader: Reader, target: Target, { before, outcome }: Seen): Promise<ReadBack> {
  const moved = await focusMovedTo(reader, target);
  if (!moved) return {};
  const { ref } = moved.element;
  const place = describeFocus(moved, target);
  const [was, is] = [findSame(before, ref), findSame(outcome.after, ref)];
  if (!is || JSON.stringify(was?.value) === JSON.stringify(is.value))
    return { reason: `the focus is at ${place} now, and nobody can say whether all of it went in before that` };
  throw new DesktopError('target_changed', `The focus left ${target.element.ref} before the end, for ${place}.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `some of it went in there: empty both with ui_set_value "".`,
  });
}

/** So long an app may take to come from one state to the next. */

/**
 * An act that names a state has not done what it says when something else came of it. That nothing at all came of it
 * is told anyway; but what was neither on nor off and still is may have changed behind that, as in GTK 3.
 */
export async function assertRequestedState(
  desktop: CallView,
  plan: ActionPlan,
  { instead, method }: ActionReport,
  outcome: ObservedChanges,
  deadline: Deadline,
): Promise<void> {
  const { target } = plan;
  if (!instead || !target || outcome.veiled) return;
  if (outcome.changed === 'no' && !isMixed(target.element)) return;
  let now = targetAfter(outcome, target.element.ref);
  for (const end = deadline.atMost(SLOW_MS); now; now = await readAgain(desktop, target, deadline)) {
    const is = instead(now.states);
    if (is === undefined) return;
    if (end.over) throw differentStateError(plan, method, now, is);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

const isMixed = ({ states: { checked, pressed } }: Element): boolean => (checked ?? pressed) === 'mixed';

function differentStateError(
  { verb }: ActionPlan,
  method: ActionReport['method'],
  { ref, role, states }: Element,
  is: string,
): DesktopError {
  return new DesktopError('verify_failed', `${verb} ${ref} ${role} was done (by ${method}), but it ${is} now.`, {
    delivered: 'yes',
    retry: 'no',
    hint: 'do not repeat it; see what came of it: ui_snapshot.',
    details: { untrusted: { states } },
  });
}
