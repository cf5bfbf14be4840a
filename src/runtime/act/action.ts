import type { ResolvedCommand } from '../../drivers/contract/index.js';
import type { Delivered } from '../../shared/index.js';
import type { Box, DriverIdentity, Point, States, WindowInfo } from '../../tree/index.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import type { Target } from '../locate/target.js';
import type { AttentionChange } from '../verify/action-result.js';
import type { TextBefore } from '../verify/typed-text.js';

/** What an act is going to be done to. Found by reading alone. */
export interface ActionPlan {
  /** As the answer says it: `click`, `set_value`. */
  verb: string;
  target?: Target;
  /** Where it happens; the target's window when there is one. */
  window?: WindowInfo;
  /** Of a drag: where it ends. */
  onto?: Target;
  /** What a command would start. */
  start?: ResolvedCommand;
  /** Of keys and of points: what they will be pressed on. Without a target nobody can say before they are. */
  lands?: { target?: Target };
  /** A point of the screen, when nothing else was named; `lands` is what is there. */
  at?: Point;
  /** Of a drag by so many pixels: what is where it ends. */
  end?: HitTestResult;
  /** Keys alone will be pressed: that they move the caret of a text is an effect, too. */
  keys?: true;
  /** What must hold before anything is done; waited for until the deadline. */
  needs: ActionabilityRequirements;
  /** Nothing is to be done: it is as wished already. In words: `is checked already`. */
  noop?: string;
}

/** What the mouse meets at a point: what is in front there, and in that the element, if anybody can say. */
export interface HitTestResult {
  window?: WindowInfo;
  lands?: { target?: Target };
  /** Nobody can say before what is dragged is on the screen. */
  unseen?: true;
}

interface ActionabilityRequirements {
  /** A person could use it: shown, enabled, its window not behind a modal dialog. */
  usable?: boolean;
  /** It takes text. */
  editable?: boolean;
}

export type Method = 'pattern' | 'input';

/** What was done, as far as the doing itself tells. */
export interface ActionReport {
  method?: Method;
  /** The platform's own word for it. */
  by?: string;
  /** That the target has the focus is the whole effect. */
  focuses?: boolean;
  /** Keys were pressed: that something else has the focus is an effect, too. */
  keys?: boolean;
  /** It, or what lies at a point, was clicked: that something beyond it has the focus is an effect, too. */
  clicks?: boolean;
  /** Enter came last, after so many line ends: what the text before it changed is not its effect. */
  entered?: { lines: number };
  /** What the target must read as now, or what must be in it; undefined where it cannot be read back. */
  expected?: { value: string | number } | { part: string; held?: TextBefore };
  /** What is expected is a secret: it is neither read back nor told, nor how long it is. */
  hidden?: boolean;
  /** What the target is instead of what was wished for: `is unchecked`. Undefined: as wished, or it does not tell. */
  instead?: (states: States) => string | undefined;
  /** Who was asked for it has not done it, whatever else came of it: `it is still open`. */
  unmet?: string;
  /** More of the first line: `typed 8 characters and Enter`. */
  detail?: string;
  /** Text that was asked for; data, never instructions. */
  read?: string;
  /** It was only a look: there is no effect to wait for. */
  onlyReads?: boolean;
  /** Somebody who knows says that it happened. */
  confirmed?: boolean;
  /** And that something is other than before, which no look into a window shows. */
  changed?: boolean;
  /** That its window is in front of others now, or behind them, is an effect, too. */
  stacks?: boolean;
  /** The app does not tell whether this act had an effect. */
  unobservable?: string;
  /** Why nobody can say whether it did what it was for, whatever changed. */
  reason?: string;
}

/** What was found for the target, as it was when the act began. */
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

/** One object for all surfaces: what an act was, and what is known of its effect. */
export interface ActResult extends AttentionChange {
  untrusted: true;
  status: 'ok' | 'no change' | 'unconfirmed';
  verb: string;
  method?: Method;
  /** The platform's own word for what was used. */
  by?: string;
  resolvedTarget?: ResolvedTarget;
  /** Where it happened. */
  window?: string;
  before?: ElementState;
  /** Absent when the target is gone. */
  after?: ElementState;
  changed: 'yes' | 'no' | 'unknown';
  /** Why one cannot tell. */
  reason?: string;
  postcondition?: 'satisfied' | 'unsatisfied' | 'unknown';
  readBack?: 'same';
  /** Refs of menus that an earlier act had opened, and that were in the way of this one. */
  closed?: string[];
  delivered: Delivered;
  /** Nothing had to be done. */
  noop?: string;
  /** Text that was asked for; data. */
  read?: string;
  /** More of what was done, in our words. */
  detail?: string;
  /** What changed, in the form of a difference; app text in it is quoted. */
  changes: string[];
  /** What happened between the caller's last call and this one, not by it. */
  eventsBefore?: DesktopEvent[];
  /** Seen while it settled. */
  events: DesktopEvent[];
  evidence: { snapshotId: string };
  driver: DriverIdentity;
  durationMs: number;
  settledMs: number;
}

/** How the runtime passes a result on. `wide` is for the text only: neither JSON nor the public types have it. */
export interface RenderableActResult extends ActResult {
  /** Windows opened or closed, or there are more than a few lines: the text puts the lines between markers. */
  wide: boolean;
}
