import { cleanName } from '../../../tree/index.js';
import { identifyProcess } from './process-identity.js';
import type { XWindow } from './x-window.js';

type ProcessFacts = Pick<XWindow, 'program' | 'programDeleted' | 'app' | 'started' | 'stopped'>;

/** As the X server and the window manager tell it, without what the system knows of its process. */
export type ListedWindow = Omit<XWindow, keyof ProcessFacts>;

/** With what their processes are at this moment: that one was stopped, or runs another program, no event tells. */
export function withProcesses(windows: readonly ListedWindow[]): XWindow[] {
  const known = new Map<string, ProcessFacts>();
  return windows.map((window) => {
    const claimed = window.wmClass?.instance;
    const key = `${window.pid} ${claimed}`;
    const facts = known.get(key) ?? processFacts(window.pid, claimed);
    known.set(key, facts);
    return { ...window, ...facts };
  });
}

/** `claimed`: what the window itself calls its app. */
function processFacts(pid: number | undefined, claimed: string | undefined): ProcessFacts {
  const process = pid === undefined ? undefined : identifyProcess(pid);
  return {
    ...(process?.program && { program: process.program }),
    ...(process?.deleted && { programDeleted: true }),
    app: cleanName(process?.app ?? claimed ?? '').text,
    ...(process?.started !== undefined && { started: process.started }),
    stopped: process?.stopped ?? false,
  };
}
