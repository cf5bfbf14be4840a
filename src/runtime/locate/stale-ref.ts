import { DesktopError, type Deadline } from '../../shared/index.js';
import { describeElement, nearest, quote, type RefRecord, type WindowInfo } from '../../tree/index.js';
import { nearestCandidate, type Candidate } from '../observe/candidate.js';
import type { CallView } from '../visibility/call-view.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';
import { takeSnapshot } from '../observe/snapshot.js';

/** Why a ref is stale, and which element corresponds to it now. */
export async function staleRef(
  desktop: CallView,
  ref: string,
  record: RefRecord | undefined,
  window: WindowInfo | undefined,
  deadline: Deadline,
): Promise<DesktopError> {
  if (!record) {
    return new DesktopError('stale_ref', `${ref} was given long ago and is forgotten.`, {
      retry: 'no',
      hint: 'run ui_snapshot again.',
    });
  }
  if (desktop.hidesInTab(record.id)) return hiddenByPolicyError(ref, 'tab');
  const now = desktop.refs.get(ref) ?? record;
  const inItem = record.item !== undefined && record.item.id !== record.id;
  const item = inItem ? ` in ${record.item.role} ${quote(record.item.name)}` : '';
  // A row has no name of its own: its first text identifies it.
  const name = record.name ?? (inItem ? undefined : record.item?.name);
  const was = `${describeElement({ role: record.role, name })}${item}`;
  const since = now.goneSince && now.goneSince !== 's0' ? ` since ${now.goneSince}` : '';
  if (!window) {
    const former = desktop.shows(desktop.lastKnown(record.windowId)) ? ` (was ${was})` : '';
    const message = `${ref}${former} is gone${since}: its window was closed.`;
    return new DesktopError('stale_ref', message, { retry: 'no', hint: 'ui_list_windows shows what is open.' });
  }
  const near = await likely(desktop, record, window, deadline);
  const hint = near[0] ? `check that ${near[0].ref} is what you mean.` : `run ui_snapshot ${window.ref} again.`;
  return new DesktopError('stale_ref', `${ref} (was ${was}) is gone${since}.`, {
    retry: 'no',
    hint,
    details: { nearest: near },
  });
}

/** The element that is now at the position of the stale one. A failure here must not hide that the ref is stale. */
async function likely(desktop: CallView, was: RefRecord, window: WindowInfo, deadline: Deadline): Promise<Candidate[]> {
  try {
    const snapshot = await takeSnapshot(desktop, { window: window.ref }, { deadline });
    return snapshot.roots
      .flatMap((root) => nearest(was, root))
      .map((one) => {
        const isNew = desktop.refs.get(one.element.ref)?.firstSeenIn === snapshot.id;
        return nearestCandidate(one, isNew ? `new in ${snapshot.id}` : undefined);
      });
  } catch (error) {
    if (error instanceof DesktopError) return [];
    throw error;
  }
}
