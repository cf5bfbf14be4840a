import { ABOUT, type Finding, type FoundApp } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';

/** What was found wrong with apps names them: of those that a caller may not see nothing is told. */
export async function tellableFindings(desktop: Desktop, findings: Finding[], deadline: Deadline): Promise<Finding[]> {
  const apps = findings.flatMap(({ [ABOUT]: app }) => app ?? []);
  if (apps.length === 0) return findings;
  // Where windows cannot be listed nobody knows whose are hidden; what else was found says why.
  const listed = await desktop.listWindows(deadline).catch((error: unknown) => {
    if (error instanceof DesktopError) return undefined;
    throw error;
  });
  const tellable = (app: FoundApp): boolean => listed !== undefined && isTellable(desktop, app);
  return findings.filter(({ [ABOUT]: app }) => !app || tellable(app));
}

/** Whether a caller may know that it runs. */
export const isTellable = (desktop: Desktop, app: FoundApp): boolean =>
  !desktop.veil.hidesApp(app) && desktop.shows(windowOf(app));

/** A window of it, of which nothing else is known. */
const windowOf = ({ pid, name, program }: FoundApp): WindowInfo => ({
  ...{ ref: '', id: '', role: 'window', title: '', app: name, pid },
  ...{ visible: false, minimised: false, maximised: false, active: false },
  ...(program !== undefined && { program }),
});
