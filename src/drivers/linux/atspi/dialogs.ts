import type { Node } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/** Far more than an app shows at a time. */
const MOST_KEPT = 100;

/** Dialogs that an app has just shown, and their buttons: a browser drops clicks on these for a while. */
export class FreshDialogs {
  /** When each was first seen. */
  private readonly met = new Map<string, number>();
  /** Until when each button drops clicks. */
  private readonly deaf = new Map<string, number>();

  constructor(private readonly toolkit: Toolkit) {}

  /** Takes a window as it was just read. What a page calls a dialog is not one of the browser's own. */
  note(root: Node, now = performance.now()): void {
    const { deafDialogsMs } = this.toolkit;
    if (deafDialogsMs === 0) return;
    for (const [id, until] of this.deaf) if (until <= now) this.deaf.delete(id);
    for (const dialog of [root, ...root.children].filter(isDialog)) {
      const first = this.met.get(dialog.id) ?? now;
      this.met.set(dialog.id, first);
      if (now - first < deafDialogsMs) this.mark(dialog, first + deafDialogsMs);
    }
    for (const id of this.met.keys()) if (this.met.size > MOST_KEPT) this.met.delete(id);
  }

  /** For how long clicks on it are still dropped. */
  deafFor(id: string, now = performance.now()): number {
    return Math.max(0, (this.deaf.get(id) ?? 0) - now);
  }

  private mark(node: Node, until: number): void {
    if (node.role === 'button') this.deaf.set(node.id, until);
    for (const child of node.children) this.mark(child, until);
  }
}

const isDialog = ({ role }: Node): boolean => role === 'dialog' || role === 'alertdialog';

/**
 * Chromium does not say that what a page asks (alert, confirm, a password for the site) is modal. Such a dialog is in
 * the window's tree alone; its bubbles, which leave the page usable, are windows of their own as well.
 */
export function markModalWithin({ name }: Toolkit, { children }: Node, ownWindows: ReadonlySet<string>): void {
  if (name !== 'chromium') return;
  for (const { id, role, states } of children)
    if ((role === 'dialog' || role === 'alertdialog') && !ownWindows.has(id)) states.modal = true;
}
