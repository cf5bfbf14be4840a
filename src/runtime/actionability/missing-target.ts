import { type Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { NoMatchError } from '../locate/resolve-selector.js';
import type { CallView } from '../visibility/call-view.js';
import type { Heard } from './wait-for-event.js';

/** What a process and everything that it started have done so far. Only the operating system can report this. */
export type ActivityOf = (pid: number) => ProcessActivity | undefined;

interface ProcessActivity {
  /** Processor time. */
  cpuMs: number;
  /** Since the process was started. */
  ageMs: number;
  /** Some of them runs now or waits for a processor. */
  running: boolean;
}

/** An app may need this long to show something, also if it seems idle: a timer, an answer from the network. */
const PATIENCE_MS = 1_000;
/** No event of the searched windows for this long. A caret that blinks makes one every 500 ms or so. */
const QUIET_MS = 350;
/** A program that was just started may still have to read its files. */
const STARTING_MS = 5_000;
/** An idle app uses less than this share of a processor; our own reads are not measured. */
const IDLE_SHARE = 0.15;
/** Processor time is counted in steps of 10 ms. A shorter pause proves nothing. */
const SHORTEST_PAUSE_MS = 50;

/**
 * Decides whether it is pointless to wait longer for a target that does not exist: the windows that were searched are
 * quiet, and their processes are idle and not just starting.
 */
export class MissingTarget {
  private readonly heard: Heard[] = [];
  /** Whether each process was idle during the last pause. */
  private idle = new Map<number, boolean>();
  private pids: number[] = [];

  constructor(
    private readonly desktop: CallView,
    private readonly began: number,
  ) {}

  note(heard: Iterable<Heard>): void {
    this.heard.push(...heard);
    const since = performance.now() - QUIET_MS;
    this.heard.splice(0, this.heard.length, ...this.heard.filter(({ at }) => at >= since));
  }

  /** Call it with the error of each search, before the pause that follows. */
  async isFinal(error: DesktopError, deadline: Deadline): Promise<boolean> {
    const windows = await this.searched(error, deadline);
    const pids = windows.flatMap(({ pid }) => pid ?? []);
    const wereMeasured = pids.every((pid) => this.pids.includes(pid));
    this.pids = [...new Set(pids)];
    if (performance.now() - this.began < PATIENCE_MS || !wereMeasured) return false;
    return this.isQuiet(windows) && !this.isStarting() && this.pids.every((pid) => this.idle.get(pid) !== false);
  }

  /** Measures the processes during a pause, in which we do not read their trees. */
  async during(pause: () => Promise<void>): Promise<void> {
    const { activityOf } = this.desktop;
    const before = new Map(this.pids.map((pid) => [pid, activityOf?.(pid)]));
    const began = performance.now();
    await pause();
    const ms = performance.now() - began;
    this.idle = new Map(
      [...before].flatMap(([pid, was]): [number, boolean][] => {
        const now = activityOf?.(pid);
        // Not known: its events decide alone.
        if (!was || !now) return [];
        return [[pid, ms >= SHORTEST_PAUSE_MS && !now.running && now.cpuMs - was.cpuMs < ms * IDLE_SHARE]];
      }),
    );
  }

  /** The windows that may still show the target. */
  private async searched(error: DesktopError, deadline: Deadline): Promise<WindowInfo[]> {
    if (error instanceof NoMatchError && error.searched.length > 0) return error.searched;
    return (await this.desktop.listWindows(deadline)).windows.filter(({ visible }) => visible);
  }

  private isQuiet(windows: readonly WindowInfo[]): boolean {
    const since = performance.now() - QUIET_MS;
    return !this.heard.some(({ at, ofWindow, window, pid }) => {
      const isOurs = windows.some((one) => one.id === window || (pid !== undefined && one.pid === pid));
      return at >= since && (ofWindow || isOurs);
    });
  }

  private isStarting(): boolean {
    const { activityOf, launches } = this.desktop;
    if (performance.now() - launches.lastAt < STARTING_MS) return true;
    return this.pids.some((pid) => (activityOf?.(pid)?.ageMs ?? Infinity) < STARTING_MS);
  }
}
