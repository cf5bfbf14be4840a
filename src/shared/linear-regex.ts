import { BoundedMap } from './bounded-map.js';
import { DesktopError } from './errors.js';

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
export class LinearRegex {
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
    new LinearRegex(source);
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

/** What a pattern is made of. Only the structure is ours; one character is judged by the engine's own classes. */
export type Part =
  | { kind: 'one'; fits: (character: string) => boolean }
  | { kind: 'edge'; fits: (before: string, after: string) => boolean }
  | { kind: 'all'; parts: Part[] }
  | { kind: 'any'; parts: Part[] }
  | { kind: 'many'; part: Part; least: number; most: number };

/** `{n,m}` is written out, so it has to end somewhere. */
const MOST_REPEATS = 256;

const isWord = (character: string): boolean => /^\w$/.test(character);
const EDGES: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  '^': (before) => before === '',
  $: (_, after) => after === '',
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

const TOKEN =
  /\(\?[^]|[()|]|[*+?]|\{\d+(?:,\d*)?\}|\[(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[^]|[^]/gu;

const CURE = 'It may use characters, classes, groups, |, ^, $, \\b and counts: what can be searched in one pass.';

/** Not searched at all: it could take for ever. */
export function unusablePattern(source: string, what: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', `The pattern ${JSON.stringify(source)} ${what}.`, {
    hint,
    details: { what },
  });
}

/** Regular expressions of which a text's match can be found in one pass: all but looking around and back. */
export function parsePattern(source: string): Part {
  return new Parser(source).choice();
}

class Parser {
  private readonly tokens: string[];
  private at = 0;

  constructor(private readonly source: string) {
    if (!isRegex(source)) throw this.fault('is no regular expression');
    this.tokens = source.match(TOKEN) ?? [];
  }

  choice(): Part {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'any', parts };
  }

  private sequence(): Part {
    const parts: Part[] = [];
    for (
      let next = this.tokens[this.at];
      next !== undefined && next !== '|' && next !== ')';
      next = this.tokens[this.at]
    ) {
      parts.push(this.repeated(this.single()));
    }
    return { kind: 'all', parts };
  }

  private repeated(part: Part): Part {
    const token = this.tokens[this.at] ?? '';
    const [least, most] = countsOf(token) ?? [-1, -1];
    if (least < 0) return part;
    if (Math.max(least, most === Infinity ? 0 : most) > MOST_REPEATS)
      throw this.fault(`repeats more than ${MOST_REPEATS} times`);
    this.at++;
    this.take('?'); // Lazy or not: all of a match is masked.
    return { kind: 'many', part, least, most };
  }

  private single(): Part {
    const token = this.tokens[this.at++]!;
    if (token === '(' || token === '(?:') {
      const inner = this.choice();
      this.at++; // The engine has seen to it that there is a ).
      return inner;
    }
    if (token.startsWith('(?')) throw this.fault('looks ahead or behind, or names a group');
    if (/^\\[1-9k]/.test(token)) throw this.fault('looks back to an earlier group');
    const edge = EDGES[token];
    return edge ? { kind: 'edge', fits: edge } : { kind: 'one', fits: this.character(token) };
  }

  private character(token: string): (character: string) => boolean {
    const pattern = new RegExp(`^(?:${token})$`, 'u');
    const known = new BoundedMap<string, boolean>(1_024);
    return (character) => {
      let fits = known.get(character);
      if (fits === undefined) {
        fits = pattern.test(character);
        known.set(character, fits);
      }
      return fits;
    };
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private fault(what: string): DesktopError {
    return unusablePattern(this.source, what, CURE);
  }
}

function countsOf(token: string): [least: number, most: number] | undefined {
  if (token === '*') return [0, Infinity];
  if (token === '+') return [1, Infinity];
  if (token === '?') return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(,)?(\d*)\}$/.exec(token) ?? [];
  if (least === undefined) return undefined;
  return [Number(least), comma === undefined ? Number(least) : most === '' ? Infinity : Number(most)];
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false; // Why is told in terms of the whole pattern; which one it is, the error names.
  }
}
