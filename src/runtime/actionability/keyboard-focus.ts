import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { describeTarget, describeElement, type Node, quote, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

/**
 * Throws if a menu of another app is open: it receives the keys, whichever window is active, and policy has evaluated
 * that window.
 */
export async function refuseForeignMenu(
  desktop: CallView,
  window: WindowInfo,
  deadline: Deadline,
  begun = false,
): Promise<void> {
  const { windows } = await desktop.listWindows(deadline);
  if (desktop.hiddenWindows.hidesMenu) throw hiddenByPolicyError('The keyboard focus');
  const belongs = ({ id, of, pid }: WindowInfo): boolean =>
    id === window.id || of === window.ref || (pid !== undefined && pid === window.pid);
  const menu = windows.find((one) => one.menu && one.visible && !belongs(one));
  if (!menu) return;
  const owner = windows.find(({ ref }) => ref === menu.of);
  const what = `${menu.ref} ${menu.role}${menu.title ? ` ${quote(menu.title)}` : ''} is open and takes the keys, not ${window.ref}.`;
  throw new DesktopError(begun ? 'target_changed' : 'not_ready', what, {
    ...(begun ? { retry: 'no' as const } : { retry: 'after' as const, retryAfter: `closing ${menu.ref}` }),
    hint: owner
      ? `Close it with ui_key Escape in window ${owner.ref}, or choose an item: ui_snapshot ${menu.ref}.`
      : 'Run ui_snapshot to see it.',
  });
}

/** Throws if another window receives the keys now. A menu receives the keys of its window. */
export async function requireActiveWindow(
  desktop: CallView,
  window: WindowInfo,
  begun: boolean,
  deadline: Deadline,
): Promise<void> {
  await refuseForeignMenu(desktop, window, deadline, begun);
  const { windows } = await desktop.listWindows(deadline);
  const now = windows.find(({ active }) => active);
  if (now?.id === window.id || (now?.menu && now.of === window.ref) || (window.menu && window.of === now?.ref)) return;
  const where = now ? `to ${now.ref} ${now.role} ${quote(now.title)}` : 'to no visible window';
  throw new DesktopError(begun ? 'target_changed' : 'not_ready', `Keys go ${where} now, not to ${window.ref}.`, {
    ...(begun && { retry: 'no' as const }),
    hint: 'Run ui_snapshot to see what has the focus now.',
  });
}

/**
 * Throws if another element in the window has the focus. It is no error if the target does not report the focus: many
 * elements never do, or only their container does.
 */
export async function requireFocus(
  desktop: CallView,
  target: Target,
  deadline: Deadline,
  clicked = false,
): Promise<void> {
  const { driver } = desktop;
  const { element, window, path } = target;
  const found = await driver.focused?.({ deadline });
  if (found?.window !== window.id || found.path.length === 1) return;
  if (found.path.some(({ id }) => id === element.id)) return;
  const has = found.path.at(-1)!;
  if (path.some(({ id }) => id === has.id)) return;
  const { root } = await requireCapability(driver, 'read')({ element: has.id }, { deadline, full: true });
  if (isIn(root, element.id)) return;
  const refusal = `does not take the focus${clicked ? ', although it was clicked' : ''}`;
  throw new DesktopError(
    'not_ready',
    `${describeTarget(target)} ${refusal}: ${describeElement({ role: has.role, name: has.name })} has it.`,
    {
      ...(clicked && { delivered: 'yes' as const, retry: 'no' as const }),
      hint: 'Run ui_describe focused to see what has the focus.',
    },
  );
}

function isIn({ id, children }: Node, wanted: string): boolean {
  return id === wanted || children.some((child) => isIn(child, wanted));
}

/** The element that has the focus now, if it is not the target; undefined also if it is not exposed. */
export async function focusMovedTo(reader: Reader, target: Target): Promise<Target | undefined> {
  try {
    const found = await reader.target('focused', undefined, { depth: 0 });
    const [has, wanted] = [found.element.ref, target.element.ref];
    if (has === wanted || found.path.some(({ ref }) => ref === wanted)) return undefined;
    // Some apps report the focus only for the container of the field.
    return [...target.path, target.window].some(({ ref }) => ref === has) ? undefined : found;
  } catch (error) {
    // This is only an addition to a result, which is complete without it.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** `e3 textbox "To"`, with its window if that is another one. */
export function describeFocus({ element, window }: Target, from: Target): string {
  return `${describeElement(element)}${window.ref === from.window.ref ? '' : ` in ${window.ref}`}`;
}
