import type { Box, StateName, WHOLE } from '../../tree/index.js';

interface Common {
  /** Milliseconds since the epoch. */
  at: number;
  /** Window id, when known. */
  window?: string;
  pid?: number;
}

/** What happened on the desktop, as it happens. `element` is a driver id. Text is cleaned. */
export type DriverEvent = Common &
  (
    | { type: 'focus'; element: string; role?: string; name?: string }
    | { type: 'state'; element: string; state: StateName; on: boolean }
    | { type: 'children'; element: string; change: 'added' | 'removed' }
    | { type: 'text'; element: string; change: 'inserted' | 'deleted' }
    | { type: 'value'; element: string }
    | { type: 'name'; element: string }
    | {
        type: 'window';
        window: string;
        change: 'opened' | 'closed' | 'title' | 'active' | 'moved';
        title?: string;
        [WHOLE]?: string;
        app?: string;
        /** Real path of its program, as the system tells it. */
        program?: string;
        role?: 'window' | 'dialog' | 'popup';
      }
    /** Pixels changed: the only sign of many changes that apps do not announce. Screen coordinates. */
    | { type: 'damage'; window: string; box: Box }
    | { type: 'notification'; text: string; app?: string }
    /** The source is gone or overflowed; whoever keeps state must read again. */
    | { type: 'lost'; reason: string }
  );

export type DriverEventType = DriverEvent['type'];

/** Events as they come. What happens after `ready` is told; before that it may be missed. It never rejects. */
export interface EventStream extends AsyncIterable<DriverEvent> {
  readonly ready: Promise<void>;
}

/** What a person at the devices did. `stop`: Escape twice within half a second, the wish that everything ends. */
export type UserInputKind = 'motion' | 'key' | 'button' | 'stop';

/** Input of a person; what programs inject is never told. `lost`: nobody watches any more. */
export type UserInputEvent =
  { type: 'userInput'; kind: UserInputKind; at: number } | { type: 'lost'; reason: string; at: number };

/** What happens after `ready` is told. It never rejects: a failure is a `lost` event, and then the end. */
export interface UserInputEvents extends AsyncIterable<UserInputEvent> {
  readonly ready: Promise<void>;
}

export interface UserInputOptions {
  signal: AbortSignal;
  /**
   * Input that was so short a time before the beginning is told too, as far as the platform knows of it. Whether it was
   * a person's cannot be said then, so it is taken for theirs.
   */
  recentMs?: number;
}
