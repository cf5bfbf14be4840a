import type { Box, StateName } from '../../tree/index.js';
import type { StreamOptions } from './call.js';

interface Common {
  /** Milliseconds since the epoch. */
  at: number;
  /** Window id, if known. */
  window?: string;
  pid?: number;
}

/** Something that happened on the desktop. `element` is a driver id. Text is cleaned. */
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
        /** The complete title, if `title` is cut. Only for policy rules. */
        fullTitle?: string;
        app?: string;
        /** Real path of its program, as the OS reports it. */
        program?: string;
        role?: 'window' | 'dialog' | 'popup';
      }
    /** Pixels changed: the only sign of many changes that apps do not announce. Screen coordinates. */
    | { type: 'damage'; window: string; box: Box }
    /** An app took over the clipboard, or replaced its own content. `pid`: its process. Never what it contains. */
    | { type: 'clipboard' }
    | { type: 'notification'; text: string; app?: string }
    /** The source is gone or overflowed: code that keeps state must read again. */
    | { type: 'lost'; reason: string }
  );

/** Events in the order of their arrival. Events after `ready` are delivered; earlier ones may be missed. Never rejects. */
export interface EventStream extends AsyncIterable<DriverEvent> {
  readonly ready: Promise<void>;
}

/** Input of the user. `stop`: Escape twice within half a second, the emergency stop. */
export type UserInputKind = 'motion' | 'key' | 'button' | 'stop';

/** Input of the user; input that programs inject is never reported. `lost`: user input is no longer watched. */
export type UserInputEvent =
  { type: 'userInput'; kind: UserInputKind; at: number } | { type: 'lost'; reason: string; at: number };

/** Events after `ready` are delivered. Never rejects: a failure is a `lost` event, followed by the end. */
export interface UserInputEvents extends AsyncIterable<UserInputEvent> {
  readonly ready: Promise<void>;
}

export interface UserInputOptions extends StreamOptions {
  /**
   * Also reports input that was at most this long before the start, as far as the platform knows it. Its origin is
   * unknown then, so it counts as the user's.
   */
  recentMs?: number;
}
