import type { Delivered } from '../../shared/index.js';
import type { Box, DriverIdentity, States } from '../../tree/index.js';
import type { Happening } from '../event-log.js';
import type { Method } from './aim.js';
import type { Taken } from './taken.js';

/** What was found for the target, as it was when the act began. */
export interface ResolvedTarget {
  ref: string;
  id: string;
  role: string;
  name?: string;
  bounds?: Box;
  window: string;
  confidence: number;
  why: string[];
}

export interface Seen {
  name?: string;
  value?: string | number;
  states: States;
}

/** One object for all surfaces: what an act was, and what is known of its effect. */
export interface ActResult extends Taken {
  untrusted: true;
  status: 'ok' | 'no change' | 'unconfirmed';
  verb: string;
  method?: Method;
  /** The platform's own word for what was used. */
  by?: string;
  resolvedTarget?: ResolvedTarget;
  /** Where it happened. */
  window?: string;
  before?: Seen;
  /** Absent when the target is gone. */
  after?: Seen;
  changed: 'yes' | 'no' | 'unknown';
  /** Why one cannot tell. */
  doubt?: string;
  postcondition?: 'satisfied' | 'unsatisfied' | 'unknown';
  readBack?: 'same';
  /** Refs of menus that an earlier act had opened, and that were in the way of this one. */
  closed?: string[];
  delivered: Delivered;
  /** Nothing had to be done. */
  already?: string;
  /** Text that was asked for; data. */
  read?: string;
  /** More of what was done, in our words. */
  words?: string;
  /** What changed, in the form of a difference; app text in it is quoted. */
  changes: string[];
  /** Windows that opened or closed, or more than a few lines: the lines go between marks. */
  wide: boolean;
  /** What happened between the caller's last call and this one, not by it. */
  meanwhile?: Happening[];
  /** Seen while it settled. */
  events: Happening[];
  evidence: { snapshotId: string };
  driver: DriverIdentity;
  durationMs: number;
  settledMs: number;
}
