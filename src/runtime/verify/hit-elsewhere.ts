import type { DesktopError } from '../../shared/index.js';
import {
  centre,
  contains,
  describeElement,
  describeTarget,
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
 * The error if the effect of a click shows on another element of the target's kind in the same container (selected,
 * focused, toggled), and the target shows none. Undefined if the target itself shows an effect, or none is seen.
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
  const message = `The ${verb} was for ${describeTarget(target)}, but its effect shows on ${describeElement(hit)}.`;
  return new FinalActError('target_changed', message, {
    delivered: 'yes',
    retry: 'no',
    hint: `The app changed while it handled the press. Run ui_snapshot ${target.window.ref} before you repeat it.`,
    details: { hit: hit.ref },
  });
}

/** The other element that the click reached. For a part of a row, the row counts. */
function hitInstead(target: Target, before: UiState, outcome: ObservedChanges): Element | undefined {
  const { element, path } = target;
  const chain = [...path, element];
  for (const [at, part] of chain.entries()) {
    if (at === 0 || (part !== element && !ITEM_ROLES.has(part.role))) continue;
    const [was, now] = [findSame(before, part.ref) ?? part, targetAfter(outcome, part.ref)];
    if (now && showsEffect(was, now)) return undefined;
  }
  for (const [at, part] of chain.entries()) {
    const container = at > 0 && (part === element || ITEM_ROLES.has(part.role)) ? chain[at - 1]! : undefined;
    const hit = container && hitSibling(container.ref, part, element, before, outcome);
    if (hit) return hit;
  }
  return undefined;
}

function hitSibling(
  container: string,
  part: Element,
  { bounds, clickPoint }: Element,
  before: UiState,
  outcome: ObservedChanges,
): Element | undefined {
  const [was, now] = [findSame(before, container), findSame(outcome.after, container)];
  if (!was || !now) return undefined;
  const others = now.children.filter((one) => one.role === part.role && one.ref !== part.ref && !labels(one, part));
  if (targetAfter(outcome, part.ref)) {
    return others.find((one) => {
      const old = was.children.find(({ ref }) => ref === one.ref);
      return old && !isDeeper(one, part) && gains(old, one);
    });
  }
  // The list was built again, with as many items: another one is in the place that was clicked, and has the effect. If
  // the target disappeared from its list, the click did that.
  if (size(was) !== size(now)) return undefined;
  const at = clickPoint ?? (bounds && centre(bounds));
  const there = others.find((one) => at && one.bounds && contains(one.bounds, at));
  const isNew = there && !was.children.some(({ ref }) => ref === there.ref);
  return isNew && there.name !== part.name && gains(undefined, there) ? there : undefined;
}

const size = ({ items, children }: Element): number => items?.total ?? children.length;

const labels = (one: Element, other: Element): boolean => one.labelId === other.id || other.labelId === one.id;

/** A click on a branch may choose the first of its leaves. */
const isDeeper = (one: Element, than: Element): boolean => (one.level ?? 0) > (than.level ?? 0);

/** Whether it is selected or focused now and was not, or was toggled. */
function gains(old: Element | undefined, now: Element): boolean {
  const [was, is] = [old?.states, now.states];
  if (is.selected === true && was?.selected !== true) return true;
  if (is.focused === true && was?.focused !== true && FOCUSED_BY_CLICK.has(now.role)) return true;
  return was !== undefined && (was.checked !== is.checked || was.pressed !== is.pressed);
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
