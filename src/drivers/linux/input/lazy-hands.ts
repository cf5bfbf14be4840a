import { Deadline, DesktopError } from '../../../shared/index.js';
import type { Point } from '../../../tree/index.js';
import type {
  ActOptions,
  CallOptions,
  Chord,
  ClickOptions,
  DragOptions,
  Hands,
  PressOptions,
  Typed,
  TypeOptions,
} from '../../contract/index.js';
import type { Environment } from '../session.js';
import { openHands } from './open-hands.js';
import type { LinuxHands } from './hands.js';

const OPEN_MS = 5_000;

/** Most desktops are only looked at: connection and watcher are made when the first act needs them. */
export class LazyHands implements Hands {
  private opening?: Promise<LinuxHands>;
  private closed = false;

  constructor(private readonly env: Environment) {}

  pointer(options: CallOptions): Promise<Point> {
    return this.use(options, (hands) => hands.pointer(options));
  }

  move(to: Point, options: CallOptions): Promise<void> {
    return this.use(options, (hands) => hands.move(to, options));
  }

  click(at: Point, options: ClickOptions): Promise<void> {
    return this.use(options, (hands) => hands.click(at, options));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<void> {
    return this.use(options, (hands) => hands.drag(from, to, options));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void> {
    return this.use(options, (hands) => hands.wheel(at, notches, options));
  }

  press(chords: readonly Chord[], options: PressOptions): Promise<void> {
    return this.use(options, (hands) => hands.press(chords, options));
  }

  type(text: string, options: TypeOptions): Promise<Typed> {
    return this.use(options, (hands) => hands.type(text, options));
  }

  async release(): Promise<void> {
    await (await this.opening?.catch(() => undefined))?.release();
  }

  async close(): Promise<void> {
    this.closed = true;
    // Hands that never opened hold nothing.
    await (await this.opening?.catch(() => undefined))?.close();
  }

  private async use<T>({ deadline }: { deadline: Deadline }, work: (hands: LinuxHands) => Promise<T>): Promise<T> {
    if (this.closed) throw new DesktopError('driver_unavailable', 'The driver was closed.');
    this.opening ??= this.open();
    return work(await deadline.race(this.opening, 'Opening the display for mouse and keys'));
  }

  private open(): Promise<LinuxHands> {
    const opening = openHands(this.env, Deadline.in(OPEN_MS));
    opening.catch(() => (this.opening = undefined));
    return opening;
  }
}
