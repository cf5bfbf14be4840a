import type { Node } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/** Far more dialogs than an app shows at a time. */
const MAX_TRACKED = 100;

/** Tracks dialogs that an app has just shown. A browser ignores clicks on their buttons for a short time. */
export class FreshDialogs {
  /** When each dialog was first seen. */
  private readonly firstSeen = new Map<string, number>();
  /** Until when each button ignores clicks. */
  private readonly ignoresClicksUntil = new Map<string, number>();

  constructor(private readonly toolkit: Toolkit) {}

  /**
   * Call with each window that was just read. Only dialogs of the browser itself count, not elements that a page marks
   * as dialogs.
   */
  observe(root: Node, now = performance.now()): void {
    const { dialogIgnoresClicksMs } = this.toolkit;
    if (dialogIgnoresClicksMs === 0) return;
    for (const [id, until] of this.ignoresClicksUntil) if (until <= now) this.ignoresClicksUntil.delete(id);
    for (const dialog of [root, ...root.children].filter(isDialog)) {
      const first = this.firstSeen.get(dialog.id) ?? now;
      this.firstSeen.set(dialog.id, first);
      if (now - first < dialogIgnoresClicksMs) this.mark(dialog, first + dialogIgnoresClicksMs);
    }
    for (const id of this.firstSeen.keys()) if (this.firstSeen.size > MAX_TRACKED) this.firstSeen.delete(id);
  }

  /** How long clicks on this element are still ignored. */
  deafFor(id: string, now = performance.now()): number {
    return Math.max(0, (this.ignoresClicksUntil.get(id) ?? 0) - now);
  }

  private mark(node: Node, until: number): void {
    if (node.role === 'button') this.ignoresClicksUntil.set(node.id, until);
    for (const child of node.children) this.mark(child, until);
  }
}

const isDialog = ({ role }: Node): boolean => role === 'dialog' || role === 'alertdialog';

/**
 * Chromium does not report page dialogs (alert, confirm, site password) as modal. Such a dialog appears only in the
 * window's tree. Chromium's bubbles, which leave the page usable, are also separate windows.
 */
export function markPageDialogsModal({ name }: Toolkit, { children }: Node, ownWindows: ReadonlySet<string>): void {
  if (name !== 'chromium') return;
  for (const { id, role, states } of children)
    if ((role === 'dialog' || role === 'alertdialog') && !ownWindows.has(id)) states.modal = true;
}
