import type { Point } from '../../tree/index.js';

/**
 * Where an act can pause, so that the runtime re-checks the target before the act continues:
 *
 * - `ready`: everything is prepared and nothing was sent. A double or triple click pauses here again before each further
 *   press, once the app has processed the press before it.
 * - `pressed`: the mouse button is down and the app has processed that.
 * - `drop`: the pointer is at the end of a drag, before the button is released.
 * - `chunk`: before each chunk of keys or characters, the first one included.
 *
 * An act pauses only at the checkpoints that its request lists.
 */
export type CheckpointName = 'ready' | 'pressed' | 'drop' | 'chunk';

/** An act that waits for a decision. */
export interface Checkpoint {
  /** Names the waiting act. Valid for one `resume`. */
  token: string;
  at: CheckpointName;
  /** How many presses of this click, or characters of this text, were sent before. Absent before the first. */
  sent?: number;
  /** At `chunk`: no other window has received the keyboard, and none has appeared, since the last checkpoint. */
  sameWindow?: true;
  /** After `releaseAt`: where the pointer is now. The edge of the screen may have stopped it earlier. */
  pointer?: Point;
}

/** What an act returns: its result, or a checkpoint at which it waits for `resume`. */
export type ActStep<Result> = { done: Result } | { checkpoint: Checkpoint };

/**
 * - `proceed`: continue.
 * - `stop`: end the act here. Everything is released, and the act fails with `cancelled`. The error's `delivered` and
 *   `details` (`typed`, `pressed`, `clicks`) say how far it came.
 * - `releaseAt`: only at `pressed`. The click is cancelled as a user cancels it: the pointer moves there with the button
 *   down, and the act pauses at `pressed` again, with the actual position as `pointer`. The decision `proceed` then
 *   releases the button there. After `MAX_MOVES_AWAY` moves the button is released without another checkpoint. The
 *   click fails with `not_ready` and `delivered: 'unknown'`, because some apps act on the press.
 */
export type CheckpointDecision = 'proceed' | 'stop' | { releaseAt: Point };

/** In a request: the checkpoints that the caller wants. */
export interface Checkpointed<Name extends CheckpointName> {
  checkpoints?: readonly Name[];
}

/** How many times the pointer moves with the button down before the button is released in any case. */
export const MAX_MOVES_AWAY = 5;
