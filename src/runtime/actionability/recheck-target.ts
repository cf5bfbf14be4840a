import type { Driver } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Element, parseRef, type Point, quote, type Role, roleInText, sameBox } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { CallView } from '../visibility/call-view.js';
import { staleRef } from '../locate/stale-ref.js';
import { findTarget, type Target } from '../locate/target.js';
import { withWindowContext } from '../observe/snapshot.js';
import { occluderAt, type HitTargetCheck, notActionable } from './hit-target.js';

/** Named after their content: another title does not mean another element. */
const TITLED: ReadonlySet<Role> = new Set(['window', 'dialog', 'popup', 'document']);

/** A ref means the element that the caller saw. Under another name it may do something else. */
export function checkRefName(desktop: CallView, plan: ActionPlan, args: object): ActionPlan {
  const { target, from, to } = args as { target?: string; from?: string; to?: string };
  const named = target ?? from;
  if (plan.target && named !== undefined) checkName(desktop, plan.target, named);
  if (plan.onto && to !== undefined) checkName(desktop, plan.onto, to);
  return plan;
}

function checkName(desktop: CallView, { element, window }: Target, request: string): void {
  const ref = parseRef(request.trim());
  if (ref === undefined || ref !== element.ref || ref.startsWith('w') || TITLED.has(element.role)) return;
  const known = desktop.refs.get(ref);
  if (!known || known.name === element.name) return;
  throw renamed(element, known.name, `Run ui_snapshot ${window.ref} again.`);
}

/** The precheck: the last step before an act. */
export async function recheckTarget(desktop: CallView, target: Target, deadline: Deadline): Promise<void> {
  // The widget of a row may be given to another row at any time.
  const patient = desktop.refs.get(target.element.ref)?.item !== undefined;
  await caughtUp(desktop, target, { deadline, patient });
  await currentTarget(desktop, target, deadline);
}

/** The same for the pointer, which acts on the hit target at its point. */
export async function recheckAtPoint(
  desktop: CallView,
  target: Target,
  at: Point,
  deadline: Deadline,
  checkHit?: HitTargetCheck,
): Promise<void> {
  const element = await recheckUnderPointer(desktop, target, at, deadline, checkHit);
  const { bounds } = target.element;
  const moved = bounds && element.bounds && !sameBox(bounds, element.bounds);
  if (moved) throw notActionable({ ...target, element }, 'is moving');
}

/**
 * Before a further press at the same point: the target has its name, and the pointer still meets it. It may have moved,
 * as a row does that the first press scrolled into view. Returns the target as it is now.
 */
export async function recheckUnderPointer(
  desktop: CallView,
  target: Target,
  at: Point,
  deadline: Deadline,
  checkHit?: HitTargetCheck,
): Promise<Element> {
  await caughtUp(desktop, target, { deadline, patient: true, at });
  const [element, cover] = await Promise.all([
    currentTarget(desktop, target, deadline),
    occluderAt(desktop, target, at, deadline, checkHit),
  ]);
  if (cover) throw notActionable({ ...target, element }, cover);
  return element;
}

type Patience = Parameters<NonNullable<Driver['waitForTreeSync']>>[2];

async function caughtUp({ driver }: CallView, { element }: Target, patience: Patience): Promise<void> {
  if (element.bounds) await driver.waitForTreeSync?.(element.id, element.bounds, patience);
}

/** Throws unless the element still has its name and is as enabled as before. */
export async function currentTarget(
  desktop: CallView,
  { element, window }: Target,
  deadline: Deadline,
): Promise<Element> {
  const now = await findTarget(desktop, element.ref, undefined, deadline, { depth: 0, fresh: true });
  if (now.element.name !== element.name && !TITLED.has(element.role)) {
    throw renamed(now.element, element.name, `Run ui_snapshot ${window.ref} again.`);
  }
  if (element.states.enabled && !now.element.states.enabled) throw notActionable(now, 'is disabled');
  return now.element;
}

function renamed(element: Element, was: string | undefined, hint: string): DesktopError {
  const called = (name: string | undefined): string => (name ? `called ${quote(name)}` : 'without a name');
  const message = `${element.ref} ${roleInText(element.role)} was ${called(was)} and is ${called(element.name)} now.`;
  return new DesktopError('target_changed', message, { retry: 'no', hint });
}

/** The driver knows an element; the caller knows a ref. */
export async function withTargetContext(
  desktop: CallView,
  error: unknown,
  { element, window }: Target,
  deadline: Deadline,
): Promise<unknown> {
  if (!(error instanceof DesktopError) || error.delivered !== 'no') return withWindowContext(error, window);
  const { ref, role, name } = element;
  if (error.code === 'stale_ref' && !error.message.startsWith(ref)) {
    return staleRef(desktop, ref, desktop.refs.get(ref), window, deadline);
  }
  if (error.code !== 'not_ready' || !error.message.startsWith(THE_ELEMENT)) return withWindowContext(error, window);
  const subject = `${ref} ${role}${name ? ` ${quote(name)}` : ''} in ${window.ref}`;
  const { hint, retry, retryAfter, details } = error;
  const message = `${subject}${error.message.slice(THE_ELEMENT.length)}`;
  return new DesktopError('not_ready', message, { hint, retry, retryAfter, details, cause: error });
}

const THE_ELEMENT = 'The element';
