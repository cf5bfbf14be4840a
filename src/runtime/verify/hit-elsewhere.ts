import type { DesktopError } from '../../shared/index.js';
import {
  centre,
  contains,
  describeElement,
  describeTarget,
  displayName,
  type Element,
  ITEM_ROLES,
  type Role,
  TEXT_FIELD_ROLES,
} from '../../tree/index.js';
import type { ActionPlan, ActionReport } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { FinalActError } from '../request/act-errors.js';
import type { CallView } from '../visibility/call-view.js';
import { findSame, type ObservedChanges, targetAfter, type UiState } from './ui-changes.js';

/** In these a click moves the focus to the element itself. An app often moves it on from a button. */
const FOCUSED_BY_CLICK: ReadonlySet<Role> = new Set([...ITEM_ROLES, ...TEXT_FIELD_ROLES, 'tab'] as Role[]);

/**
 * An app can reorder itself between the last check and its handling of the press; no check from outside prevents that.
 * The error if the effect of a click shows on another element of the target's kind (selected, focused, toggled, opened),
 * and the target shows none. Undefined if the target itself shows an effect, or none is seen.
 */
export function hitElsewhere(
  desktop: CallView,
  { target, verb }: ActionPlan,
  { method, clicks }: ActionReport,
  before: UiState,
  outcome: ObservedChanges,
): DesktopError | undefined {
  if (!target || method !== 'input' || !clicks || outcome.redacted) return undefined;
  const hit = hitInstead(target, before, outcome);
  if (!hit) return undefined;
  desktop.refs.markSeen(hit, outcome.after.snapshot.id);
  const message = `The ${verb} was for ${describeTarget(target)}, but its effect shows on ${describeElement({ ...hit, name: displayName(hit) })}.`;
  return new FinalActError('target_changed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: `The app changed while it handled the press. Run ui_snapshot ${target.window.ref} before you repeat it.`,
    details: { hit: hit.ref },
  });
}

/** They press the target by its accessibility action. */
const PRESSING: ReadonlySet<string> = new Set(['check', 'click', 'invoke', 'select', 'toggle', 'uncheck']);

/**
 * Why it is unknown what was pressed: the items around the target moved while the app handled the press, and the target
 * has another name or is gone now, or no item in view shows an effect. Then an item that is out of view may have been hit.
 */
export function hitUnknown(
  { target, verb }: ActionPlan,
  { method, clicks }: ActionReport,
  before: UiState,
  outcome: ObservedChanges,
): string | undefined {
  const isPress = method === 'input' ? clicks : method === 'pattern' && PRESSING.has(verb);
  if (!target || !isPress || outcome.redacted) return undefined;
  const { element, path } = target;
  const chain = [...path, element];
  const was = findSame(before, element.ref) ?? element;
  const around = chain.flatMap((part, at) => {
    if (at === 0 || !ITEM_ROLES.has(part.role)) return [];
    const old = findSame(before, part.ref) ?? part;
    const { now, list } = compare(chain[at - 1]!.ref, old, before, outcome);
    return list?.sameSize && hasMoved(list.was, list.now, old) ? [{ part, now }] : [];
  });
  const here = targetAfter(outcome, element.ref);
  const isOther = here?.name !== was.name;
  if (isOther && around.length > 0 && !ITEM_ROLES.has(element.role))
    return 'the rows changed while the app handled the press, so it is unknown in which of them it was';
  const own = around.find(({ part }) => part === element);
  if (!own || method !== 'input' || was.states.selected !== false) return undefined;
  if (own.now && showsEffect(was, own.now)) return undefined;
  return 'the items moved while the app handled the click, and none in view shows its effect';
}

/** The other element that the click reached. For a part of a row, the row counts. */
function hitInstead(target: Target, before: UiState, outcome: ObservedChanges): Element | undefined {
  const { element, path } = target;
  const chain = [...path, element];
  const compared = chain.flatMap((part, at) => {
    if (at === 0 || (part !== element && !ITEM_ROLES.has(part.role))) return [];
    const was = findSame(before, part.ref) ?? part;
    return [{ was, ...compare(chain[at - 1]!.ref, was, before, outcome) }];
  });
  if (compared.some(({ was, now }) => now && showsEffect(was, now))) return undefined;
  for (const { was, now, list } of compared) {
    const hit = (list && hitSibling(list, was, now, element)) ?? exchanged(was, before, outcome)?.hit;
    if (hit) return hit;
  }
  return undefined;
}

/** The children of the target's container that have its role, before and after. */
interface Siblings {
  was: Element[];
  now: Element[];
  /** As many items as before, also out of view. */
  sameSize: boolean;
}

/**
 * The element after the act by what it means, not by its identity: apps use the same widget for another row, and another
 * widget for the same row. Undefined if it is not there.
 */
function compare(
  container: string,
  part: Element,
  before: UiState,
  outcome: ObservedChanges,
): { now?: Element | undefined; list?: Siblings } {
  const swapped = exchanged(part, before, outcome);
  const now = swapped ? swapped.target : targetAfter(outcome, part.ref);
  const [was, is] = [findSame(before, container), findSame(outcome.after, container)];
  if (!was || !is) return { now };
  const ofKind = ({ children }: Element): Element[] => children.filter(({ role }) => role === part.role);
  const list = { was: ofKind(was), now: ofKind(is), sameSize: size(was) === size(is) };
  return { now: now ?? sameLabel(list.now, part), list };
}

/** Their names do not follow their state, as those of buttons do ("Mute", "Unmute"). */
const NAMED_FOR_GOOD: ReadonlySet<Role> = new Set(['checkbox', 'radio']);

/**
 * The target has taken the name of another element of its kind, and that one, or a third one, has the target's name.
 * Chromium reports the new name of a check box only when its state changes too: the other one seems to keep its name.
 */
function exchanged(
  part: Element,
  before: UiState,
  outcome: ObservedChanges,
): { target: Element | undefined; hit: Element | undefined } | undefined {
  const now = targetAfter(outcome, part.ref);
  if (!now?.name || now.name === part.name) return undefined;
  const isOther = ({ role, name, ref }: Element, called?: string): boolean =>
    role === part.role && name === called && ref !== part.ref;
  const former = every(before).find((one) => isOther(one, now.name));
  const target = every(outcome.after).find((one) => isOther(one, part.name));
  if (!former || !(target || NAMED_FOR_GOOD.has(part.role))) return undefined;
  // The new state may follow later than the focus, which a click gives to the check box that it reaches.
  const focused = NAMED_FOR_GOOD.has(part.role) && now.states.focused === true && former.states.focused !== true;
  return { target, hit: focused || gains(former, now) ? now : undefined };
}

function hitSibling(
  { was, now, sameSize }: Siblings,
  part: Element,
  itself: Element | undefined,
  clicked: Element,
): Element | undefined {
  // Of two with the same text, the identity says which one the target was, if it is still there.
  const isKnown = itself?.ref === part.ref || label(part) === '';
  const others = now.filter((one) => one !== itself && !labels(one, part) && (isKnown || label(one) !== label(part)));
  const moved = hasMoved(was, now, part);
  const lostSelection = was.some((one) => one.states.selected && !formerOf(one, now)?.states.selected);
  // If the target disappeared from its list and the rest stayed, the click did that, or gave it another name.
  if (!itself && !(moved && sameSize)) return undefined;
  for (const one of others) {
    const old = formerOf(one, was);
    const hit = gains(old, one) ? one : moved && sameSize ? focusInside(old, one, clicked) : undefined;
    if (!hit || isDeeper(one, part)) continue;
    if (itself && old) return hit;
    // An item that was out of view may have been selected before.
    if (isAt(one, clicked) || (sameSize && (lostSelection || hit.states.focused))) return hit;
  }
  return undefined;
}

const size = ({ items, children }: Element): number => items?.total ?? children.length;

const label = (element: Element): string => displayName(element);

const sameLabel = (all: readonly Element[], { role, ...rest }: Element): Element | undefined => {
  const name = label({ role, ...rest });
  const found = name ? all.filter((one) => one.role === role && label(one) === name) : [];
  return found.length === 1 ? found[0] : undefined;
};

/** The same item in an earlier or later list: by its text, else by its identity. */
const formerOf = (one: Element, all: readonly Element[]): Element | undefined =>
  sameLabel(all, one) ?? all.find((other) => other.ref === one.ref && label(other) === label(one));

const labels = (one: Element, other: Element): boolean => one.labelId === other.id || other.labelId === one.id;

/** A click on a branch may choose the first of its leaves. */
const isDeeper = (one: Element, than: Element): boolean => (one.level ?? 0) > (than.level ?? 0);

function isAt({ bounds: its }: Element, { bounds, clickPoint }: Element): boolean {
  const at = clickPoint ?? (bounds && centre(bounds));
  return at !== undefined && its !== undefined && contains(its, at);
}

/** Whether other items than the target left the view or changed their order. */
function hasMoved(was: readonly Element[], now: readonly Element[], part: Element): boolean {
  const own = shownText(part);
  const texts = now.map(shownText);
  const places = was
    .map(shownText)
    .filter((text) => text !== own)
    .map((text) => texts.indexOf(text));
  return places.some((place, index) => place < 0 || (index > 0 && place <= places[index - 1]!));
}

/** Rows without a name are known by the texts in them. */
const shownText = (one: Element): string => label(one) || one.children.map(shownText).join(' ');

/** The control of the clicked kind in another row, if it has got the focus. */
function focusInside(old: Element | undefined, row: Element, { role }: Element): Element | undefined {
  const find = (element: Element): Element | undefined =>
    element.role === role && element.states.focused ? element : firstOf(element.children, find);
  return old && find(old) ? undefined : firstOf(row.children, find);
}

function firstOf<T>(all: readonly T[], find: (one: T) => T | undefined): T | undefined {
  for (const one of all) {
    const found = find(one);
    if (found) return found;
  }
  return undefined;
}

function every({ snapshot }: UiState): Element[] {
  const within = (element: Element): Element[] => [element, ...element.children.flatMap(within)];
  return snapshot.roots.flatMap(within);
}

/** Whether it is selected, focused or open now and was not, or was toggled. */
function gains(old: Element | undefined, now: Element): boolean {
  const [was, is] = [old?.states, now.states];
  if (is.selected === true && was?.selected !== true) return true;
  if (is.focused === true && was?.focused !== true && FOCUSED_BY_CLICK.has(now.role)) return true;
  if (was === undefined) return false;
  return was.checked !== is.checked || was.pressed !== is.pressed || (was.expanded === false && is.expanded === true);
}

/** Whether the click did anything to the element or to what is in it. That it lost focus or selection is no effect. */
function showsEffect(was: Element, now: Element): boolean {
  if (now.states.selected === true || now.states.focused === true) return true;
  if (gains(was, now) || was.states.expanded !== now.states.expanded || was.states.enabled !== now.states.enabled)
    return true;
  if (was.name !== now.name || was.value !== now.value) return true;
  return now.children.some((child) => {
    const old = was.children.find(({ ref }) => ref === child.ref);
    return old ? showsEffect(old, child) : child.states.focused === true;
  });
}
