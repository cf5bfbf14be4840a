import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DriverEvent } from '../../drivers/contract/index.js';
import { Deadline } from '../../shared/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { ObservedChanges } from './ui-changes.js';
import { ActivityMonitor } from './settle.js';
import { settledOutcome } from './verify-action.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const VALUE = { type: 'value', at: 0, element: 'e', pid: 7 } as DriverEvent;
const DRAWN = { type: 'damage', at: 0, window: 'w', pid: 7 } as DriverEvent;

interface Case {
  name: string;
  /** When the app paints, in milliseconds from the act, and when it reports a change. */
  signs: number[];
  events?: number[];
  /** How long a snapshot takes, and from when on it contains the change. */
  readMs?: number;
  changesAt: number;
  /** The result is unknown: the app does not answer. */
  silent?: boolean;
  /** Until when the observed change is not the expected one. */
  pendingTo?: number;
  /** Until when windows open and close during the snapshot. */
  overtakenTo?: number;
  /** A third party has confirmed the act. */
  sure?: boolean;
  /** When the snapshots started, and when the result came. */
  reads: number[];
  answered: number;
  changed: ObservedChanges['changed'];
}

const CASES: Case[] = [
  {
    name: 'uses the snapshot from the first pause if no event follows',
    signs: [0, 16],
    changesAt: 0,
    reads: [36],
    answered: 66,
    changed: 'yes',
  },
  {
    name: 'does not repeat a snapshot that takes longer than the idle period',
    signs: [0, 16],
    readMs: 100,
    changesAt: 0,
    reads: [36],
    answered: 136,
    changed: 'yes',
  },
  {
    name: 'discards a snapshot if an event arrives during it',
    signs: [0, 25],
    readMs: 10,
    changesAt: 0,
    reads: [20, 75],
    answered: 85,
    changed: 'yes',
  },
  {
    name: 'discards a snapshot if an event arrives after it and before idle',
    signs: [0, 40],
    readMs: 10,
    changesAt: 0,
    reads: [20, 90],
    answered: 100,
    changed: 'yes',
  },
  {
    name: 'does not keep reading an app that changes all the time',
    signs: Array.from({ length: 20 }, (_, frame) => 30 * frame),
    changesAt: 0,
    reads: [20, 500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'repeats a snapshot without changes when idle',
    signs: [0],
    changesAt: 30,
    reads: [20, 50],
    answered: 50,
    changed: 'yes',
  },
  {
    name: 'takes no snapshot of a change that is not painted yet',
    signs: [40],
    events: [0],
    changesAt: 0,
    reads: [60],
    answered: 90,
    changed: 'yes',
  },
  {
    name: 'takes a snapshot soon after the change is painted',
    signs: [16],
    events: [0],
    changesAt: 0,
    reads: [36],
    answered: 66,
    changed: 'yes',
  },
  {
    name: 'takes a snapshot when idle if the change is never painted',
    signs: [],
    events: [0, 30],
    changesAt: 0,
    reads: [80],
    answered: 80,
    changed: 'yes',
  },
  {
    name: 'does not wait twice for an app that stopped answering',
    signs: [0],
    readMs: 700,
    changesAt: 0,
    silent: true,
    reads: [20],
    answered: 720,
    changed: 'unknown',
  },
  {
    name: 'takes one snapshot at the end if there are no events',
    signs: [],
    changesAt: 0,
    reads: [500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'keeps waiting after a change that is not the expected one',
    signs: [0, 250],
    changesAt: 0,
    pendingTo: 250,
    reads: [20, 300],
    answered: 300,
    changed: 'yes',
  },
  {
    name: 'reports an unexpected change at the end',
    signs: [0],
    changesAt: 0,
    pendingTo: Infinity,
    reads: [20, 500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'repeats a snapshot during which windows changed, after the next idle period',
    signs: [85],
    events: [0],
    readMs: 40,
    changesAt: 0,
    overtakenTo: 60,
    reads: [50, 135],
    answered: 175,
    changed: 'yes',
  },
  {
    name: 'repeats such a snapshot only once',
    signs: [85, 150],
    events: [0],
    readMs: 40,
    changesAt: 0,
    overtakenTo: Infinity,
    reads: [50, 135],
    answered: 175,
    changed: 'yes',
  },
  {
    name: 'discards a snapshot from the first pause if windows changed during it',
    signs: [0],
    changesAt: 0,
    overtakenTo: 40,
    reads: [20, 50],
    answered: 50,
    changed: 'yes',
  },
  {
    name: 'does not wait for a visible change after a confirmed act',
    signs: [],
    changesAt: Infinity,
    sure: true,
    reads: [100],
    answered: 100,
    changed: 'no',
  },
  {
    name: 'ends a confirmed act when idle, whether or not a snapshot shows a change',
    signs: [10, 45],
    changesAt: Infinity,
    sure: true,
    reads: [30, 95],
    answered: 95,
    changed: 'no',
  },
  {
    name: 'reports no change only at the end',
    signs: [0],
    changesAt: Infinity,
    reads: [20, 50, 500],
    answered: 500,
    changed: 'no',
  },
];

describe('settledOutcome', () => {
  test.each(CASES)('$name', async ({ signs, events = [], changesAt, reads, answered, changed, ...one }) => {
    const { readMs = 0, silent, pendingTo = 0, overtakenTo = 0, sure } = one;
    const began = performance.now();
    const now = (): number => Math.round(performance.now() - began);
    let listener: (event: DriverEvent) => void = () => undefined;
    const desktop = {
      onEvent: (heard: typeof listener) => ((listener = heard), () => undefined),
    } as unknown as CallView;
    const activity = new ActivityMonitor(desktop, 7);
    for (const at of signs) setTimeout(() => listener(DRAWN), at);
    for (const at of events) setTimeout(() => listener(VALUE), at);
    const taken: number[] = [];
    let byTheApp: boolean | undefined;
    const read = async (answered: boolean): Promise<ObservedChanges> => {
      const at = now();
      taken.push(at);
      byTheApp = answered;
      if (readMs > 0) await new Promise((resolve) => setTimeout(resolve, readMs));
      const pending = at < pendingTo && { pending: true as const };
      const overtaken = at < overtakenTo && { overtaken: true as const };
      return {
        changed: silent ? 'unknown' : at >= changesAt ? 'yes' : 'no',
        ...pending,
        ...overtaken,
      } as ObservedChanges;
    };
    const done = settledOutcome(activity, read, began + 500, Deadline.in(5_000), sure).then((outcome) => ({
      changed: outcome.changed,
      at: now(),
    }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect({ ...(await done), taken }).toEqual({ changed, at: answered, taken: reads });
    // A cached tree of an app that hangs shows no change either.
    if (changed === 'no' && !sure) expect(byTheApp).toBe(true);
  });
});
