import type { Seat } from '../../contract/index.js';
import { DEFAULT_PATH, DESCRIBING } from './environment.js';
import { InstalledApps } from './installed-apps.js';
import { launchProgram } from './launch.js';
import { startOf } from './start-of.js';

const APPS = new InstalledApps();

/**
 * How programs are started in the person's own session. They are the person's: nobody keeps a record of them, their
 * output goes nowhere, and they stay when we end.
 */
export function ownSeat(env: Readonly<Record<string, string | undefined>>): Pick<Seat, 'launch' | 'startOf'> {
  /** Now, and not when it was opened: what is secret in ours has been taken out since. */
  const here = (): Record<string, string> => {
    const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !name.startsWith('DESKPROOF_'));
    return { PATH: DEFAULT_PATH, ...(Object.fromEntries(kept) as Record<string, string>), ...DESCRIBING };
  };
  return {
    launch: (command, args, { cwd, judged } = {}) =>
      launchProgram(here(), command, args, {
        ...(cwd !== undefined && { cwd }),
        ...(judged && { judged }),
        ...{ output: 'ignore', persons: true },
      }),
    startOf: (command, args, { cwd } = {}) => {
      const { PATH = '', HOME = '/' } = here();
      return startOf(command, args, { path: PATH, cwd: cwd ?? HOME, apps: APPS });
    },
  };
}
