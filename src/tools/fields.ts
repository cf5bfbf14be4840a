import { z } from 'zod';
import { DesktopError } from '../shared/index.js';
import { conditionInput } from './read/ui-wait.js';

/** Arguments of every act. */
export const TARGET = z.string().min(1).max(2_000);
export const WINDOW = z.string().max(500).optional();
export const METHOD = z.enum(['auto', 'pattern', 'input']).default('auto');
export const READY_MS = 5_000;
/** A condition that must hold afterwards, as in ui_wait. */
export const WAITING = {
  verify: conditionInput.optional(),
  timeoutMs: z.int().min(0).max(600_000).optional(),
  settleMs: z.int().min(0).max(60_000).optional(),
};
/** Accepted and documented, not listed to models. */
export const QUIET = ['settleMs'] as const;

const MAX_PAUSES_MS = 120_000;

/** While an act pauses between its motions, no other act runs and the user cannot use the mouse. */
export function notTooLong(pausesMs: number, less: string): void {
  if (pausesMs <= MAX_PAUSES_MS) return;
  const seconds = Math.round(pausesMs / 1_000);
  throw new DesktopError('bad_arguments', `It would pause for ${seconds} s; at most ${MAX_PAUSES_MS / 1_000} s.`, {
    hint: `${less}.`,
    retry: 'no',
  });
}

export function readyWithin({ timeoutMs }: { timeoutMs?: number }): number {
  return timeoutMs ?? READY_MS;
}
