import type { Deadline } from '../../../shared/index.js';
import { convert, type SelectionEvent } from './requests.js';
import { tooLong, type SelectionWindow } from './selection-window.js';

export const MOST_BYTES = 10 * 1024 * 1024;

/** The text that another program offers; undefined when it offers something else. */
export async function askOwner(window: SelectionWindow, deadline: Deadline): Promise<string | undefined> {
  const { UTF8_STRING, STRING } = window.atoms;
  for (const target of [UTF8_STRING, STRING]) {
    const answer = await receive(window, target, deadline);
    if (answer) return answer.toString(target === STRING ? 'latin1' : 'utf8');
  }
  return undefined;
}

async function receive(window: SelectionWindow, target: number, deadline: Deadline): Promise<Buffer | undefined> {
  const { client, atoms, id } = window;
  const place = window.nextPlace();
  const pieces = new Arrivals(window, place);
  try {
    const answered = window.next(
      (event): event is Extract<SelectionEvent, { kind: 'answered' }> =>
        event.kind === 'answered' &&
        event.selection === atoms.CLIPBOARD &&
        event.target === target &&
        (event.property === place || event.property === 0),
      deadline,
      'Reading the clipboard',
    );
    client.tellRaw(convert(id, atoms.CLIPBOARD, target, place, 0));
    if ((await answered).property === 0) return undefined;
    pieces.forget();
    const first = await deadline.race(window.take(place, MOST_BYTES), 'Reading the clipboard');
    if (first.type !== atoms.INCR) return first.data;
    return await gather(window, pieces, place, deadline);
  } finally {
    pieces.stop();
  }
}

/** Piece by piece; each is written after the last was taken away, an empty one is the end. */
async function gather(window: SelectionWindow, pieces: Arrivals, place: number, deadline: Deadline): Promise<Buffer> {
  const all: Buffer[] = [];
  let size = 0;
  for (;;) {
    await deadline.race(pieces.next(), 'Reading the clipboard');
    const { data } = await deadline.race(window.take(place, MOST_BYTES), 'Reading the clipboard');
    if (data.length === 0) return Buffer.concat(all);
    size += data.length;
    if (size > MOST_BYTES) throw tooLong();
    all.push(data);
  }
}

/** Counts writes into a property of ours from the beginning, so that none is missed between two awaits. */
class Arrivals {
  private count = 0;
  private wake?: () => void;
  readonly stop: () => void;

  constructor(window: SelectionWindow, property: number) {
    this.stop = window.listen((event) => {
      if (event.kind !== 'property' || event.window !== window.id || event.atom !== property) return;
      if (event.state !== 'new') return;
      this.count += 1;
      this.wake?.();
    });
  }

  forget(): void {
    this.count = 0;
  }

  async next(): Promise<void> {
    while (this.count === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    this.count -= 1;
  }
}
