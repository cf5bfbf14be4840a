import type { WindowNode } from '../../tree/index.js';
import type { CallOptions } from './call.js';
import type { FoundApp } from './capabilities.js';
import type { Checkpointed } from './act-checkpoints.js';

/** What can be done to an element through the interfaces of its app, without mouse and keys. */
export type PatternAct =
  | {
      kind: 'invoke' | 'toggle' | 'select' | 'expand' | 'collapse' | 'focus' | 'scrollIntoView' | 'contextMenu';
    }
  /** One step. `exposedStep`: only if the app reports the size of a step; without it the step is then 1. */
  | { kind: 'increment' | 'decrement'; exposedStep?: boolean }
  /** Replaces the whole text. */
  | { kind: 'setText'; text: string }
  /** At the caret; replaces the selection. */
  | { kind: 'insertText'; text: string }
  | { kind: 'setNumber'; value: number }
  | ({ kind: 'setCaret' } & Caret);

/** The selection of a text field; `start` equals `end` if nothing is selected. In the app's own unit, for `setCaret`. */
export interface Caret {
  start: number;
  end: number;
}

/** For acts on one element or point. */
export type ActOptions = Checkpointed<'ready'> & CallOptions;

export interface PatternAnswer {
  /** The platform's own name of what was used: `Action click`. */
  by: string;
  /** What the app returned. It is not reliable: some apps return true and do nothing. */
  said: boolean;
}

export type WindowChange =
  | { action: 'focus' | 'front' | 'back' | 'minimize' | 'maximize' | 'restore' | 'close' }
  | { action: 'move'; x: number; y: number }
  | { action: 'resize'; width: number; height: number };

export interface WindowAnswer {
  /** Its state after the change; absent if it is closed. */
  window?: WindowNode;
  /** What confirmed the change; absent if nothing did. */
  confirmedBy?: string;
}

export interface Clipboard {
  /** Undefined if it holds no text. */
  read(options: CallOptions): Promise<string | undefined>;
  write(text: string, options: CallOptions): Promise<void>;
  /**
   * The app that copied the current text, as the OS reports it. Empty if the app cannot be determined. Undefined if no
   * app has copied anything, or the text came from `write`.
   */
  owner?(options: CallOptions): Promise<ClipboardOwner | undefined>;
}

/** `secret`: the app marks what it copied as a password, as password managers do. */
export interface ClipboardOwner extends Partial<FoundApp> {
  secret?: boolean;
}
