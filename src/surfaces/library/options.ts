import type { PolicyFile } from '../../policy/index.js';
import type { Size } from '../../tree/index.js';
import type { ApprovalAnswer, ApprovalQuestion } from './approval.js';

/** How a desktop is opened. */
export interface OpenOptions {
  /**
   * `virtual` (the default) starts a private desktop that ends with this object, and with this process; `user` is the
   * person's own screen, under their policy; anything else is the name of a private desktop that runs already.
   */
  desktop?: 'virtual' | 'user' | (string & {});
  /** Of a new private desktop; 1280x800 by default. */
  size?: Size;
  /** Of a new private desktop: 1 or 2. */
  monitors?: number;
  /** For a new private desktop: the file of a policy, or the policy itself. Other desktops have theirs already. */
  policy?: string | Policy;
  /**
   * Answers what the policy leaves to a person, on a new private desktop. Without it such acts fail with
   * `approval_required`, unless somebody runs `deskproof approvals`.
   */
  approve?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** How long acts, reads of one element and `expect` wait for what they need; 5000 by default. */
  timeoutMs?: number;
  /** A page of all that was done: at the end (`on`), or with each failure (`on-failure`, also with `on`). */
  trace?: 'off' | 'on' | 'on-failure';
  /** Aborting it ends what is under way and closes the desktop. */
  signal?: AbortSignal;
}

/** How long to wait. */
export interface Timeout {
  /** Milliseconds; the desktop's `timeoutMs` by default. */
  timeoutMs?: number;
}

/** Whether a text is meant as a whole. */
export interface Exact {
  /** The whole text, instead of a part of it. Upper and lower case are the same in both. */
  exact?: boolean;
}

/** What every act takes. */
export interface ActOptions extends Timeout {
  /** What must hold afterwards; if it does not, the act fails with `verify_failed`. */
  verify?: Condition;
  /** How long to look for what the act changes; 500 by default. */
  settleMs?: number;
  /** By what the app offers (`pattern`), by mouse and keys (`input`), or by whichever works (`auto`, the default). */
  method?: 'auto' | 'pattern' | 'input';
}

/** How to click. */
export interface ClickOptions extends ActOptions {
  /** `left` by default. */
  button?: 'left' | 'right' | 'middle';
  /** Held down meanwhile. */
  modifiers?: ('ctrl' | 'shift' | 'alt' | 'meta')[];
}

/** How to type. */
export interface TypeOptions extends ActOptions {
  /** Press Enter after it. */
  enter?: boolean;
  /** Between two characters. */
  delayMs?: number;
  /** Keep the text out of the log. */
  redactInLogs?: boolean;
}

/** How far to scroll. */
export interface ScrollOptions extends Timeout {
  /** `down` by default. */
  direction?: 'up' | 'down' | 'left' | 'right';
  /** 1 by default. */
  amount?: number;
  /** `page` by default. */
  unit?: 'page' | 'line' | 'percent' | 'pixel';
  /** Go on until this selector shows, or the end is reached. */
  until?: string;
}

/** What to look at, and how the text of it is written. */
export interface SnapshotOptions {
  /** Also what is not on the screen. */
  full?: boolean;
  /** Controls only, in the text. */
  interactive?: boolean;
  /** Fold what is deeper, in the text. */
  depth?: number;
  /** Where everything is, in the text. */
  bounds?: boolean;
  /** Of the text; 2000 by default. */
  maxTokens?: number;
}

/** What the picture should be like. */
export interface CaptureOptions {
  /** Longest side; 0 (the default here) is the true size. */
  maxSize?: number;
  /** `png` by default. */
  format?: 'png' | 'jpeg';
  /** Of a JPEG, 1 to 100. */
  quality?: number;
  /** With the mouse pointer. */
  cursor?: boolean;
}

/** Which part of the screen; the whole of it by default. */
export interface ScreenCaptureOptions extends CaptureOptions {
  /** Counted from 1. */
  monitor?: number;
  /** In pixels of the screen. */
  region?: { x: number; y: number; width: number; height: number };
}

/** How a program is started. */
export interface LaunchOptions extends Timeout {
  /** Its arguments; there is no shell. */
  args?: string[];
  /** On top of the desktop's own environment. */
  env?: Record<string, string>;
  /** The directory of this process by default. */
  cwd?: string;
}

/**
 * Something that holds, does not hold, or is not known: a selector (it exists), or an object with one key. All of them:
 * docs/conditions.md.
 */
export type Condition =
  | string
  | { exists: string }
  | { gone: string }
  | { count: [selector: string, n: number] | [selector: string, min: number | null, max: number | null] }
  | { state: [selector: string, state: string, is: boolean | 'mixed'] }
  | { value: [selector: string, value: string | number] }
  | { text: string | [selector: string, text: string] }
  | { window: string }
  | { windowClosed: string }
  | { focused: string }
  | { changed: string }
  | { stableMs: number }
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition };

/** A secret by its name. What it is only the policy knows, and only its owner can read that. */
export class Secret {
  constructor(
    /** As the policy calls it. */
    readonly name: string,
  ) {}
}

/** The secret that the policy has under this name, to be given to `type`. */
export function secret(name: string): Secret {
  return new Secret(name);
}

/** A policy as it stands in a file: docs/policy.md. */
export type Policy = PolicyFile;
