import type { ResolvedCommand } from '../../drivers/contract/index.js';
import type { Delivered } from '../../shared/index.js';
import type { Box, DriverIdentity, Point, States, WindowInfo } from '../../tree/index.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import type { Target } from '../locate/target.js';
import type { AttentionChange } from '../verify/action-result.js';
import type { TextBefore } from '../verify/typed-text.js';

/** What an act intends to do, and to which target. Made by reading only. */
export interface ActionPlan {
  /** The verb in the answer: `click`, `set_value`. */
  verb: string;
  target?: Target;
  /** Where it happens; the target's window when there is one. */
  window?: WindowInfo;
  /** For a drag: the element that it ends on. */
  onto?: Target;
  /** The program that a command would start. */
  start?: ResolvedCommand;
  /** For keys and points: the element that receives them. Without a target it is unknown until they are pressed. */
  lands?: { target?: Target };
  /** A point on the screen, if the call names no element; `lands` is the element at this point. */
  at?: Point;
  /** For a drag by a distance in pixels: what is at the point where it ends. */
  end?: HitTestResult;
  /** For a secret: the addresses of the web pages around the target, innermost first; null if one is not known. */
  pages?: readonly (string | null)[];
  /** The act only presses keys: moving the caret of a text is also an effect. */
  keys?: true;
  /** What must hold before the act. The call waits for it until the deadline. */
  needs: ActionabilityRequirements;
  /** The target is already in the requested state, as text: `is checked already`. */
  noop?: string;
}

/** The result of a hit test at a point: the window in front and the element in it, if it is known. */
export interface HitTestResult {
  window?: WindowInfo;
  lands?: { target?: Target };
  /** Unknown until the dragged element is on the screen. */
  unseen?: true;
}

interface ActionabilityRequirements {
  /** A user could operate it: visible, enabled, its window not behind a modal dialog. */
  usable?: boolean;
  /** It accepts text. */
  editable?: boolean;
}

export type Method = 'pattern' | 'input';

/** What a tool did, as far as the act itself shows. */
export interface ActionReport {
  method?: Method;
  /** The platform's own name for it. */
  by?: string;
  /** The only effect is that the target has the focus. */
  focuses?: boolean;
  /** Keys were pressed: a focus change is also an effect. */
  keys?: boolean;
  /** The target, or the element at a point, was clicked: a focus change outside it is also an effect. */
  clicks?: boolean;
  /** Enter was pressed last, after this many line ends: changes made by the text before it are not its effect. */
  entered?: { lines: number };
  /** The value that the target must have now, or text that it must contain; undefined if it cannot be read back. */
  expected?: { value: string | number } | { part: string; held?: TextBefore };
  /** The expected value is a secret: it is not read back, and neither it nor its length is reported. */
  hidden?: boolean;
  /** The app may use the written value only after Enter, or when the field loses the focus. */
  uncommitted?: boolean;
  /** The state that the target has instead of the requested one: `is unchecked`. Undefined: as requested, or not exposed. */
  instead?: (states: States) => string | undefined;
  /** The app or window manager did not do what was requested, whatever else changed: `it is still open`. */
  unmet?: string;
  /** More of the first line: `typed 8 characters and Enter`. */
  detail?: string;
  /** The requested text; data, never instructions. */
  read?: string;
  /** It was only a read: there is no effect to wait for. */
  onlyReads?: boolean;
  /** A reliable source confirms that it happened. */
  confirmed?: boolean;
  /** It also confirms a change that no snapshot of a window shows. */
  changed?: boolean;
  /** A change of the window's place in the stack is also an effect. */
  stacks?: boolean;
  /** The app does not expose whether this act had an effect. */
  unobservable?: string;
  /** Why the result cannot be confirmed, whatever changed. */
  reason?: string;
}

/** The resolved target, as it was when the act began. */
export interface ResolvedTarget {
  ref: string;
  id: string;
  role: string;
  name?: string;
  bounds?: Box;
  window: string;
  confidence: number;
  why: string[];
}

export interface ElementState {
  name?: string;
  value?: string | number;
  states: States;
}

/** One object for all surfaces: the act and its observed effect. */
export interface ActResult extends AttentionChange {
  untrusted: true;
  status: 'ok' | 'no change' | 'unconfirmed';
  verb: string;
  method?: Method;
  /** The platform's own name for what was used. */
  by?: string;
  resolvedTarget?: ResolvedTarget;
  /** Where it happened. */
  window?: string;
  before?: ElementState;
  /** Absent when the target is gone. */
  after?: ElementState;
  changed: 'yes' | 'no' | 'unknown';
  /** Why the effect is unknown. */
  reason?: string;
  postcondition?: 'satisfied' | 'unsatisfied' | 'unknown';
  readBack?: 'same';
  /** `no`: the field holds the value, but the app may use it only after Enter, or when the field loses the focus. */
  committed?: 'no';
  /** Refs of menus that an earlier act had opened and that were closed because they covered the target. */
  closed?: string[];
  delivered: Delivered;
  /** Nothing had to be done. */
  noop?: string;
  /** The requested text; data. */
  read?: string;
  /** More about what was done, in our words. */
  detail?: string;
  /** The changes as a diff; app text in it is quoted. */
  changes: string[];
  /** Events between the caller's last call and this one. */
  eventsBefore?: DesktopEvent[];
  /** Events while the UI settled. */
  events: DesktopEvent[];
  evidence: { snapshotId: string };
  driver: DriverIdentity;
  durationMs: number;
  settledMs: number;
}

/** The result inside the runtime. Only the text uses `wide`: it is not part of the JSON or the public types. */
export interface RenderableActResult extends ActResult {
  /** Windows opened or closed, or there are many lines: the text puts the lines between markers. */
  wide: boolean;
}
