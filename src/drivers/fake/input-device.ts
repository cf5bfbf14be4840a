import { DesktopError, type Deadline } from '../../shared/index.js';
import { contains, type Box, type Point } from '../../tree/index.js';
import {
  MAX_CLICKS,
  MAX_MOVES_AWAY,
  type ActCheckpoints,
  type ActOptions,
  type ActStep,
  type CallOptions,
  type CheckpointGate,
  type Chord,
  type ClickOptions,
  type DragOptions,
  type InputDevice,
  type PressOptions,
  type TypeOptions,
  type Typed,
} from '../contract/index.js';
import type { FakeActions } from './acts.js';
import { maxScrollOffset, pathAt, windowAt } from './layout.js';
import type { World } from './world.js';

const CHUNK = 32;
const NOTCH_PX = 50;

/** Mouse and keyboard of a fake desktop. They act on the element that is really there at that moment. */
export class FakeInputDevice implements InputDevice {
  private at: Point = { x: 0, y: 0 };
  private releases = 0;

  constructor(
    private readonly world: World,
    private readonly acts: FakeActions,
    private readonly checkpoints: ActCheckpoints,
  ) {}

  async pointer(): Promise<Point> {
    return this.at;
  }

  async move(to: Point, { deadline }: CallOptions): Promise<void> {
    deadline.throwIfOver('Moving the mouse');
    if (!contains(this.world.screen, to)) throw offScreenError(to);
    this.at = to;
  }

  click(at: Point, options: ClickOptions): Promise<ActStep<null>> {
    return this.checkpoints.run(options, 'The click', async (gate) => {
      await this.move(at, options);
      const { count = 1 } = options;
      checkCount(count);
      for (let clicks = 0; clicks < count; clicks++) {
        await gate.pass('ready', { sent: clicks }).catch((error: unknown) => withProgress(error, { clicks }));
        this.pressDown(at);
        await this.releaseElsewhere(gate).catch((error: unknown) => withProgress(error, { clicks }));
        this.pressAt(at, options);
      }
      return null;
    });
  }

  /** Presses the element that is there at this moment. */
  private pressAt(at: Point, { button = 'left' }: ClickOptions): void {
    const window = windowAt(this.world.windows, at);
    if (!window) return;
    const widget = pathAt(this.world.placed(window), at).at(-1)?.widget;
    if (button !== 'left')
      this.acts.diary.push(`${button} click ${widget?.role} ${JSON.stringify(widget?.name ?? '')}`);
    else if (widget) this.acts.press(window, widget);
  }

  /** With the button down: throws if it was released somewhere else, or if the checkpoint ended the click. */
  private async releaseElsewhere(gate: CheckpointGate): Promise<void> {
    let away = await gate.pressed().catch(rethrowDelivered);
    if (!away) return;
    for (let moves = 1; away; moves++) {
      this.at = clampToBox(this.world.screen, away);
      away = moves < MAX_MOVES_AWAY ? await gate.pressed(this.at).catch(rethrowDelivered) : undefined;
    }
    throw new DesktopError('not_ready', 'The button was pressed and released elsewhere.', { delivered: 'unknown' });
  }

  private pressDown(at: Point): void {
    const window = windowAt(this.world.windows, at);
    const widget = window && pathAt(this.world.placed(window), at).at(-1)?.widget;
    if (widget?.whenPressed) this.acts.pressDown(widget);
  }

  drag(from: Point, to: Point, options: DragOptions): Promise<ActStep<null>> {
    return this.checkpoints.run(options, 'The drag', async (gate, deadline) => {
      await this.move(from, options);
      await gate.pass('ready');
      const { steps = 10 } = options;
      for (let step = 1; step <= steps; step++) {
        // As on a real desktop, much can happen between two steps.
        await new Promise(setImmediate);
        if (!deadline.over) continue;
        this.acts.diary.push(`drag ${from.x},${from.y} called off`);
        throw interruptedError('The drag', deadline, { step });
      }
      await this.move(to, options);
      await gate.pass('drop').catch((error: unknown) => {
        this.acts.diary.push(`drag ${from.x},${from.y} called off`);
        return rethrowDelivered(error);
      });
      this.acts.diary.push(`drag ${from.x},${from.y} to ${to.x},${to.y}`);
      return null;
    });
  }

  wheel(at: Point, notches: { x?: number; y?: number }, options: ActOptions): Promise<ActStep<null>> {
    return this.checkpoints.run(options, 'Turning the wheel', async (gate) => {
      await this.move(at, options);
      await gate.pass('ready');
      this.turn(at, notches);
      return null;
    });
  }

  private turn(at: Point, { x = 0, y = 0 }: { x?: number; y?: number }): void {
    const window = windowAt(this.world.windows, at);
    const path = window ? pathAt(this.world.placed(window), at).map(({ widget }) => widget) : [];
    const widget = path.at(-1);
    this.acts.diary.push(`wheel ${x},${y} over ${widget?.role} ${JSON.stringify(widget?.name ?? '')}`);
    if (widget?.role === 'spinbutton' && typeof widget.value === 'number') widget.value -= y;
    // As in GTK: a scrollable element takes the wheel, even at its end.
    const scroller = path.findLast(({ scroll }) => scroll);
    if (scroller?.scroll)
      scroller.scroll.offset = Math.max(
        0,
        Math.min(maxScrollOffset(scroller), (scroller.scroll.offset ?? 0) + y * NOTCH_PX),
      );
  }

  press(chords: readonly Chord[], options: PressOptions): Promise<ActStep<null>> {
    return this.checkpoints.run(options, 'Pressing keys', async (gate, deadline) => {
      deadline.throwIfOver('Pressing keys');
      for (const [pressed, chord] of chords.entries()) {
        if (pressed % CHUNK === 0) await gate.pass('chunk').catch((error: unknown) => withProgress(error, { pressed }));
        this.acts.key(chord);
      }
      return null;
    });
  }

  type(text: string, options: TypeOptions): Promise<ActStep<Typed>> {
    return this.checkpoints.run(options, 'Typing', async (gate, deadline) => {
      const characters = [...text];
      const releasesBefore = this.releases;
      let typed = 0;
      for (const chunk of chunksOf(characters, options.chunkSize)) {
        await new Promise(setImmediate);
        if (deadline.over) throw interruptedError('Typing', deadline, { typed });
        if (releasesBefore !== this.releases)
          throw new DesktopError('cancelled', 'The keys were released.', { delivered: 'yes' });
        const sent = typed;
        await gate.pass('chunk', { sent }).catch((error: unknown) => withProgress(error, { typed: sent }));
        const focus = this.world.active?.focus;
        if (focus) this.acts.type(focus, chunk.join(''));
        typed += chunk.length;
      }
      return { typed: characters.length };
    });
  }

  async release(): Promise<void> {
    this.releases += 1;
    this.checkpoints.abandon();
  }
}

/** A character that activates a control begins a chunk, and what follows a line end or a tab begins another. */
function chunksOf(characters: readonly string[], most = CHUNK): string[][] {
  const chunks: string[][] = [];
  for (const character of characters) {
    const last = chunks.at(-1);
    const begins = /\s/.test(character) || /[\t\r\n]/.test(last?.at(-1) ?? '');
    if (!last || begins || last.length >= Math.min(most, CHUNK)) chunks.push([character]);
    else last.push(character);
  }
  return chunks;
}

/** Reports how far it got, as a real input device does. */
function interruptedError(
  what: string,
  { signal }: Deadline,
  done: { typed: number } | { step: number },
): DesktopError {
  const code = signal?.aborted ? 'cancelled' : 'timeout';
  const delivered = 'typed' in done && done.typed === 0 ? 'no' : 'yes';
  return new DesktopError(code, `${what} was cut short.`, { delivered, details: { ...done } });
}

/** The button was pressed, whatever happened then. */
function rethrowDelivered(error: unknown): never {
  throw error instanceof DesktopError ? error.with({ delivered: 'yes' }) : error;
}

/** An act that ends at a checkpoint reports how far it came. */
function withProgress(error: unknown, done: { typed: number } | { pressed: number } | { clicks: number }): never {
  const [sent] = Object.values(done) as [number];
  throw error instanceof DesktopError && sent > 0
    ? error.with({ delivered: 'yes', details: { ...error.details, ...done } })
    : error;
}

function checkCount(count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= MAX_CLICKS) return;
  throw new DesktopError('bad_arguments', `count is ${count}; it must be between 1 and ${MAX_CLICKS}.`);
}

function offScreenError({ x, y }: Point): DesktopError {
  return new DesktopError('bad_arguments', `${x},${y} is not on the screen.`, { hint: 'Give a point on the screen.' });
}

/** The pointer stops at the edge of the screen. */
function clampToBox({ x, y, width, height }: Box, to: Point): Point {
  return {
    x: Math.min(Math.max(to.x, x), x + width - 1),
    y: Math.min(Math.max(to.y, y), y + height - 1),
  };
}
