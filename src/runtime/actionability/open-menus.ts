import { DesktopError, type Deadline } from '../../shared/index.js';
import { centre, contains, type Role, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import type { Actor } from '../act/actor.js';
import type { ActionPlan } from '../act/action.js';
import { nextEvent } from './wait-for-event.js';
import { occluderAt } from './hit-target.js';

/** Menus in menus, and one that takes its time. */
const MAX_PRESSES = 8;
const CLOSES_WITHIN_MS = 700;
const ITEMS: ReadonlySet<Role> = new Set(['menuitem', 'menuitemcheckbox', 'menuitemradio', 'option']);

/**
 * Menus and lists of choices that acts of ours have opened. They take the mouse and the keys until they are closed: an
 * act on anything else would only close them, and be lost. Those that a person opened are left alone.
 */
export class OpenMenus {
  /** By window id: the ref of what was acted on. */
  private readonly opened = new Map<string, string | undefined>();

  /** What became of an act. */
  note(windows: readonly WindowInfo[], { target }: ActionPlan): void {
    for (const { id, menu } of windows) if (menu) this.opened.set(id, target?.element.ref);
  }

  /** Toolkits show the same window again for the next menu; that one may be a person's. */
  closed(window: string): void {
    this.opened.delete(window);
  }

  /** Those that are open and in the way of an act on something that is not in them. */
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

  /** Closes them, the innermost first, and says which. */
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
      hint: 'press Escape, then look: ui_key Escape.',
    });
  }

  /** Not every menu holds the keyboard: with another window active, the key might close something there. */
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

/** Its items may stand in the tree of the window that it belongs to. What only lies behind it is not in it. */
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
