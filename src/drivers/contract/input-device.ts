import type { Point } from '../../tree/index.js';
import type { ActOptions } from './act.js';
import type { CallOptions } from './driver.js';

export type MouseButton = 'left' | 'middle' | 'right';
export type Modifier = 'ctrl' | 'shift' | 'alt' | 'meta';

/** So often the mouse is moved with its button down before that is let go of where nothing should be pressed. */
export const MAX_MOVES_AWAY = 5;

export interface ClickOptions extends ActOptions {
  button?: MouseButton;
  count?: number;
  modifiers?: readonly Modifier[];
  /**
   * Asked when the button is down and the app has taken note of it. A point: the click is called off, as a person does
   * who lets go of the button elsewhere. The mouse goes there with the button down, and it is asked again with where the
   * mouse is then as `away` (a screen has edges), until it names no other point (at most `MAX_MOVES_AWAY` times); then
   * the button is let go of, and the click fails with `not_ready`. Whether that did something is `unknown`: there are apps that act on the press.
   */
  onPressed?: (away?: Point) => Promise<Point | undefined>;
}

export interface DragOptions extends ActOptions {
  steps?: number;
  stepMs?: number;
  button?: MouseButton;
  /**
   * Asked at the end, before the button is let go of. When it throws, nothing is dropped: the drag is called off as one
   * that is stopped, and fails with that.
   */
  beforeDrop?: () => Promise<void>;
}

/** One press: a key by its name (`Enter`, `F5`, `a`, `ß`) with what is held down meanwhile. */
export interface Chord {
  key: string;
  modifiers: readonly Modifier[];
}

export interface TypeOptions extends CallOptions {
  /** Between two characters. */
  delayMs?: number;
  /**
   * Asked before each chunk of at most 32 characters, and before each of them with a delay of 20 ms or more: false ends the typing there. The focus may have moved, a person
   * may have begun to type.
   */
  shouldContinue?: () => Promise<boolean>;
}

export interface PressOptions extends CallOptions {
  /** Between two keys. */
  delayMs?: number;
  /**
   * Asked when the app has dealt with all keys so far, before the first of them and after 32 more; before each with a
   * delay. When it throws, no more are pressed. An app that does not get that far is told as `app_hung`.
   */
  precheck?: () => Promise<void>;
}

export interface Typed {
  /** Characters (code points) that went in. */
  typed: number;
  /** All of it. */
  done: boolean;
}

/**
 * Mouse and keys, as a person would use them. Whatever is pressed is released again: at the end, after an error, when
 * the deadline ends or its signal aborts, and by a watcher when this process dies. A method that throws says in
 * `delivered` whether something went out.
 */
export interface InputDevice {
  pointer(options: CallOptions): Promise<Point>;
  move(to: Point, options: CallOptions): Promise<void>;
  click(at: Point, options: ClickOptions): Promise<void>;
  drag(from: Point, to: Point, options: DragOptions): Promise<void>;
  /** In notches of the wheel: positive is right and down. */
  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void>;
  press(chords: readonly Chord[], options: PressOptions): Promise<void>;
  /** Any text, exactly; line ends are Enter, tabs Tab. */
  type(text: string, options: TypeOptions): Promise<Typed>;
  /** Lets go of all that is held, at once; also while another method is under way, which then fails. */
  release(): Promise<void>;
}
