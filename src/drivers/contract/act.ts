import type { WindowNode } from '../../tree/index.js';
import type { CallOptions } from './driver.js';
import type { FoundApp } from './capabilities.js';

/** What can be done to an element without mouse or keys, through what its app offers for it. */
export type PatternAct =
  | {
      kind: 'invoke' | 'toggle' | 'select' | 'expand' | 'collapse' | 'focus' | 'scrollIntoView' | 'contextMenu';
    }
  /** By one step. `toldStep`: only where the app tells how big that is; else it is by 1. */
  | { kind: 'increment' | 'decrement'; toldStep?: boolean }
  /** Replaces all of it. */
  | { kind: 'setText'; text: string }
  /** At the caret, or in place of what is selected. */
  | { kind: 'insertText'; text: string }
  | { kind: 'setNumber'; value: number }
  | ({ kind: 'setCaret' } & Caret);

/** Of a text field: what is selected in it, or twice the same place. In its app's own count, for `setCaret` alone. */
export interface Caret {
  start: number;
  end: number;
}

/** For what is done to one element. */
export interface ActOptions extends CallOptions {
  /**
   * Asked when everything is prepared, with nothing but the act itself after it. When it throws, nothing is done, and
   * what it throws is the answer: the element may have become another meanwhile.
   */
  precheck?: () => Promise<void>;
}

export interface PatternAnswer {
  /** The platform's own word for what was used: `Action click`. */
  by: string;
  /** What the app answered. It proves nothing: apps say true and do nothing. */
  said: boolean;
}

export type WindowChange =
  | { action: 'focus' | 'front' | 'back' | 'minimize' | 'maximize' | 'restore' | 'close' }
  | { action: 'move'; x: number; y: number }
  | { action: 'resize'; width: number; height: number };

export interface WindowAnswer {
  /** As it is now; absent when it is closed. */
  window?: WindowNode;
  /** Who says that it happened; absent when nobody does. */
  confirmedBy?: string;
}

export interface Clipboard {
  /** Undefined when it holds no text. */
  read(options: CallOptions): Promise<string | undefined>;
  write(text: string, options: CallOptions): Promise<void>;
  /**
   * The app that copied what it holds, as the system tells it; empty where that cannot be found out, undefined where
   * nobody has copied anything, or `write` did.
   */
  owner?(options: CallOptions): Promise<Partial<FoundApp> | undefined>;
}
