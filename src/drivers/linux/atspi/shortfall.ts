import { isLate } from './app-link.js';
import { MAX_DEPTH } from './descent.js';

/** What a walk could not read, and why; shared by the walks that it is made of. */
export class Shortfall {
  /** Elements that went away while being read: normal, but worth a word when many. */
  vanished = 0;
  /** The caller's time was up before the end. */
  late = false;
  loop = false;
  'too deep' = false;

  constructor(
    /** Whether a part is of use to the caller; otherwise an end before the end is an error. */
    private readonly partial: boolean,
  ) {}

  /** What `work` gives, or `otherwise` when the time is up. */
  orLate<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
    return work.catch((error: unknown) => {
      if (!this.partial || !isLate(error)) throw error;
      this.late = true;
      return otherwise;
    });
  }

  /** In words; `limit` if that was reached, `misunderstood` answers that were of no use. */
  reason(elementsRead: number, misunderstood: number, limit?: number): string | undefined {
    if (this.late) return `the time was up; only the first ${elementsRead} elements were read`;
    if (limit !== undefined) return `only the first ${limit} elements were read`;
    if (this.loop) return 'the app lists an element among its own descendants; it is told once';
    if (this['too deep']) return `only the first ${MAX_DEPTH} levels were read`;
    if (misunderstood > 0)
      return `${misunderstood} ${misunderstood === 1 ? 'answer' : 'answers'} of the app could not be understood`;
    if (this.vanished > 20 && this.vanished > elementsRead / 4) return 'the window changed while it was read';
    return undefined;
  }
}
