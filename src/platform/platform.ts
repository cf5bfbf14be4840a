import type { Stats } from 'node:fs';

export type Env = Readonly<Record<string, string | undefined>>;

/** Identifies one process for good: a later process with the same pid, also after a reboot, does not match. */
export interface ProcessIdentity {
  pid: number;
  /** In the unit of the OS (Linux: clock ticks since boot). Empty if there is no such process. */
  startTime: string;
  bootId: string;
}

/** What a process and everything that it started have done so far. */
export interface ProcessActivity {
  /** Processor time, without that of children that have ended. */
  cpuMs: number;
  /** Since the process itself was started. */
  ageMs: number;
  /** Some of them runs now or waits for a processor: on a busy machine it may get little processor time. */
  running: boolean;
}

/** The parts of `stat` that say who owns a file and who may use it. */
export type FileAccess = Pick<Stats, 'uid' | 'mode'>;

/**
 * The facts about an operating system that Deskproof needs outside the UI drivers. One implementation per OS; code that
 * works the same everywhere (locks, private directories) builds on it and never asks `process.platform`.
 */
export interface Platform {
  /** For messages: `Linux`. */
  readonly osName: string;

  identityOf(pid: number): ProcessIdentity;
  /** Whether this very process still runs. A zombie does not: it holds nothing any more. */
  isRunning(process: ProcessIdentity): boolean;
  /** Undefined if there is no such process. */
  startTimeOf(pid: number): string | undefined;
  /** Undefined if there is no such process, or if it has no parent. */
  parentOf(pid: number): number | undefined;
  /** The running child processes. */
  childrenOf(pid: number): ProcessIdentity[];
  /** Undefined if there is no such process. */
  activityOf(pid: number): ProcessActivity | undefined;

  isOwnedByUser(file: FileAccess): boolean;
  isOwnedByAdministrator(file: FileAccess): boolean;
  /** Whether other users may read, write or enter it. */
  isOpenToOthers(file: FileAccess): boolean;
  /** Whether users other than the owner may write it. */
  isWritableByOthers(file: FileAccess): boolean;
  /** Whether every user may rename or remove entries of this directory, also those of others. */
  isSharedWithoutProtection(directory: FileAccess): boolean;
  /** Makes a new or changed name durable: it survives a power loss only after its directory was synced. */
  syncDirectory(directory: string): void;

  /** Directory of the user's configuration. */
  configDirectory(env: Env): string;
  dataDirectory(env: Env): string;
  stateDirectory(env: Env): string;
  /** For files that can be made again. */
  cacheDirectory(env: Env): string;
  /** For sockets and locks; gone after a reboot. */
  runtimeDirectory(env: Env): string;
  /**
   * Configuration by the administrator of the machine. No variable moves it. Planned for macOS:
   * /Library/Application Support/Deskproof, for Windows: C:\ProgramData\Deskproof.
   */
  readonly managedConfigDirectory: string;
}
