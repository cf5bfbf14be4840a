import type { Selector } from '../../selector/index.js';
import type { Judgement } from './judgement.js';
import type { Moment } from './moment.js';

/** A selector with the words that the caller wrote. */
export interface Written {
  selector: Selector;
  text: string;
}

/** What one kind of condition makes of what was written. */
export interface Asking {
  judge(moment: Moment): Promise<Judgement>;
  /** The selectors in it. */
  selectors?: readonly Written[];
  /** The windows in it, by ref or title. */
  windows?: readonly string[];
  /** The list of windows answers it, so only what happens to windows matters. */
  ofWindows?: boolean;
  /** Keys in it that are about a stretch of time: they cannot be asked just once. */
  overTime?: readonly string[];
}

/** Something that holds, does not hold, or is not known. */
export interface Condition extends Asking {
  key: string;
  /** As it was written. */
  text: string;
}

/** How a kind of condition is written, and what is made of it. */
export interface Kind {
  /** An example, for hints. */
  form: string;
  /** `inner` reads a condition in it. */
  read(given: unknown, inner: (given: unknown) => Condition): Asking;
}
