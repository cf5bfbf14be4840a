import type {
  ActOptions,
  ActStep,
  CallOptions,
  Chord,
  ClickOptions,
  DragOptions,
  Driver,
  InputDevice,
  PressOptions,
  Typed,
  TypeOptions,
} from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { Point } from '../../tree/index.js';
import { type ActChecks, checkpointsOf, runChecked } from './checked-act.js';
import type { ActProgress, InputArbiter } from './input-arbiter.js';

/** Asked before each chunk of a text, with the characters typed so far. `sameWindow`: see `Checkpoint`. */
export type ShouldContinue = (typed: number, sameWindow: boolean) => Promise<boolean>;

/** How far a text was typed. `done` is false if the check before a chunk ended it. */
export interface TypedText extends Typed {
  done: boolean;
}

/**
 * The input device of a driver, which the user also uses. It waits until the user is idle, stops when the user
 * intervenes, and continues only what can be continued: the rest of a text, the next of several keys.
 */
export class ArbitratedInput {
  constructor(
    private readonly driver: Driver,
    private readonly device: InputDevice,
    private readonly arbiter: InputArbiter,
  ) {}

  move(to: Point, options: CallOptions): Promise<void> {
    return this.input(options, (deadline) => this.device.move(to, { ...options, deadline }));
  }

  async click(at: Point, options: ClickOptions, checks: Pick<ActChecks, 'ready' | 'pressed'> = {}): Promise<void> {
    const checkpoints = checkpointsOf(checks);
    await this.checked(options, checks, (call) => this.device.click(at, { ...options, checkpoints, ...call }));
  }

  async drag(from: Point, to: Point, options: DragOptions, checks: Pick<ActChecks, 'ready' | 'drop'>): Promise<void> {
    const checkpoints = checkpointsOf(checks);
    await this.checked(options, checks, (call) => this.device.drag(from, to, { ...options, checkpoints, ...call }));
  }

  async wheel(
    at: Point,
    notches: { x?: number; y?: number },
    options: ActOptions,
    checks: Pick<ActChecks, 'ready'>,
  ): Promise<void> {
    const checkpoints = checkpointsOf(checks);
    await this.checked(options, checks, (call) => this.device.wheel(at, notches, { ...options, checkpoints, ...call }));
  }

  /** `check` is called before each key, once the app has processed the keys before it. */
  async press(
    chords: readonly Chord[],
    options: PressOptions,
    check?: (pressed: number) => Promise<void>,
  ): Promise<void> {
    const { delayMs = 0 } = options;
    for (const [pressed, chord] of chords.entries()) {
      const progress: ActProgress = { text: `${pressed} of ${chords.length} keys were pressed`, details: { pressed } };
      const checks = check ? { chunk: () => check(pressed) } : {};
      const checkpoints = checkpointsOf(checks);
      try {
        if (pressed > 0 && delayMs > 0) await options.deadline.sleep(delayMs, 'The pause between two keys');
        await this.checked(
          options,
          checks,
          (call) => this.device.press([chord], { ...options, checkpoints, ...call }),
          chords.length > 1 ? progress : {},
        );
      } catch (error) {
        throw pressed > 0 && error instanceof DesktopError ? withEarlierProgress(error, progress) : error;
      }
    }
  }

  /** `shouldContinue` is asked before each chunk; false ends the typing there. */
  async type(text: string, options: TypeOptions, shouldContinue?: ShouldContinue): Promise<TypedText> {
    const characters = [...text];
    for (let typed = 0; ;) {
      const words = `${typed} of ${characters.length} characters were typed`;
      await this.arbiter.beforeInput(typed > 0 ? { text: words, details: { typed } } : {});
      const part = await this.typePart(characters.slice(typed).join(''), typed, options, shouldContinue);
      typed += part.typed;
      if (!part.cut) return { typed, done: part.done };
    }
  }

  /** Types until the user intervenes. */
  private async typePart(
    text: string,
    before: number,
    options: TypeOptions,
    shouldContinue?: ShouldContinue,
  ): Promise<TypedText & { cut?: boolean }> {
    const interruption = this.arbiter.interruptible(options.deadline);
    const { deadline } = interruption;
    let ended = false;
    const chunk = async (sent: number, sameWindow: boolean): Promise<void> => {
      if (!shouldContinue || (await shouldContinue(before + sent, sameWindow))) return;
      ended = true;
      throw new DesktopError('cancelled', 'Typing was ended by its check.');
    };
    const checks = shouldContinue ? { chunk } : {};
    try {
      const { typed } = await runChecked(this.driver, checks, { deadline }, () =>
        this.device.type(text, { ...options, checkpoints: checkpointsOf(checks), deadline }),
      );
      this.arbiter.noteDelivered(typed > 0 ? 'yes' : 'no');
      return { typed, done: true };
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      this.arbiter.noteDelivered(error.delivered);
      const typed = typeof error.details?.typed === 'number' ? error.details.typed : 0;
      if (ended) return { typed, done: false };
      if (interruption.byUser && error.code === 'cancelled') return { typed, done: false, cut: true };
      throw before > 0 ? withEarlierProgress(error, { details: { typed: before + typed } }) : error;
    } finally {
      interruption.end();
    }
  }

  private checked<T>(
    options: CallOptions,
    checks: ActChecks,
    begin: (call: CallOptions) => Promise<ActStep<T>>,
    progress?: ActProgress,
  ): Promise<T> {
    return this.input(
      options,
      (deadline) => runChecked(this.driver, checks, { deadline }, () => begin({ deadline })),
      progress,
    );
  }

  private async input<T>(
    { deadline }: CallOptions,
    work: (deadline: Deadline) => Promise<T>,
    progress: ActProgress = {},
  ): Promise<T> {
    for (;;) {
      await this.arbiter.beforeInput(progress);
      const interruption = this.arbiter.interruptible(deadline);
      try {
        const answer = await work(interruption.deadline);
        this.arbiter.noteDelivered('yes');
        return answer;
      } catch (error) {
        if (!(error instanceof DesktopError)) throw error;
        this.arbiter.noteDelivered(error.delivered);
        if (!interruption.byUser || error.code !== 'cancelled') throw error;
        // Nothing was delivered: try again when the user is idle.
        if (error.delivered !== 'no') throw this.arbiter.interruptedError(error, progress);
      } finally {
        interruption.end();
      }
    }
  }
}

/** Adds what was delivered before. */
function withEarlierProgress(error: DesktopError, { text, details }: ActProgress): DesktopError {
  const { code, message, hint } = error;
  const done = text === undefined || message.includes(text) ? '' : `; ${text}`;
  return new DesktopError(code, `${message.replace(/[.\s]+$/, '')}${done}.`, {
    ...(hint !== undefined && { hint }),
    retry: 'no',
    delivered: error.delivered === 'unknown' ? 'unknown' : 'yes',
    details: { ...error.details, ...details },
    cause: error,
  });
}
