import { cleanName } from '../../../tree/index.js';
import { identifyProcess } from './process-identity.js';
import type { XWindow } from './x-window.js';

type ProcessFacts = Pick<XWindow, 'program' | 'programDeleted' | 'app' | 'started' | 'stopped'>;

/** What the system tells of the process behind a window. `claimed`: what the window itself calls its app. */
export function processFacts(pid: number | undefined, claimed: string | undefined): ProcessFacts {
  const process = pid === undefined ? undefined : identifyProcess(pid);
  return {
    ...(process?.program && { program: process.program }),
    ...(process?.deleted && { programDeleted: true }),
    app: cleanName(process?.app ?? claimed ?? '').text,
    ...(process?.started !== undefined && { started: process.started }),
    stopped: process?.stopped ?? false,
  };
}

/** The same windows with what their processes are now: that one was stopped, or its program replaced, no event tells. */
export function withProcessesNow(windows: readonly XWindow[]): XWindow[] {
  const known = new Map<string, ProcessFacts>();
  return windows.map((window) => {
    const { program: _program, programDeleted: _deleted, started: _started, ...rest } = window;
    const claimed = window.wmClass?.instance;
    const key = `${window.pid} ${claimed}`;
    const facts = known.get(key) ?? processFacts(window.pid, claimed);
    known.set(key, facts);
    return { ...rest, ...facts };
  });
}
