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
} from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import type { Point } from '../../tree/index.js';
import type { GiveWay, SoFar } from './give-way.js';

/** Keys between two looks at where they go. */
const LOOK_EVERY = 32;

/**
 * Mouse and keys that a person uses too. They wait until the person has let go, end when the person comes in, and take
 * up again only what can be taken up: the rest of a text, the next of several keys.
 */
export class SharedHands implements Hands {
  constructor(
    private readonly hands: Hands,
    private readonly way: GiveWay,
  ) {}

  pointer(options: CallOptions): Promise<Point> {
    return this.hands.pointer(options);
  }

  move(to: Point, options: CallOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.move(to, { ...options, deadline }));
  }

  click(at: Point, options: ClickOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.click(at, { ...options, deadline }));
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.drag(from, to, { ...options, deadline }));
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<void> {
    return this.input(options, (deadline) => this.hands.wheel(at, notches, { ...options, deadline }));
  }

  async press(chords: readonly Chord[], options: PressOptions): Promise<void> {
    const { lastLook, ...rest } = options;
    for (const [pressed, chord] of chords.entries()) {
      const soFar = { words: `${pressed} of ${chords.length} keys were pressed`, details: { pressed } };
      const look = lastLook && pressed % LOOK_EVERY === 0 ? { lastLook } : {};
      try {
        await this.input(
          options,
          (deadline) => this.hands.press([chord], { ...rest, ...look, deadline }),
          chords.length > 1 ? soFar : {},
        );
      } catch (error) {
        throw pressed > 0 && error instanceof DesktopError ? furtherOn(error, soFar) : error;
      }
    }
  }

  async type(text: string, options: TypeOptions): Promise<Typed> {
    const letters = [...text];
    for (let typed = 0; ;) {
      const words = `${typed} of ${letters.length} characters went in`;
      await this.way.beforeInput(typed > 0 ? { words, details: { typed } } : {});
      const part = await this.typePart(letters.slice(typed).join(''), typed, options);
      typed += part.typed;
      if (!part.cut) return { typed, done: part.done };
    }
  }

  release(): Promise<void> {
    return this.hands.release();
  }

  /** As far as it goes before the person comes in. */
  private async typePart(text: string, before: number, options: TypeOptions): Promise<Typed & { cut?: boolean }> {
    const cut = this.way.cut(options.deadline);
    try {
      const typed = await this.hands.type(text, { ...options, deadline: cut.deadline });
      this.way.went(typed.typed > 0 ? 'yes' : 'no');
      return typed;
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      this.way.went(error.delivered);
      const typed = typeof error.details?.typed === 'number' ? error.details.typed : 0;
      if (cut.made && error.code === 'cancelled') return { typed, done: false, cut: true };
      throw before > 0 ? furtherOn(error, { details: { typed: before + typed } }) : error;
    } finally {
      cut.end();
    }
  }

  private async input<T>(
    { deadline }: CallOptions,
    work: (deadline: Deadline) => Promise<T>,
    soFar: SoFar = {},
  ): Promise<T> {
    for (;;) {
      await this.way.beforeInput(soFar);
      const cut = this.way.cut(deadline);
      try {
        const answer = await work(cut.deadline);
        this.way.went('yes');
        return answer;
      } catch (error) {
        if (!(error instanceof DesktopError)) throw error;
        this.way.went(error.delivered);
        if (!cut.made || error.code !== 'cancelled') throw error;
        // Nothing of this went out: once more, when they have let go.
        if (error.delivered !== 'no') throw this.way.interrupted(error, soFar);
      } finally {
        cut.end();
      }
    }
  }
}

/** What went out before counts too. */
function furtherOn(error: DesktopError, { words, details }: SoFar): DesktopError {
  const { code, message, hint } = error;
  const done = words === undefined || message.includes(words) ? '' : `; ${words}`;
  return new DesktopError(code, `${message.replace(/[.\s]+$/, '')}${done}.`, {
    ...(hint !== undefined && { hint }),
    retry: 'no',
    delivered: error.delivered === 'unknown' ? 'unknown' : 'yes',
    details: { ...error.details, ...details },
    cause: error,
  });
}
