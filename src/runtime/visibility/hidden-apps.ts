import { ABOUT, type Clipboard, type Finding, type FoundApp } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { CallView } from './call-view.js';

/** What an app with a hidden window copied is text of that window. */
export async function refuseHiddenClipboard(
  desktop: CallView,
  clipboard: Clipboard,
  deadline: Deadline,
): Promise<void> {
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

function isHidden(desktop: CallView, { pid, name = '', program }: Partial<FoundApp>): boolean {
  const { hiddenWindows, kind } = desktop;
  // It may be anybody's. On a person's own screen that is too much.
  if (pid === undefined) return kind !== 'virtual' && hiddenWindows.count > 0;
  return (
    hiddenWindows.hidesProcess(pid) ||
    !isVisibleFinding(desktop, { pid, name, ...(program !== undefined && { program }) })
  );
}

/** What was found wrong with apps names them: of those that a caller may not see nothing is told. */
export async function visibleFindings(desktop: CallView, findings: Finding[], deadline: Deadline): Promise<Finding[]> {
  const apps = findings.flatMap(({ [ABOUT]: app }) => app ?? []);
  if (apps.length === 0) return findings;
  // Where windows cannot be listed nobody knows whose are hidden; what else was found says why.
  const listed = await desktop.listWindows(deadline).catch((error: unknown) => {
    if (error instanceof DesktopError) return undefined;
    throw error;
  });
  const tellable = (app: FoundApp): boolean => listed !== undefined && isVisibleFinding(desktop, app);
  return findings.filter(({ [ABOUT]: app }) => !app || tellable(app));
}

/** Whether a caller may know that it runs. */
export const isVisibleFinding = (desktop: CallView, app: FoundApp): boolean =>
  !desktop.hiddenWindows.hidesApp(app) && desktop.shows(windowOf(app));

/** A window of it, of which nothing else is known. */
const windowOf = ({ pid, name, program }: FoundApp): WindowInfo => ({
  ...{ ref: '', id: '', role: 'window', title: '', app: name, pid },
  ...{ visible: false, minimised: false, maximised: false, active: false },
  ...(program !== undefined && { program }),
});
