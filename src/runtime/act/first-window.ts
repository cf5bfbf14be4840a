import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { basename } from 'node:path';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';

export interface LaunchAnswer {
  pid: number;
  window: WindowInfo;
  /** From the start of the program to its window. */
  ms: number;
}

interface Program {
  pid: number;
  program: string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const LOOK_EVERY_MS = 40;
/** A new window of a process that is no child of ours counts when nothing better came for this long. */
const STRANGER_AFTER_MS = 1_500;

/**
 * The first window of a program that was just started. Usually its own process shows it; launchers hand over to a
 * child (LibreOffice) or to a server that runs already, so in the end any window that was not there before will do.
 */
export async function firstWindow(
  started: Program,
  before: ReadonlySet<string>,
  windows: () => Promise<WindowInfo[]>,
  deadline: Deadline,
): Promise<LaunchAnswer> {
  const since = performance.now();
  let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  void started.exited.then((how) => (exit = how));
  for (;;) {
    const fresh = (await windows()).filter((window) => !before.has(window.id) && isProper(window));
    const own = fresh.find((window) => window.pid !== undefined && isOfFamily(window.pid, started.pid));
    const strangersCount = exit?.code === 0 || performance.now() - since > STRANGER_AFTER_MS;
    const window = own ?? (strangersCount ? fresh[0] : undefined);
    if (window) return { pid: started.pid, window, ms: Math.round(performance.now() - since) };
    if (exit && exit.code !== 0) throw endedEarly(started, exit);
    if (deadline.over) {
      if (deadline.signal?.aborted) throw new DesktopError('cancelled', 'Waiting for the window was cancelled.');
      throw exit ? endedEarly(started, exit) : noWindowYet(started);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Menus, tool tips and splash screens come and go; a window that one works in has a title. */
function isProper(window: WindowInfo): boolean {
  return window.role !== 'popup' && window.title !== '' && (window.visible || window.minimised);
}

function noWindowYet({ program, pid }: Program): DesktopError {
  return new DesktopError('timeout', `${basename(program)} runs (pid ${pid}) but shows no window yet.`, {
    hint: 'Look later with: deskwright list-windows',
    delivered: 'yes',
    details: { pid },
  });
}

function endedEarly(
  { program }: Program,
  { code, signal }: { code: number | null; signal: string | null },
): DesktopError {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  return new DesktopError('command_failed', `${basename(program)} ${how} before it showed a window.`, {
    hint: 'See what it says: deskwright desktop run -- COMMAND',
  });
}

function isOfFamily(pid: number, ancestor: number): boolean {
  for (let at = pid, steps = 0; at > 1 && steps < 32; at = parentOf(at), steps++) {
    if (at === ancestor) return true;
  }
  return false;
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It ended while we looked: nobody's child any more.
    return 0;
  }
}
