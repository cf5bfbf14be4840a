import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, quote } from '../../tree/index.js';
import type { ActionPlan, ActionReport } from '../act/action.js';
import { focusMovedTo, describeFocus } from '../actionability/keyboard-focus.js';
import type { CallView } from '../visibility/call-view.js';
import { readAgain, type Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { type Expected, compareText } from './typed-text.js';
import { type ObservedChanges, findSame, type UiState, targetAfter } from './ui-changes.js';

/** How long a slow app may take to process typed text. */
const SLOW_MS = 1_000;
const AGAIN_MS = 50;
const IN_COMBO = 500;
const SHORT = 200;

interface ReadBack {
  same?: true;
  /** The text was incomplete at first. Earlier snapshots are out of date. */
  late?: true;
  /** Why it is unknown whether all of the text arrived. */
  reason?: string;
}

/** The UI before and after the act. */
interface Seen {
  before: UiState;
  outcome: ObservedChanges;
}

/** Compares the current value with the requested one. A difference is a failure: the act did not do what it reports. */
export async function readBackValue(
  reader: Reader,
  plan: ActionPlan,
  report: ActionReport,
  { before, outcome }: Seen,
  deadline: Deadline,
  /** The error to throw if the target no longer exists; undefined if that is not a failure. */
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
      return now && isChosen(now) ? { ...late, reason: 'the app does not expose which item is selected' } : late;
    }
    const how = compareText(expected, there);
    if (how === 'same' && 'value' in expected) {
      const shown = await shownInstead(reader, target, now!, expected.value);
      return shown === undefined
        ? { ...late, same: true }
        : { ...late, reason: `its value is as requested, but it displays ${shown}` };
    }
    if (how !== 'different') return late;
    // A stop or abort is not evidence of a wrong value: the app may still be processing the text.
    if (deadline.signal?.aborted) deadline.throwIfOver('Reading it back');
    if (end.over) throw await differentValueError(reader, plan, report, there);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    now = (await reader.target(target.element.ref).catch(ifGone))?.element;
  }
}

/** The caller checks next what disappeared and what that means. */
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
  // A web page exposes the shown value as a child of the combo box. Snapshots omit it while it is off-screen.
  return (await reader.target(now.ref, undefined, { full: true, maxNodes: IN_COMBO })).element.value;
}

const PLAIN_NUMBER = /^[-−]?[\d.,]+$/;

/** The displayed text of a spin button if it differs from its value: it rounds to its number of digits. Quoted. */
async function shownInstead(
  reader: Reader,
  target: Target,
  now: Element,
  value: string | number,
): Promise<string | undefined> {
  if (now.role !== 'spinbutton' || typeof value !== 'number') return undefined;
  const text = (await reader.wholeText({ ...target, element: now }).catch(ifGone))?.trim();
  // Dates, units and other text are not interpreted.
  if (text === undefined || !PLAIN_NUMBER.test(text)) return undefined;
  const plain = text.replace('−', '-');
  const readings = [plain.replaceAll(',', ''), plain.replaceAll('.', '').replace(',', '.')];
  return readings.some((one) => Number(one) === value) ? undefined : quote(text);
}

/** A snapshot contains short texts completely, so a text that matches exactly needs no second read. */
const isWhole = (value: Element['value'], expected: Expected): value is string =>
  typeof value === 'string' && value.length <= SHORT && 'value' in expected && value === expected.value;

/** A combo box exposes the selected item as its value. Its text differs or is missing unless the box is editable. */
function isChosen({ role, states }: Element): boolean {
  return role === 'combobox' && !states.editable;
}

/** Typed by mouse and keyboard, which go to the focused element. A spin button loses the focus at the end, to commit its number. */
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
  const message = `${verb} ${ref} was done (by ${method}), but it holds a different value now${focus}.`;
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

/** A field may pass the focus on once it has the whole secret. If another field changed, part of the secret went there. */
async function whereSecretIs(reader: Reader, target: Target, { before, outcome }: Seen): Promise<ReadBack> {
  const moved = await focusMovedTo(reader, target);
  if (!moved) return {};
  const { ref } = moved.element;
  const place = describeFocus(moved, target);
  const [was, is] = [findSame(before, ref), findSame(outcome.after, ref)];
  if (!is || JSON.stringify(was?.value) === JSON.stringify(is.value))
    return { reason: `the focus is at ${place} now, and it is unknown whether the whole text was entered before that` };
  throw new DesktopError('target_changed', `The focus left ${target.element.ref} before the end, for ${place}.`, {
    delivered: 'yes',
    retry: 'no',
    hint: `part of the text went there. Clear both fields with ui_set_value "".`,
  });
}

/**
 * Fails an act that requests a state if the target ends up in another state. An act without any effect is reported
 * elsewhere; but a target that was `mixed` and still is may have changed underneath, as in GTK 3.
 */
export async function assertRequestedState(
  desktop: CallView,
  plan: ActionPlan,
  { instead, method }: ActionReport,
  outcome: ObservedChanges,
  deadline: Deadline,
): Promise<void> {
  const { target } = plan;
  if (!instead || !target || outcome.redacted) return;
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
    hint: 'do not repeat it. Run ui_snapshot to see the current state.',
    details: { untrusted: { states } },
  });
}
