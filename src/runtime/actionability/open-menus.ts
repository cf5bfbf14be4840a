import { DesktopError, type Deadline } from '../../shared/index.js';
import { centre, contains, type Role, TEXT_FIELD_ROLES, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { Actor } from '../act/actor.js';
import type { ActionPlan } from '../act/action.js';
import { nextEvent } from './wait-for-event.js';
import { occluderAt } from './hit-target.js';

const WRITING: ReadonlySet<string> = new Set(['type', 'set_value']);
const isTextField = ({ element: { role, states } }: Target): boolean =>
  TEXT_FIELD_ROLES.has(role) || states.editable === true;

/** Enough for nested menus and one slow menu. */
const MAX_PRESSES = 8;
const CLOSES_WITHIN_MS = 700;
const ITEMS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio', 'option']);

/**
 * Menus and option lists that our acts have opened. They take the mouse and the keyboard until they are closed: an act
 * on another element would only close them, and be lost. Menus that the user opened are left alone.
 */
export class OpenMenus {
  /** By window id: the ref of the element that was acted on. */
  private readonly opened = new Map<string, string | undefined>();

  /** Remembers the menus that an act has opened. */
  note(windows: readonly WindowInfo[], { verb, target }: ActionPlan): void {
    // Suggestions for the text that was written: the field keeps the keys, so Escape would close the dialog around it
    // (GTK 4.8, Save As).
    if (WRITING.has(verb) && target && isTextField(target)) return;
    for (const { id, menu } of windows) if (menu) this.opened.set(id, target?.element.ref);
  }

  /** Toolkits reuse the window for the next menu, which the user may have opened. */
  closed(window: string): void {
    this.opened.delete(window);
  }

  /** The open menus that cover or block this act, because its target is outside of them. */
  async outside(desktop: CallView, { target, at }: ActionPlan, deadline: Deadline): Promise<WindowInfo[]> {
    if (this.opened.size === 0) return [];
    const open = await this.stillOpen(desktop, deadline);
    // Keys alone are for the menu.
    if (!target && !at) return [];
    const inMenu = open.some(
      ({ id, ref, bounds }) =>
        target?.window.ref === ref ||
        (target && this.opened.get(id) === target.element.ref) ||
        (at && bounds && contains(bounds, at)),
    );
    return inMenu || (target && (await isInOne(desktop, target, open, deadline))) ? [] : open;
  }

  /** Closes the menus, innermost first, and returns their refs. */
  async close(desktop: CallView, menus: readonly WindowInfo[], actor: Actor): Promise<string[]> {
    const { deadline } = actor;
    for (let press = 0; press < MAX_PRESSES; press++) {
      const open = (await this.stillOpen(desktop, deadline)).filter(({ id }) => menus.some((menu) => menu.id === id));
      const [first] = open;
      if (!first) return menus.map(({ ref }) => ref);
      await this.closeOne(desktop, first, actor);
      await this.until(desktop, deadline, (windows) => windows.length < open.length);
    }
    const [left] = await this.stillOpen(desktop, deadline);
    throw new DesktopError('not_ready', `${left?.ref ?? 'A menu'}, which an earlier act opened, does not close.`, {
      retry: 'after',
      retryAfter: `closing ${left?.ref ?? 'it'}`,
      hint: 'Run ui_key Escape, then ui_snapshot.',
    });
  }

  /** Not every menu has the keyboard: if another window is active, Escape might close something there. */
  private async closeOne(desktop: CallView, menu: WindowInfo, actor: Actor): Promise<void> {
    const { windows } = await desktop.listWindows(actor.deadline);
    const owner = windows.find(({ ref }) => ref === menu.of);
    if (owner && windows.find(({ active }) => active)?.pid !== menu.pid) await actor.activate(owner);
    await actor.press([{ key: 'Escape', modifiers: [] }]);
  }

  private async stillOpen(desktop: CallView, deadline: Deadline): Promise<WindowInfo[]> {
    const { windows } = await desktop.listWindows(deadline);
    for (const id of this.opened.keys())
      if (!windows.some((one) => one.id === id && one.visible)) this.opened.delete(id);
    return windows.filter(({ id }) => this.opened.has(id));
  }

  private async until(desktop: CallView, deadline: Deadline, holds: (open: WindowInfo[]) => boolean): Promise<void> {
    const end = deadline.atMost(CLOSES_WITHIN_MS);
    for (;;) {
      const change = nextEvent(desktop);
      try {
        if (holds(await this.stillOpen(desktop, deadline)) || end.over) return;
        await change.orPause(end);
      } finally {
        change.stop();
      }
    }
  }
}

/** Items of a menu may be in the tree of its owner window. An element that only lies behind the menu is not in it. */
async function isInOne(
  desktop: CallView,
  target: Target,
  open: readonly WindowInfo[],
  deadline: Deadline,
): Promise<boolean> {
  const { bounds, role, ref } = target.element;
  const point = bounds && centre(bounds);
  if (!point || ref === target.window.ref) return false;
  if (!open.some((menu) => menu.bounds && contains(menu.bounds, point))) return false;
  return ITEMS.has(role) || (await occluderAt(desktop, target, point, deadline)) === undefined;
}
