import { setTimeout as pause } from 'node:timers/promises';
import type { Found } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { PlanOutdatedError } from '../request/act-errors.js';
import {
  type Box,
  describeTarget,
  describeElement,
  centre,
  ITEM_DEPTH,
  ITEM_ROLES,
  plainClickPoint,
  type Point,
  quote,
  type Role,
  roleInText,
  sameBox,
} from '../../tree/index.js';
import type { HitTestResult } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { findTarget, type Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { refuseHidden } from '../visibility/hidden-windows.js';
import { nextEvent } from './wait-for-event.js';

/** Two reads this far apart with the same bounds: the element is stable. */
const STILL_MS = 20;
export const OFF_SCREEN = 'is not on the screen';

/**
 * The click point of the target: it is visible and stable, and the app's hit test returns this element or one inside
 * it. Waits for that; after the deadline the error names the occluder.
 */
export async function findClickPoint(
  desktop: CallView,
  target: Target,
  { actionableBy, deadline }: { actionableBy: Deadline; deadline: Deadline },
  scrollIntoView: (target: Target) => Promise<boolean>,
  checkHit?: HitTargetCheck,
): Promise<{ at: Point; now: Target }> {
  let scrolled = false;
  let brought = false;
  let before = target.element.bounds;
  for (;;) {
    const change = nextEvent(desktop);
    try {
      const now = await findTarget(desktop, target.element.ref, undefined, deadline);
      const { bounds, states } = now.element;
      if ((states.offscreen || !bounds) && !scrolled) {
        scrolled = true;
        brought = await scrollIntoView(now);
        if (brought) {
          desktop.log.add('step', `scrolled ${now.element.ref} into view`);
          continue;
        }
      }
      let why = !states.visible || states.offscreen || !bounds ? OFF_SCREEN : undefined;
      if (target.element.states.enabled && !states.enabled) why = 'is disabled';
      if (!why && bounds) {
        if (!before || !sameBox(before, bounds)) why = 'is moving';
        else {
          const at = await pointOf(desktop, target, now, deadline);
          why = await occluderAt(desktop, now, at, deadline, checkHit);
          // The name and states from the beginning still count.
          if (!why) return { at, now: { ...target, element: { ...target.element, bounds } } };
        }
      }
      before = bounds;
      desktop.log.add('wait', `${describeTarget(now)} ${why ?? 'is not ready'}`);
      if (actionableBy.over) throw notActionable(now, why ?? 'is not ready', brought);
      if (why === 'is moving') await pause(STILL_MS);
      else await change.orPause(actionableBy);
      if (actionableBy.over) throw notActionable(now, why ?? 'is not ready', brought);
    } finally {
      change.stop();
    }
  }
}

/** For an item whose click point is next to the controls in it: the same point, wherever the item is now. */
async function pointOf(desktop: CallView, { element: was }: Target, now: Target, deadline: Deadline): Promise<Point> {
  const { role, ref, clickPoint } = now.element;
  const is = now.element.bounds!;
  if (!ITEM_ROLES.has(role)) return clickPoint ?? centre(is);
  const { bounds, clickPoint: spot, states } = was;
  if (bounds && !states.offscreen && bounds.width === is.width && bounds.height === is.height)
    return spot ? { x: spot.x + is.x - bounds.x, y: spot.y + is.y - bounds.y } : (clickPoint ?? centre(is));
  // It was out of view when the act was planned, so the positions of its controls were unknown.
  const { element } = await findTarget(desktop, ref, undefined, deadline, { depth: ITEM_DEPTH });
  return plainClickPoint(element) ?? clickPoint ?? centre(is);
}

/** Receives the hit target at a point of the target, and throws if it may not be pressed. */
export type HitTargetCheck = (found: Found) => void;

/** Undefined if the target itself is the hit target. */
export async function occluderAt(
  desktop: CallView,
  target: Target,
  at: Point,
  deadline: Deadline,
  checkHit?: HitTargetCheck,
): Promise<string | undefined> {
  const { driver } = desktop;
  if (!driver.atPoint) return undefined;
  const found = await driver.atPoint(at, { deadline });
  const cover = await occluderOf(desktop, target, at, found, deadline);
  if (cover === undefined && found) checkHit?.(found);
  return cover;
}

/** The same, if the hit target is already known. */
export async function occluderOf(
  desktop: CallView,
  target: Target,
  at: Point,
  found: Found | undefined,
  deadline: Deadline,
): Promise<string | undefined> {
  if (found?.path.some(({ id }) => id === target.element.id)) return undefined;
  const top = found?.path.at(-1);
  if (!found || !top) return `has nothing at its click point ${at.x},${at.y}`;
  if (isPartOf(target, found)) return undefined;
  const { windows } = await desktop.listWindows(deadline);
  if (desktop.hiddenWindows.hides(found.window))
    return 'is covered by a window that the policy hides at its click point';
  const window = windows.find(({ id }) => id === found.window);
  // It has closed since, so whether this caller may see it is unknown.
  if (!window) return 'is covered by another window at its click point';
  if (window.ref !== target.window.ref) {
    return `is covered by ${window.ref} ${window.role} ${quote(window.title)} at its click point`;
  }
  return `is covered by ${describeElement({ role: top.role, name: top.name })} at its click point`;
}

/** Elements that only show something: they pass a press on to what is around them. */
const PASSIVE_ROLES: ReadonlySet<Role> = new Set(['image', 'label', 'paragraph', 'text']);
/** Frames and rounding. */
const MARGIN = 2;

/**
 * Whether the hit target is the target itself or a passive part of it, although their identities differ. Some apps make
 * items and cells anew at each question; others (Qt) report a widget in an item as a neighbour of the item. Both must be
 * in the same container, and at the same place.
 */
function isPartOf({ element, path, window }: Target, found: Found): boolean {
  const top = found.path.at(-1)!;
  const container = path.at(-1);
  const isItem = ITEM_ROLES.has(element.role) || element.role === 'cell';
  if (!isItem || found.window !== window.id || !container || !element.bounds || !top.bounds) return false;
  const inContainer = found.path.some(({ id }) => id === container.id) || container.ref === window.ref;
  if (!inContainer) return false;
  const [own, its] = [element.name ?? '', top.name ?? ''];
  if (top.role === element.role) return own === its && sameBox(element.bounds, top.bounds);
  return PASSIVE_ROLES.has(top.role) && own.includes(its) && isWithin(top.bounds, element.bounds);
}

function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.x >= outer.x - MARGIN &&
    inner.y >= outer.y - MARGIN &&
    inner.x + inner.width <= outer.x + outer.width + MARGIN &&
    inner.y + inner.height <= outer.y + outer.height + MARGIN
  );
}

/** The app offers no way to bring it into view. Another tab, or the wheel, may show it. */
function hintFor({ path }: Target, why: string, brought: boolean): string {
  const tab = path.findLast(({ role, states }) => role === 'tab' && !states.selected);
  if (why === OFF_SCREEN && tab) return `Show its tab first: ui_act select ${tab.ref}.`;
  return why === OFF_SCREEN && !brought
    ? 'Use ui_scroll on its container until it is visible.'
    : 'Run ui_snapshot to see why.';
}

/** `brought`: it was scrolled into view before. */
export function notActionable(target: Target, why: string, brought = false): DesktopError {
  const { window } = target;
  const scrolled = brought ? ', although it was scrolled into view' : '';
  const cover = /^is covered by (w\d+)/.exec(why)?.[1];
  return new DesktopError('not_ready', `${describeTarget(target)} ${why}${scrolled}.`, {
    ...(cover ? { retry: 'after' as const, retryAfter: `closing or moving ${cover}` } : {}),
    hint: cover ? `Run ui_window front ${window.ref} to show it.` : hintFor(target, why, brought),
  });
}

/** Throws unless the window that policy evaluated, or one of its process, is in front with an equal element at the point. */
export async function recheckPoint(
  desktop: CallView,
  reader: Reader,
  at: Point,
  { window, lands }: HitTestResult,
  deadline: Deadline,
): Promise<void> {
  await refuseHiddenPoint(desktop, at, deadline);
  const front = desktop.hiddenWindows.frontAt(at);
  const same = front?.id === window?.id || (front?.pid !== undefined && front.pid === window?.pid);
  if (!same) throw pointChanged(at, 'Another window appeared at', false);
  const was = lands?.target?.element;
  if (!was) return;
  const { lands: there } = await reader.under(at);
  const now = there?.target?.element;
  const equal = now?.role === was.role && (now.name === was.name || now.ref.startsWith('w'));
  if (!equal) throw pointChanged(at, 'Another element appeared at', true);
}

export async function refuseHiddenPoint(desktop: CallView, at: Point, deadline: Deadline): Promise<void> {
  await desktop.listWindows(deadline);
  refuseHidden(desktop, at);
}

/** `sameWindow`: the app may only have reported its elements late, so planning again can succeed. */
function pointChanged({ x, y }: Point, what: string, sameWindow: boolean): DesktopError {
  const message = `${what} ${x},${y} just now.`;
  const hint = 'Run ui_snapshot to see what is there now.';
  return sameWindow
    ? new PlanOutdatedError(message, { hint })
    : new DesktopError('target_changed', message, { retry: 'safe', hint });
}

/** The dragged element had to be scrolled into view, so the end of the drag was unknown when policy evaluated it. */
export function dragEndOffScreen({ element }: Target): DesktopError {
  const message = `${element.ref} ${roleInText(element.role)} was scrolled into view, so policy has not evaluated the point it is dragged to.`;
  return new PlanOutdatedError(message, { hint: 'Drag it again: the element is on the screen now.' });
}
