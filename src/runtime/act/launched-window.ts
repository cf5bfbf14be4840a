import { setTimeout as pause } from 'node:timers/promises';
import { basename } from 'node:path';
import { Deadline, DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { quote, type WindowInfo, type WindowNode } from '../../tree/index.js';

export interface LaunchAnswer {
  pid: number;
  window: WindowInfo;
  /** From the start of the program to its window. */
  ms: number;
  /** The process ended, and the window belongs to an earlier process of the same program. */
  handedOver?: true;
}

interface Program {
  pid: number;
  program: string;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Whether the first process is the second one or was started by it. Only the operating system can report this. */
export type IsDescendantProcess = (pid: number, ancestor: number) => boolean;

/** Finds a window that policy hides, and the pattern that hides it. */
export type FindHidden = (which: (window: WindowNode) => boolean) => { pattern?: string } | undefined;

const POLL_MS = 40;
/** A new window of a process that is not a child of ours counts if no better one appeared for this long. */
const UNRELATED_AFTER_MS = 1_500;
/** After exit code 0: how long a window may still appear or change, if the program was already running, and if not. */
const HANDED_OVER_MS = 2_500;
const LEFT_BEHIND_MS = 6_000;

/**
 * The first window of a program that was just started. Usually its own process shows it. Launchers hand over to a child
 * (LibreOffice) or to a running server, so after a while any new window counts, and so does an existing window of the
 * same program in which the file was opened.
 */
export async function waitForFirstWindow(
  started: Program,
  before: readonly WindowInfo[],
  windows: () => Promise<WindowInfo[]>,
  deadline: Deadline,
  isDescendant: IsDescendantProcess = (pid, ancestor) => pid === ancestor,
  hidden: FindHidden = () => undefined,
): Promise<LaunchAnswer> {
  const since = performance.now();
  let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  let exitedAt = Infinity;
  void started.exited.then((how) => {
    exit = how;
    exitedAt = performance.now();
  });
  const known = new Map(before.map((one) => [one.id, one]));
  const sameProgram = before.filter((one) => isProper(one) && isSameProgram(one, started.program));
  for (;;) {
    const all = await windows();
    const fresh = all.filter((window) => !known.has(window.id) && isProper(window));
    const own = fresh.find((window) => window.pid !== undefined && isDescendant(window.pid, started.pid));
    const unrelatedCounts = exit?.code === 0 || performance.now() - since > UNRELATED_AFTER_MS;
    const window = own ?? (unrelatedCounts ? fresh[0] : undefined);
    if (window) return { pid: started.pid, window, ms: Math.round(performance.now() - since) };
    if (exit && exit.code !== 0) throw endedEarly(started, exit);
    const concealed = hidden(
      ({ pid, role }) => pid !== undefined && role !== 'popup' && isDescendant(pid, started.pid),
    );
    if (concealed) throw opensHidden(started, concealed.pattern);
    const other =
      exit && all.find((one) => sameProgram.some(({ id }) => id === one.id) && hasChanged(known.get(one.id)!, one));
    if (other) {
      const pid = other.pid ?? started.pid;
      return { pid, window: other, ms: Math.round(performance.now() - since), handedOver: true };
    }
    const patience = sameProgram.length > 0 ? HANDED_OVER_MS : LEFT_BEHIND_MS;
    if (performance.now() - exitedAt > patience) throw endedWithoutWindow(started, sameProgram);
    if (deadline.over) {
      if (deadline.signal?.aborted) throw new DesktopError('cancelled', 'Waiting for the window was cancelled.');
      throw exit ? endedWithoutWindow(started, sameProgram) : noWindowYet(started);
    }
    await pause(POLL_MS);
  }
}

/** Menus, tool tips and splash screens are temporary; a window to work in has a title. */
function isProper(window: WindowInfo): boolean {
  return window.role !== 'popup' && window.title !== '' && (window.visible || window.minimised);
}

/** The window may have the name of a script that started another program. */
function isSameProgram({ program, app }: WindowInfo, started: string): boolean {
  return program === started || [app, program && basename(program)].includes(basename(started));
}

/** A file was opened in it: its title changed, or it came to the front. */
function hasChanged(was: WindowInfo, now: WindowInfo): boolean {
  return was.title !== now.title || (!was.active && now.active) || (was.minimised && !now.minimised);
}

/** Exit code 0: the program did its work, or another process does it. */
function endedWithoutWindow({ program }: Program, kin: readonly WindowInfo[]): DesktopError {
  const name = basename(program);
  const [running] = kin;
  const what = running
    ? `it was already running (${running.ref} ${quote(running.title)}) and may have handed over to that window`
    : 'it has no window, or handed over to another program';
  return new FinalActError(
    'command_failed',
    `${name} ended with exit code 0 and no window appeared or changed: ${what}.`,
    {
      hint: running
        ? `Run ui_snapshot ${running.ref} to see it.`
        : 'To see its output, run: deskproof desktop run -- COMMAND',
      delivered: 'yes',
      retry: 'no',
    },
  );
}

/**
 * The caller knows that the program runs and what it started. So it learns that the window is hidden, and by which
 * pattern, but nothing that the window shows.
 */
function opensHidden({ program, pid }: Program, pattern: string | undefined): DesktopError {
  const why = pattern === undefined ? '' : ` (windows that match ${quote(pattern)})`;
  return new FinalActError(
    'policy_denied',
    `${basename(program)} runs (pid ${pid}), but its window is one that the policy hides${why}.`,
    {
      hint: 'Work in another app, or ask the user to do this or to change the policy.',
      delivered: 'yes',
      retry: 'no',
      details: { rule: 'windows/blocked', pid, ...(pattern !== undefined && { pattern }) },
    },
  );
}

function noWindowYet({ program, pid }: Program): DesktopError {
  return new DesktopError('timeout', `${basename(program)} runs (pid ${pid}) but shows no window yet.`, {
    hint: 'Check again later with: deskproof list-windows',
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
    hint: 'To see its output, run: deskproof desktop run -- COMMAND',
  });
}
