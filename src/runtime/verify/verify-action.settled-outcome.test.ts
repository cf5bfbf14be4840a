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
  /** When something is heard to be drawn, in milliseconds from the act, and when to have changed. */
  signs: number[];
  told?: number[];
  /** How long a look takes, and from when on it sees the change. */
  lookMs?: number;
  changesAt: number;
  /** It cannot tell: the app does not answer. */
  silent?: boolean;
  /** Until when what it sees is not what is waited for. */
  pendingTo?: number;
  /** Until when windows come and go while it looks. */
  overtakenTo?: number;
  /** Others have confirmed that it was done. */
  sure?: boolean;
  /** When the looks began, and when the answer came. */
  looks: number[];
  answered: number;
  changed: ObservedChanges['changed'];
}

const CASES: Case[] = [
  {
    name: 'the look in the lull holds when the quiet stays',
    signs: [0, 16],
    changesAt: 0,
    looks: [36],
    answered: 66,
    changed: 'yes',
  },
  {
    name: 'a look that takes longer than the quiet is not taken again',
    signs: [0, 16],
    lookMs: 100,
    changesAt: 0,
    looks: [36],
    answered: 136,
    changed: 'yes',
  },
  {
    name: 'what is heard during the look makes it worthless',
    signs: [0, 25],
    lookMs: 10,
    changesAt: 0,
    looks: [20, 75],
    answered: 85,
    changed: 'yes',
  },
  {
    name: 'what is heard after the look, before the quiet is full, makes it worthless',
    signs: [0, 40],
    lookMs: 10,
    changesAt: 0,
    looks: [20, 90],
    answered: 100,
    changed: 'yes',
  },
  {
    name: 'something that moves all the time is not read all the time',
    signs: Array.from({ length: 20 }, (_, frame) => 30 * frame),
    changesAt: 0,
    looks: [20, 500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'a look that saw nothing is taken again at the end of the quiet',
    signs: [0],
    changesAt: 30,
    looks: [20, 50],
    answered: 50,
    changed: 'yes',
  },
  {
    name: 'what was told and not drawn yet is not looked at',
    signs: [40],
    told: [0],
    changesAt: 0,
    looks: [60],
    answered: 90,
    changed: 'yes',
  },
  {
    name: 'what is drawn soon after it was told is looked at soon',
    signs: [16],
    told: [0],
    changesAt: 0,
    looks: [36],
    answered: 66,
    changed: 'yes',
  },
  {
    name: 'what is never drawn is looked at when it is quiet',
    signs: [],
    told: [0, 30],
    changesAt: 0,
    looks: [80],
    answered: 80,
    changed: 'yes',
  },
  {
    name: 'an app that went silent is not waited for twice',
    signs: [0],
    lookMs: 700,
    changesAt: 0,
    silent: true,
    looks: [20],
    answered: 720,
    changed: 'unknown',
  },
  {
    name: 'where nothing is heard there is one look, at the end',
    signs: [],
    changesAt: 0,
    looks: [500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'what is not waited for does not end it',
    signs: [0, 250],
    changesAt: 0,
    pendingTo: 250,
    looks: [20, 300],
    answered: 300,
    changed: 'yes',
  },
  {
    name: 'what is not waited for is told at the end',
    signs: [0],
    changesAt: 0,
    pendingTo: Infinity,
    looks: [20, 500],
    answered: 500,
    changed: 'yes',
  },
  {
    name: 'a look that windows overtook is taken again after the next quiet',
    signs: [85],
    told: [0],
    lookMs: 40,
    changesAt: 0,
    overtakenTo: 60,
    looks: [50, 135],
    answered: 175,
    changed: 'yes',
  },
  {
    name: 'windows that overtake it again are not waited for twice',
    signs: [85, 150],
    told: [0],
    lookMs: 40,
    changesAt: 0,
    overtakenTo: Infinity,
    looks: [50, 135],
    answered: 175,
    changed: 'yes',
  },
  {
    name: 'one in the lull that windows overtook does not hold',
    signs: [0],
    changesAt: 0,
    overtakenTo: 40,
    looks: [20, 50],
    answered: 50,
    changed: 'yes',
  },
  {
    name: 'what is sure and shows nothing is not waited for',
    signs: [],
    changesAt: Infinity,
    sure: true,
    looks: [100],
    answered: 100,
    changed: 'no',
  },
  {
    name: 'what is sure ends with the quiet, whether or not a look shows it',
    signs: [10, 45],
    changesAt: Infinity,
    sure: true,
    looks: [30, 95],
    answered: 95,
    changed: 'no',
  },
  {
    name: 'that nothing changed is said at the end',
    signs: [0],
    changesAt: Infinity,
    looks: [20, 50, 500],
    answered: 500,
    changed: 'no',
  },
];

describe('the outcome of an act', () => {
  test.each(CASES)('$name', async ({ signs, told = [], changesAt, looks, answered, changed, ...one }) => {
    const { lookMs = 0, silent, pendingTo = 0, overtakenTo = 0, sure } = one;
    const began = performance.now();
    const now = (): number => Math.round(performance.now() - began);
    let listener: (event: DriverEvent) => void = () => undefined;
    const desktop = {
      onEvent: (heard: typeof listener) => ((listener = heard), () => undefined),
    } as unknown as CallView;
    const activity = new ActivityMonitor(desktop, 7);
    for (const at of signs) setTimeout(() => listener(DRAWN), at);
    for (const at of told) setTimeout(() => listener(VALUE), at);
    const taken: number[] = [];
    const look = async (): Promise<ObservedChanges> => {
      const at = now();
      taken.push(at);
      if (lookMs > 0) await new Promise((resolve) => setTimeout(resolve, lookMs));
      const pending = at < pendingTo && { pending: true as const };
      const overtaken = at < overtakenTo && { overtaken: true as const };
      return {
        changed: silent ? 'unknown' : at >= changesAt ? 'yes' : 'no',
        ...pending,
        ...overtaken,
      } as ObservedChanges;
    };
    const done = settledOutcome(activity, look, began + 500, Deadline.in(5_000), sure).then((outcome) => ({
      changed: outcome.changed,
      at: now(),
    }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect({ ...(await done), taken }).toEqual({ changed, at: answered, taken: looks });
  });
});
