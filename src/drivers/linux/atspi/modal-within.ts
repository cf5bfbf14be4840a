import type { Node } from '../../../tree/index.js';
import type { Toolkit } from './toolkit.js';

/**
 * Chromium does not say that what a page asks (alert, confirm, a password for the site) is modal. Such a dialog is in
 * the window's tree alone; its bubbles, which leave the page usable, are windows of their own as well.
 */
export function markModalWithin({ name }: Toolkit, { children }: Node, ownWindows: ReadonlySet<string>): void {
  if (name !== 'chromium') return;
  for (const { id, role, states } of children)
    if ((role === 'dialog' || role === 'alertdialog') && !ownWindows.has(id)) states.modal = true;
}
