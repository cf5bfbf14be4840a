import type { Clipboard, Finding, FoundApp } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { CallView } from './call-view.js';

/** Text that an app with a hidden window copied counts as text of that window. */
export async function refuseHiddenClipboard(
  desktop: CallView,
  clipboard: Clipboard,
  deadline: Deadline,
): Promise<void> {
  const owner = clipboard.owner ? await clipboard.owner({ deadline }) : {};
  if (!owner) return;
  await desktop.listWindows(deadline);
  if (!isHiddenOwner(desktop, owner)) return;
  throw new DesktopError('policy_denied', 'The clipboard text was copied in a window that the policy hides.', {
    retry: 'no',
    hint: 'Copy something else, or ask the user to do this.',
    details: { rule: 'windows/blocked' },
  });
}

function isHiddenOwner(desktop: CallView, { pid, name = '', program }: Partial<FoundApp>): boolean {
  const { hiddenWindows, kind } = desktop;
  // The owner is unknown and could be any app. On the user's own desktop that risk is too high.
  if (pid === undefined) return kind !== 'virtual' && hiddenWindows.count > 0;
  return (
    hiddenWindows.hidesProcess(pid) || !isVisibleApp(desktop, { pid, name, ...(program !== undefined && { program }) })
  );
}

/** Findings about apps name them. Findings about apps that the caller may not see are omitted. */
export async function visibleFindings(desktop: CallView, findings: Finding[], deadline: Deadline): Promise<Finding[]> {
  const apps = findings.flatMap(({ app }) => app ?? []);
  if (apps.length === 0) return findings;
  // If windows cannot be listed, it is unknown which apps have hidden ones. Another finding gives the reason.
  const listed = await desktop.listWindows(deadline).catch((error: unknown) => {
    if (error instanceof DesktopError) return undefined;
    throw error;
  });
  const isReportable = (app: FoundApp): boolean => listed !== undefined && isVisibleApp(desktop, app);
  return findings.filter(({ app }) => !app || isReportable(app));
}

/** Whether the caller may know that this app runs. */
const isVisibleApp = (desktop: CallView, app: FoundApp): boolean =>
  !desktop.hiddenWindows.hidesApp(app) && desktop.shows(windowOf(app));

/** A window of the app about which nothing else is known. */
const windowOf = ({ pid, name, program }: FoundApp): WindowInfo => ({
  ...{ ref: '', id: '', role: 'window', title: '', app: name, pid },
  ...{ visible: false, minimised: false, maximised: false, active: false },
  ...(program !== undefined && { program }),
});
