import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { describeTarget, describeElement, type Node, quote, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { Reader } from '../act/reader.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

/**
 * Fails when a menu of another app is open: it takes the keys whichever window is active, and what was asked about is
 * that window.
 */
export async function refuseForeignMenu(
  desktop: CallView,
  window: WindowInfo,
  deadline: Deadline,
  begun = false,
): Promise<void> {
  const { windows } = await desktop.listWindows(deadline);
  if (desktop.hiddenWindows.hidesMenu) throw hiddenByPolicyError('What has the keys');
  const belongs = ({ id, of, pid }: WindowInfo): boolean =>
    id === window.id || of === window.ref || (pid !== undefined && pid === window.pid);
  const menu = windows.find((one) => one.menu && one.visible && !belongs(one));
  if (!menu) return;
  const owner = windows.find(({ ref }) => ref === menu.of);
  const what = `${menu.ref} ${menu.role}${menu.title ? ` ${quote(menu.title)}` : ''} is open and takes the keys, not ${window.ref}.`;
  throw new DesktopError(begun ? 'target_changed' : 'not_ready', what, {
    ...(begun ? { retry: 'no' as const } : { retry: 'after' as const, retryAfter: `closing ${menu.ref}` }),
    hint: owner
      ? `close it: ui_key Escape, window ${owner.ref}; or choose in it: ui_snapshot ${menu.ref}.`
      : 'look: ui_snapshot.',
  });
}

/** Fails when another window has the keys by now. Menus have those of the window that they belong to. */
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
  const where = now ? `to ${now.ref} ${now.role} ${quote(now.title)}` : 'to no window that can be seen';
  throw new DesktopError(begun ? 'target_changed' : 'not_ready', `Keys go ${where} now, not to ${window.ref}.`, {
    ...(begun && { retry: 'no' as const }),
    hint: 'look what came in between: ui_snapshot.',
  });
}

/**
 * Fails when something else in its window is known to have the focus. That nothing says so of the target is no reason:
 * many never tell, or leave it to what is around them.
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
  const refusal = `does not take the focus${clicked ? ', though it was clicked' : ''}`;
  throw new DesktopError(
    'not_ready',
    `${describeTarget(target)} ${refusal}: ${describeElement({ role: has.role, name: has.name })} has it.`,
    {
      ...(clicked && { delivered: 'yes' as const, retry: 'no' as const }),
      hint: 'see what has it: ui_describe focused.',
    },
  );
}

function isIn({ id, children }: Node, wanted: string): boolean {
  return id === wanted || children.some((child) => isIn(child, wanted));
}

/** What has the keys now, where that is something else than the target; undefined also where nobody tells. */
export async function focusMovedTo(reader: Reader, target: Target): Promise<Target | undefined> {
  try {
    const found = await reader.target('focused', undefined, { depth: 0 });
    const [has, wanted] = [found.element.ref, target.element.ref];
    if (has === wanted || found.path.some(({ ref }) => ref === wanted)) return undefined;
    // Some tell it of what is around the field only.
    return [...target.path, target.window].some(({ ref }) => ref === has) ? undefined : found;
  } catch (error) {
    // It is told besides what is known already: without it that is told alone.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** `e3 textbox "To"`, with its window where it is another one. */
export function describeFocus({ element, window }: Target, from: Target): string {
  return `${describeElement(element)}${window.ref === from.window.ref ? '' : ` in ${window.ref}`}`;
}
