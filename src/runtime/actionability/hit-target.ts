import { setTimeout as pause } from 'node:timers/promises';
import type { Found } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { PlanOutdatedError } from '../request/act-errors.js';
import {
  describeTarget,
  describeElement,
  centre,
  ITEM_DEPTH,
  ITEM_ROLES,
  plainClickPoint,
  type Point,
  quote,
  roleInText,
  sameBox,
} from '../../tree/index.js';
import type { HitTestResult } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { findTarget, type Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { refuseHidden } from '../visibility/hidden-windows.js';
import { nextEvent } from './wait-for-event.js';

/** Two reads this far apart with the same bounds: it stands still. */
const STILL_MS = 20;
export const OFF_SCREEN = 'is not on the screen';

/**
 * The point where a click meets the target: it shows, stands still, and the app itself says that this element, or
 * something inside it, is there. Waits for that; at the deadline it says what is in the way.
 */
export async function findClickPoint(
  desktop: CallView,
  target: Target,
  { ready, deadline }: { ready: Deadline; deadline: Deadline },
  scrollIntoView: (target: Target) => Promise<boolean>,
  meet?: HitTargetCheck,
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
          why = await occluderAt(desktop, now, at, deadline, meet);
          // What it was called and could do when this began still counts.
          if (!why) return { at, now: { ...target, element: { ...target.element, bounds } } };
        }
      }
      before = bounds;
      desktop.log.add('wait', `${describeTarget(now)} ${why ?? 'is not ready'}`);
      if (ready.over) throw notActionable(now, why ?? 'is not ready', brought);
      if (why === 'is moving') await pause(STILL_MS);
      else await change.orPause(ready);
      if (ready.over) throw notActionable(now, why ?? 'is not ready', brought);
    } finally {
      change.stop();
    }
  }
}

/** Of an item that was aimed at beside the controls in it: that very spot, wherever the item is by now. */
async function pointOf(desktop: CallView, { element: was }: Target, now: Target, deadline: Deadline): Promise<Point> {
  const { role, ref, clickPoint } = now.element;
  const is = now.element.bounds!;
  if (!ITEM_ROLES.has(role)) return clickPoint ?? centre(is);
  const { bounds, clickPoint: spot, states } = was;
  if (bounds && !states.offscreen && bounds.width === is.width && bounds.height === is.height)
    return spot ? { x: spot.x + is.x - bounds.x, y: spot.y + is.y - bounds.y } : (clickPoint ?? centre(is));
  // It was out of view when it was aimed at: nobody knew where its controls would be.
  const { element } = await findTarget(desktop, ref, undefined, deadline, { depth: ITEM_DEPTH });
  return plainClickPoint(element) ?? clickPoint ?? centre(is);
}

/** Hears what is at a point of the target, and throws where that may not be pressed. */
export type HitTargetCheck = (found: Found) => void;

/** Undefined when the target is what one meets there. */
export async function occluderAt(
  desktop: CallView,
  target: Target,
  at: Point,
  deadline: Deadline,
  meet?: HitTargetCheck,
): Promise<string | undefined> {
  const { driver } = desktop;
  if (!driver.atPoint) return undefined;
  const found = await driver.atPoint(at, { deadline });
  const cover = await occluderOf(desktop, target, at, found, deadline);
  if (cover === undefined && found) meet?.(found);
  return cover;
}

/** The same, when it is known already what is there. */
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
  const { windows } = await desktop.listWindows(deadline);
  if (desktop.hiddenWindows.hides(found.window))
    return 'is covered by a window that the policy hides at its click point';
  const window = windows.find(({ id }) => id === found.window);
  // Closed since: whether anybody may know what it was cannot be told any more.
  if (!window) return 'is covered by another window at its click point';
  if (window.ref !== target.window.ref) {
    return `is covered by ${window.ref} ${window.role} ${quote(window.title)} at its click point`;
  }
  return `is covered by ${describeElement({ role: top.role, name: top.name })} at its click point`;
}

/** Nothing that its app offers brings it into view; another tab, or turning the wheel, may. */
function hintFor({ path }: Target, why: string, brought: boolean): string {
  const tab = path.findLast(({ role, states }) => role === 'tab' && !states.selected);
  if (why === OFF_SCREEN && tab) return `show its tab first: ui_act select ${tab.ref}.`;
  return why === OFF_SCREEN && !brought ? 'ui_scroll what it is in, until it shows.' : 'look why: ui_snapshot.';
}

/** `brought`: it was scrolled into view before. */
export function notActionable(target: Target, why: string, brought = false): DesktopError {
  const { window } = target;
  const scrolled = brought ? ', though it was scrolled into view' : '';
  const cover = /^is covered by (w\d+)/.exec(why)?.[1];
  return new DesktopError('not_ready', `${describeTarget(target)} ${why}${scrolled}.`, {
    ...(cover ? { retry: 'after' as const, retryAfter: `closing or moving ${cover}` } : {}),
    hint: cover ? `ui_window front ${window.ref} brings it up.` : hintFor(target, why, brought),
  });
}

/** In front is the window that was asked about, or its program's, and in it an element that rules see as the same. */
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
  if (!same) throw otherThere(at, 'Another window came to', false);
  const was = lands?.target?.element;
  if (!was) return;
  const { lands: there } = await reader.under(at);
  const now = there?.target?.element;
  const equal = now?.role === was.role && (now.name === was.name || now.ref.startsWith('w'));
  if (!equal) throw otherThere(at, 'Something else came to', true);
}

export async function refuseHiddenPoint(desktop: CallView, at: Point, deadline: Deadline): Promise<void> {
  await desktop.listWindows(deadline);
  refuseHidden(desktop, at);
}

/** `sameWindow`: the app may only have reported its elements late, so planning again can succeed. */
function otherThere({ x, y }: Point, what: string, sameWindow: boolean): DesktopError {
  const message = `${what} ${x},${y} just now.`;
  const hint = 'Run ui_snapshot to see what is there now.';
  return sameWindow
    ? new PlanOutdatedError(message, { hint })
    : new DesktopError('target_changed', message, { retry: 'safe', hint });
}

/** Of what had to be brought on the screen first. */
export function dragEndOffScreen({ element }: Target): DesktopError {
  const message = `${element.ref} ${roleInText(element.role)} was scrolled into view, and what it is dragged onto was not seen before.`;
  return new PlanOutdatedError(message, { hint: 'Drag it again: the element is on the screen now.' });
}
