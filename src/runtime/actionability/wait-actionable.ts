import { type Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import { describeTarget, type Element, quote, type Role, type WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { findTarget, type Target } from '../locate/target.js';
import { MissingTarget } from './missing-target.js';
import { nextEvent } from './wait-for-event.js';

/** A plan, and the windows as they were when its target was found to be actionable. */
interface Ready {
  plan: ActionPlan;
  windows?: WindowInfo[];
}

interface WaitOptions {
  yieldDuring?: ((wait: () => Promise<void>, deadline: Deadline) => Promise<void>) | undefined;
  failsFast?: true | undefined;
}

/**
 * Resolves the target until it is actionable or `actionableBy` is over. A read that is under way then may still end. Every
 * round resolves again: what was actionable a moment ago may be another element now. Each new reason to wait is an entry
 * in the call log. During a pause, `yieldDuring` lets other callers act. `failsFast`: does not wait for a target that does
 * not exist once the apps that could show it are idle.
 */
export async function waitUntilActionable(
  desktop: CallView,
  plan: () => Promise<ActionPlan>,
  actionableBy: Deadline,
  deadline: Deadline,
  { yieldDuring = (wait) => wait(), failsFast }: WaitOptions = {},
): Promise<Ready> {
  const began = performance.now();
  let missing: MissingTarget | undefined;
  for (;;) {
    const change = nextEvent(desktop);
    try {
      const found = await plan();
      const needsWindows = found.noop === undefined && found.needs.usable && found.window !== undefined;
      const windows = needsWindows ? (await desktop.listWindows(deadline)).windows : undefined;
      const why = windows && (await blockerOf(desktop, found, windows, deadline));
      if (!why) {
        desktop.log.add('step', `resolved ${subjectOf(found)}`);
        return { plan: found, ...(windows && { windows }) };
      }
      desktop.log.add('wait', `${subjectOf(found)} ${why.why}`);
      if (actionableBy.over) throw notActionableInTime(found, why, performance.now() - began);
      await yieldDuring(() => change.orPause(actionableBy), actionableBy);
      if (actionableBy.over) throw notActionableInTime(found, why, performance.now() - began);
    } catch (error) {
      if (!hasTrait(error, 'transient') || error.retry === 'no' || actionableBy.over) throw error;
      missing =
        failsFast && error.code === 'element_not_found' ? (missing ?? new MissingTarget(desktop, began)) : undefined;
      if (await missing?.isFinal(error, deadline)) throw error;
      // The code alone: the message repeats the caller's selector.
      desktop.log.add('wait', `resolving again after ${error.code}`);
      const pause = (): Promise<void> => change.orPause(actionableBy);
      await yieldDuring(missing ? () => missing!.during(pause) : pause, actionableBy);
      missing?.note(change.heard);
      if (actionableBy.over) throw error;
    } finally {
      change.stop();
    }
  }
}

interface Blocker {
  why: string;
  /** What must be done first: `Close w2`, `closing w2`. */
  first?: { hint: string; after: string };
}

async function blockerOf(
  desktop: CallView,
  { target, needs, window }: ActionPlan,
  windows: WindowInfo[],
  deadline: Deadline,
): Promise<Blocker | undefined> {
  if (!window) return undefined;
  if (window.minimised)
    return {
      why: 'is in a minimised window',
      first: { hint: `Restore ${window.ref}`, after: `restoring ${window.ref}` },
    };
  const blocker = modalOver(window, windows);
  if (blocker) {
    const { ref, role, title } = blocker;
    return {
      why: `is behind ${ref} ${role} ${quote(title)}`,
      first: { hint: `Close ${ref}`, after: `closing ${ref}` },
    };
  }
  if (!target) return undefined;
  const dialog = await modalInPage(desktop, target, deadline);
  if (dialog) {
    const { ref, role, name } = dialog;
    desktop.refs.markSeen(dialog, desktop.snapshots.lastId);
    return {
      why: `is behind ${ref} ${role}${name ? ` ${quote(name)}` : ''}`,
      first: { hint: `Close ${ref}`, after: `closing ${ref}` },
    };
  }
  const { states } = target.element;
  if (!states.visible) return { why: 'is hidden' };
  if (!states.enabled) return { why: 'is disabled', ...inClosedMenu(target) };
  if (needs.editable && states.readonly) return { why: 'cannot be edited' };
  return undefined;
}

const MENU_ITEMS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio']);

/** LibreOffice updates which menu items are enabled when the menu opens, and until then exposes the last known state. */
function inClosedMenu({ element, path }: Target): Pick<Blocker, 'first'> {
  if (!MENU_ITEMS.has(element.role) || !element.states.offscreen) return {};
  const menus = path.filter(({ role }) => role === 'menu' || role === 'menuitem');
  // Of nested menus, the visible one can be opened.
  const menu = menus.findLast(({ states }) => !states.offscreen) ?? menus[0];
  const open = menu ? `ui_act expand ${menu.ref}` : 'ui_act expand';
  return { first: { hint: `Open its menu (${open})`, after: `opening ${menu?.ref ?? 'its menu'}` } };
}

/**
 * A modal dialog blocks its owner window until it is closed. One without an owner blocks all windows of its app, except
 * those that it opened and modal dialogs in front of it.
 */
function modalOver(window: WindowInfo, windows: readonly WindowInfo[]): WindowInfo | undefined {
  const place = windows.findIndex(({ ref }) => ref === window.ref);
  const owners = ownersOf(window, windows);
  return windows.find((other, at) => {
    if (!other.modal || !other.visible || other.minimised) return false;
    if (other.of !== undefined) return other.of === window.ref;
    const sameApp = other.pid !== undefined && other.pid === window.pid;
    const later = other.ref === window.ref || (window.modal && place < at) || owners.has(other.ref);
    return sameApp && !later && window.role !== 'popup';
  });
}

function ownersOf(window: WindowInfo, windows: readonly WindowInfo[]): Set<string> {
  const owners = new Set<string>();
  for (let of = window.of; of !== undefined && !owners.has(of);) {
    owners.add(of);
    of = windows.find(({ ref }) => ref === of)?.of;
  }
  return owners;
}

/** `e12 button "Save" in w1`, `w3`; the verb if there is neither an element nor a window. */
function subjectOf({ verb, target, window }: ActionPlan): string {
  if (!target) return window?.ref ?? verb;
  return describeTarget(target);
}

function notActionableInTime(plan: ActionPlan, { why, first }: Blocker, ms: number): DesktopError {
  const waited = ms > 100 ? ` (waited ${Math.round(ms)} ms)` : '';
  return new DesktopError('not_ready', `${subjectOf(plan)} ${why}${waited}.`, {
    ...(first ? { retry: 'after', retryAfter: first.after } : {}),
    hint: first ? `${first.hint} first.` : 'Run ui_snapshot to see why.',
  });
}

/**
 * A modal dialog that a browser shows inside its window, as for a question of a page. Until it is closed the page
 * receives no input, although it still answers reads; tabs and the address bar keep working. Only a direct child of the
 * window counts: an element that a page itself marks as modal does not block the elements next to it.
 */
async function modalInPage(desktop: CallView, target: Target, deadline: Deadline): Promise<Element | undefined> {
  const { element, path, how, window } = target;
  const known = path.length > 0 ? [...path, element] : undefined;
  if (known && !isInPage(known)) return undefined;
  // A selector has just searched the whole window. An element that no snapshot has shown has no path yet.
  const read = known ? { depth: 1 } : {};
  const found = how === 'name' && path[0];
  const top = found || (await findTarget(desktop, window.ref, undefined, deadline, read)).element;
  const dialog = top.children.find(isModal);
  const line = known ?? lineTo(top, element.ref);
  if (!dialog || line?.some(({ ref }) => ref === dialog.ref)) return undefined;
  return !line || isInPage(line) ? dialog : undefined;
}

const isInPage = (line: readonly Element[]): boolean => line.some(({ role }) => role === 'document');

const isModal = ({ role, states }: Element): boolean =>
  (role === 'dialog' || role === 'alertdialog') && states.modal === true && states.visible;

/** The path from the top down to the element; undefined if it is not in this tree. */
function lineTo(top: Element, ref: string): Element[] | undefined {
  if (top.ref === ref) return [top];
  for (const child of top.children) {
    const line = lineTo(child, ref);
    if (line) return [top, ...line];
  }
  return undefined;
}
