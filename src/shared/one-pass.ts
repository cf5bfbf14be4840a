import { DesktopError } from './errors.js';
import { parsePattern, unusablePattern, type Part } from './parse-pattern.js';

export type Span = [start: number, end: number];

interface State {
  /** Goes on over one character. */
  fits?: (character: string) => boolean;
  /** Goes on without one, where this holds. */
  edge?: (before: string, after: string) => boolean;
  next: number[];
}

const MOST_STATES = 2_000;
const ACCEPT = 0;

/**
 * A pattern as a machine that reads each character once, in all of its states at the same time: no pattern and no text
 * can make it slow. It remembers for each state the earliest start that led there; at each end of a match the longest
 * one that ends there is known, and together these cover every character of every match.
 */
export class OnePass {
  private readonly states: State[] = [{ next: [] }];
  private readonly first: number;

  constructor(source: string) {
    this.first = this.build(parsePattern(source), ACCEPT);
    if (this.states.length > MOST_STATES)
      throw unusablePattern(source, 'is too large', 'Use smaller counts, or make two of it.');
  }

  /** All matches that are not empty, in order, joined where they meet. */
  spans(text: string): Span[] {
    const spans: Span[] = [];
    let now = new Map<number, number>();
    let before = '';
    let at = 0;
    for (const character of text) {
      this.enter(now, this.first, at, before, character);
      const then = new Map<number, number>();
      const after = nextCharacter(text, at + character.length);
      for (const [state, start] of now) {
        const { fits, next } = this.states[state]!;
        if (!fits?.(character)) continue;
        for (const target of next) this.enter(then, target, start, character, after);
      }
      at += character.length;
      const start = then.get(ACCEPT);
      if (start !== undefined) addSpan(spans, start, at);
      now = then;
      before = character;
    }
    return spans;
  }

  /** Into a state and all that follow from it without a character. An earlier start is the better one. */
  private enter(into: Map<number, number>, first: number, start: number, before: string, after: string): void {
    const waiting = [first];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if ((into.get(state) ?? Infinity) <= start) continue;
      into.set(state, start);
      const { fits, edge, next } = this.states[state]!;
      if (!fits && (!edge || edge(before, after))) waiting.push(...next);
    }
  }

  private add(state: State): number {
    if (this.states.length <= MOST_STATES) this.states.push(state);
    return this.states.length - 1;
  }

  /** The state that begins `part` and goes on to `then`. */
  private build(part: Part, then: number): number {
    switch (part.kind) {
      case 'one':
        return this.add({ fits: part.fits, next: [then] });
      case 'edge':
        return this.add({ edge: part.fits, next: [then] });
      case 'all':
        return part.parts.reduceRight((next, inner) => this.build(inner, next), then);
      case 'any':
        return this.add({ next: part.parts.map((inner) => this.build(inner, then)) });
      case 'many':
        return this.buildMany(part.part, part.least, part.most, then);
    }
  }

  private buildMany(part: Part, least: number, most: number, then: number): number {
    if (this.states.length > MOST_STATES) return then; // It is refused for its size anyway.
    let first = then;
    if (most === Infinity) {
      first = this.add({ next: [then] });
      this.states[first]!.next.push(this.build(part, first));
    } else {
      for (let count = least; count < most; count++) first = this.add({ next: [then, this.build(part, first)] });
    }
    for (let count = 0; count < least; count++) first = this.build(part, first);
    return first;
  }
}

/** What is wrong with a pattern, to be said after its name. */
export function patternFault(source: string): { what: string; hint?: string | undefined } | undefined {
  try {
    new OnePass(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return { what: String(error.details?.what), hint: error.hint };
  }
}

function nextCharacter(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

function addSpan(spans: Span[], start: number, end: number): void {
  while (spans.length > 0 && spans.at(-1)![1] >= start) start = Math.min(start, spans.pop()![0]);
  spans.push([start, end]);
}
