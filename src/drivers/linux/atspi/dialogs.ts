import type { Node } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/** Far more than an app shows at a time. */
const MAX_TRACKED = 100;

/** Dialogs that an app has just shown, and their buttons: a browser drops clicks on these for a while. */
export class FreshDialogs {
  /** When each was first seen. */
  private readonly firstSeen = new Map<string, number>();
  /** Until when each button drops clicks. */
  private readonly ignoresClicksUntil = new Map<string, number>();

  constructor(private readonly toolkit: Toolkit) {}

  /** Takes a window as it was just read. What a page calls a dialog is not one of the browser's own. */
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

  /** For how long clicks on it are still dropped. */
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
 * Chromium does not say that what a page asks (alert, confirm, a password for the site) is modal. Such a dialog is in
 * the window's tree alone; its bubbles, which leave the page usable, are windows of their own as well.
 */
export function markPageDialogsModal({ name }: Toolkit, { children }: Node, ownWindows: ReadonlySet<string>): void {
  if (name !== 'chromium') return;
  for (const { id, role, states } of children)
    if ((role === 'dialog' || role === 'alertdialog') && !ownWindows.has(id)) states.modal = true;
}
