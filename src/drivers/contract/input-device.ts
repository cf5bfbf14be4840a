import type { Point } from '../../tree/index.js';
import type { ActOptions } from './act.js';
import type { CallOptions } from './call.js';
import type { ActStep, Checkpointed } from './act-checkpoints.js';

export type MouseButton = 'left' | 'middle' | 'right';
export type Modifier = 'ctrl' | 'shift' | 'alt' | 'meta';

/**
 * `ready`: before each press. `pressed`: with the button down, at each press. The error of a click that ends between two
 * presses says in `details.clicks` how many were sent.
 */
export interface ClickRequest extends Checkpointed<'ready' | 'pressed'> {
  button?: MouseButton;
  /** At most `MAX_CLICKS`. */
  count?: number;
  modifiers?: readonly Modifier[];
}

/** A triple click. More presses have no meaning of their own, and each one needs a check. */
export const MAX_CLICKS = 3;

export type ClickOptions = ClickRequest & CallOptions;

/** A drag that is stopped or fails is cancelled: nothing is dropped. */
export interface DragRequest extends Checkpointed<'ready' | 'drop'> {
  steps?: number;
  stepMs?: number;
  button?: MouseButton;
}

export type DragOptions = DragRequest & CallOptions;

/** One press: a key by its name (`Enter`, `F5`, `a`, `ß`) and the modifiers that are held meanwhile. */
export interface Chord {
  key: string;
  modifiers: readonly Modifier[];
}

/**
 * `chunk`: before each chunk of at most 32 characters, or before each character with a delay of 20 ms or more, once the
 * app has processed the characters before it. Also before each character that activates a control which has the focus
 * (space, line end, tab), after a line end or a tab, and as soon as an element reports that it has got the focus. The
 * focus may have moved, or the user may have started to type.
 */
export interface TypeRequest extends Checkpointed<'chunk'> {
  /** Between two characters. */
  delayMs?: number;
  /** The most characters between two checkpoints, if fewer than 32. */
  chunkSize?: number;
}

export type TypeOptions = TypeRequest & CallOptions;

/**
 * `chunk`: before the first key and after each 32 more, or before each key with a delay, once the app has processed all
 * keys so far. An app that does not process them in time is `app_hung`.
 */
export interface PressRequest extends Checkpointed<'chunk'> {
  /** Between two keys. */
  delayMs?: number;
}

export type PressOptions = PressRequest & CallOptions;

export interface Typed {
  /** Characters (code points) that were typed. */
  typed: number;
}

/**
 * Mouse and keyboard as a user would use them. Everything that is pressed is released again: at the end, after an error,
 * when the deadline is over or its signal aborts, when a checkpoint is abandoned, and by a watcher if this process dies.
 * An error's `delivered` says whether input was sent. Methods without a result return `null`, which JSON can carry.
 */
export interface InputDevice {
  pointer(options: CallOptions): Promise<Point>;
  move(to: Point, options: CallOptions): Promise<void>;
  click(at: Point, options: ClickOptions): Promise<ActStep<null>>;
  drag(from: Point, to: Point, options: DragOptions): Promise<ActStep<null>>;
  /** In notches of the wheel: positive is right and down. */
  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<ActStep<null>>;
  press(chords: readonly Chord[], options: PressOptions): Promise<ActStep<null>>;
  /** Types any text exactly; line ends are Enter, tabs are Tab. */
  type(text: string, options: TypeOptions): Promise<ActStep<Typed>>;
  /** Releases everything that is held, at once. An act that is running then fails. */
  release(): Promise<void>;
}
