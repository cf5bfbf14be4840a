import type { Clipboard, FoundApp } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import { isTellable } from './tellable-findings.js';

/** What an app with a hidden window copied is text of that window. */
export async function refuseHiddenCopy(desktop: Desktop, clipboard: Clipboard, deadline: Deadline): Promise<void> {
  const owner = clipboard.owner ? await clipboard.owner({ deadline }) : {};
  if (!owner) return;
  await desktop.listWindows(deadline);
  if (!isHidden(desktop, owner)) return;
  throw new DesktopError('policy_denied', 'What is in the clipboard was copied in a window that the policy hides.', {
    retry: 'no',
    hint: 'copy something else, or ask a person to do this.',
    details: { rule: 'windows/blocked' },
  });
}

function isHidden(desktop: Desktop, { pid, name = '', program }: Partial<FoundApp>): boolean {
  const { veil, kind } = desktop;
  // It may be anybody's. On a person's own screen that is too much.
  if (pid === undefined) return kind !== 'virtual' && veil.count > 0;
  return veil.hidesProcess(pid) || !isTellable(desktop, { pid, name, ...(program !== undefined && { program }) });
}
