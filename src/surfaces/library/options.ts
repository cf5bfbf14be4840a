import type { PolicyFile } from '../../policy/index.js';
import type { Size } from '../../tree/index.js';
import type { ApprovalAnswer, ApprovalQuestion } from './approval.js';

/** Options of `openDesktop`. */
export interface OpenOptions {
  /**
   * `virtual` (the default) starts a private desktop, which ends when this object is closed or this process ends.
   * `user` is the user's own screen, under the user's policy. Any other value is the name of a running private desktop.
   */
  desktop?: 'virtual' | 'user' | (string & {});
  /** Screen size of a new private desktop. The default is 1280x800. */
  size?: Size;
  /** Number of monitors of a new private desktop: 1 or 2. */
  monitors?: number;
  /**
   * Policy of a new private desktop: a file path or the policy itself. Desktops that already run have their own policy.
   */
  policy?: string | Policy;
  /**
   * Answers approval requests on a new private desktop, in place of the user. Without it, acts that need approval fail
   * with `approval_required`, unless the user is running `deskproof approvals`.
   */
  approve?: (question: ApprovalQuestion) => Promise<ApprovalAnswer>;
  /** How long acts, reads of one element and `expect` wait for the element, in milliseconds. The default is 5000. */
  timeoutMs?: number;
  /**
   * Writes an HTML trace of all calls: `on` at the end and after each failure, `on-failure` only after each failure.
   */
  trace?: 'off' | 'on' | 'on-failure';
  /** Aborting it cancels running calls and closes the desktop. */
  signal?: AbortSignal;
}

/** How long a call may wait. */
export interface Timeout {
  /** Limit in milliseconds. The default is the desktop's `timeoutMs`. */
  timeoutMs?: number;
}

/** How a text is compared. */
export interface Exact {
  /** Match the whole text instead of part of it. Upper and lower case never differ. */
  exact?: boolean;
}

/** Options of every act. */
export interface ActOptions extends Timeout {
  /** Condition that must hold after the act. If it does not, the act fails with `verify_failed`. */
  verify?: Condition;
  /** How long to watch for changes after the act, in milliseconds. The default is 500. */
  settleMs?: number;
  /**
   * How to act: `pattern` uses the app's accessibility actions, `input` uses mouse and keyboard, `auto` (the default)
   * tries the first and falls back to the second.
   */
  method?: 'auto' | 'pattern' | 'input';
}

/** Options of a click. */
export interface ClickOptions extends ActOptions {
  /** Mouse button. The default is `left`. */
  button?: 'left' | 'right' | 'middle';
  /** Keys held down during the click. */
  modifiers?: ('ctrl' | 'shift' | 'alt' | 'meta')[];
}

/** Options of typing. */
export interface TypeOptions extends ActOptions {
  /** Press Enter after the text. */
  enter?: boolean;
  /** Pause between two characters, in milliseconds. */
  delayMs?: number;
  /** Keep the text out of the audit log. */
  redactInLogs?: boolean;
}

/** Options of scrolling. */
export interface ScrollOptions extends Timeout {
  /** The default is `down`. */
  direction?: 'up' | 'down' | 'left' | 'right';
  /** Distance in units of `unit`. The default is 1. */
  amount?: number;
  /** The default is `page`. */
  unit?: 'page' | 'line' | 'percent' | 'pixel';
  /** Continue until this selector is on the screen or the end is reached. */
  until?: string;
}

/** Options of a snapshot. All but `full` affect only its text. */
export interface SnapshotOptions {
  /** Include elements that are not on the screen. */
  full?: boolean;
  /** Show only interactive elements. */
  interactive?: boolean;
  /** Fold elements below this depth. */
  depth?: number;
  /** Show the bounds of each element. */
  bounds?: boolean;
  /** Maximum length of the text in tokens. The default is 2000. */
  maxTokens?: number;
}

/** Options of a screenshot. */
export interface CaptureOptions {
  /** Longest side in pixels. 0 (the default in the library) keeps the original size. */
  maxSize?: number;
  /** The default is `png`. */
  format?: 'png' | 'jpeg';
  /** JPEG quality, 1 to 100. */
  quality?: number;
  /** Include the mouse pointer. */
  cursor?: boolean;
}

/** Options of a screenshot of the screen. Without `monitor` and `region` it shows the whole screen. */
export interface ScreenCaptureOptions extends CaptureOptions {
  /** Number of the monitor, starting at 1. */
  monitor?: number;
  /** Rectangle in screen pixels. */
  region?: { x: number; y: number; width: number; height: number };
}

/** Options of starting a program. `timeoutMs` is how long `firstWindow` waits; the default is 15000. */
export interface LaunchOptions extends Timeout {
  /** Command-line arguments. They are passed without a shell. */
  args?: string[];
  /** Environment variables to add to those of the desktop. */
  env?: Record<string, string>;
  /** Working directory. The default is that of this process. */
  cwd?: string;
}

/**
 * A condition that holds, does not hold or cannot be determined: a selector (an element matches) or an object with one
 * key. See docs/conditions.md for all of them.
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

/** The name of a secret. The policy defines its value, which your program never sees. */
export class Secret {
  constructor(
    /** Name of the secret in the policy. */
    readonly name: string,
  ) {}
}

/** Refers to a secret of the policy by name. Pass the result to `type`. */
export function secret(name: string): Secret {
  return new Secret(name);
}

/** A policy with the same content as a policy file. See docs/policy.md. */
export type Policy = PolicyFile;
