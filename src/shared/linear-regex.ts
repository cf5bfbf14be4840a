import { BoundedMap } from './bounded-map.js';
import { DesktopError } from './errors.js';

export type Span = [start: number, end: number];

interface State {
  /** Consumes one character that fits. */
  matches?: (character: string) => boolean;
  /** Consumes nothing; passes only where this holds. */
  assertion?: (before: string, after: string) => boolean;
  next: number[];
}

const MAX_STATES = 2_000;
const ACCEPT = 0;

/**
 * A pattern as an automaton that reads each character once, in all its states at the same time, so that no pattern and
 * no text can make it slow. It stores the earliest start that leads to each state. At each end of a match it knows the
 * longest match that ends there; together these cover every character of every match.
 */
export class LinearRegex {
  private readonly states: State[] = [{ next: [] }];
  private readonly start: number;

  constructor(source: string) {
    this.start = this.build(parsePattern(source), ACCEPT);
    if (this.states.length > MAX_STATES)
      throw unusablePattern(source, 'is too large', 'Use smaller counts, or split it into two patterns.');
  }

  /** All non-empty matches in order; matches that touch are joined. */
  spans(text: string): Span[] {
    const spans: Span[] = [];
    let now = new Map<number, number>();
    let before = '';
    let at = 0;
    for (const character of text) {
      this.enter(now, this.start, at, before, character);
      const then = new Map<number, number>();
      const after = nextCharacter(text, at + character.length);
      for (const [state, start] of now) {
        const { matches, next } = this.states[state]!;
        if (!matches?.(character)) continue;
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

  /** Enters a state and all states that follow without consuming a character. An earlier start wins. */
  private enter(into: Map<number, number>, first: number, start: number, before: string, after: string): void {
    const waiting = [first];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if ((into.get(state) ?? Infinity) <= start) continue;
      into.set(state, start);
      const { matches, assertion, next } = this.states[state]!;
      if (!matches && (!assertion || assertion(before, after))) waiting.push(...next);
    }
  }

  private add(state: State): number {
    if (this.states.length <= MAX_STATES) this.states.push(state);
    return this.states.length - 1;
  }

  /** The state that starts `part` and continues with `then`. */
  private build(part: Part, then: number): number {
    switch (part.kind) {
      case 'character':
        return this.add({ matches: part.fits, next: [then] });
      case 'assertion':
        return this.add({ assertion: part.fits, next: [then] });
      case 'sequence':
        return part.parts.reduceRight((next, inner) => this.build(inner, next), then);
      case 'alternation':
        return this.add({ next: part.parts.map((inner) => this.build(inner, then)) });
      case 'repeat':
        return this.buildRepeat(part.part, part.min, part.max, then);
    }
  }

  private buildRepeat(part: Part, min: number, max: number, then: number): number {
    if (this.states.length > MAX_STATES) return then; // It will be rejected for its size anyway.
    let first = then;
    if (max === Infinity) {
      first = this.add({ next: [then] });
      this.states[first]!.next.push(this.build(part, first));
    } else {
      for (let count = min; count < max; count++) first = this.add({ next: [then, this.build(part, first)] });
    }
    for (let count = 0; count < min; count++) first = this.build(part, first);
    return first;
  }
}

/** What is wrong with a pattern, worded to follow the pattern's name. */
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

/** The structure of a pattern. Only the structure is parsed here; the engine's own classes test single characters. */
type Part =
  | { kind: 'character'; fits: (character: string) => boolean }
  | { kind: 'assertion'; fits: (before: string, after: string) => boolean }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'alternation'; parts: Part[] }
  | { kind: 'repeat'; part: Part; min: number; max: number };

/** `{n,m}` is expanded into states, so it needs a limit. */
const MAX_REPEATS = 256;

const isWord = (character: string): boolean => /^\w$/.test(character);
const ASSERTIONS: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  '^': (before) => before === '',
  $: (_, after) => after === '',
  '\\b': (before, after) => isWord(before) !== isWord(after),
  '\\B': (before, after) => isWord(before) === isWord(after),
};

const TOKEN =
  /\(\?[^]|[()|]|[*+?]|\{\d+(?:,\d*)?\}|\[(?:\\[^]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[^]|[^]/gu;

const SUPPORTED_SYNTAX =
  'Use only characters, classes, groups, |, ^, $, \\b and counts: a pattern must be searchable in one pass.';

/** A pattern that could take forever is not searched at all. */
function unusablePattern(source: string, what: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', `The pattern ${JSON.stringify(source)} ${what}.`, {
    hint,
    details: { what },
  });
}

/** Parses a regular expression that can be searched in one pass: everything except lookaround and backreferences. */
function parsePattern(source: string): Part {
  return new Parser(source).alternation();
}

class Parser {
  private readonly tokens: string[];
  private at = 0;

  constructor(private readonly source: string) {
    if (!isRegex(source)) throw this.unusable('is not a regular expression');
    this.tokens = source.match(TOKEN) ?? [];
  }

  alternation(): Part {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'alternation', parts };
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
    return { kind: 'sequence', parts };
  }

  private repeated(part: Part): Part {
    const token = this.tokens[this.at] ?? '';
    const [min, max] = repeatCounts(token) ?? [-1, -1];
    if (min < 0) return part;
    if (Math.max(min, max === Infinity ? 0 : max) > MAX_REPEATS)
      throw this.unusable(`repeats more than ${MAX_REPEATS} times`);
    this.at++;
    this.take('?'); // Lazy or greedy makes no difference: all of a match is redacted.
    return { kind: 'repeat', part, min, max };
  }

  private single(): Part {
    const token = this.tokens[this.at++]!;
    if (token === '(' || token === '(?:') {
      const inner = this.alternation();
      this.at++; // The engine already checked that the ) exists.
      return inner;
    }
    if (token.startsWith('(?')) throw this.unusable('uses lookahead, lookbehind or a named group');
    if (/^\\[1-9k]/.test(token)) throw this.unusable('refers back to an earlier group');
    const assertion = ASSERTIONS[token];
    return assertion ? { kind: 'assertion', fits: assertion } : { kind: 'character', fits: this.character(token) };
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

  private unusable(what: string): DesktopError {
    return unusablePattern(this.source, what, SUPPORTED_SYNTAX);
  }
}

function repeatCounts(token: string): [min: number, max: number] | undefined {
  if (token === '*') return [0, Infinity];
  if (token === '+') return [1, Infinity];
  if (token === '?') return [0, 1];
  const [, min, comma, max] = /^\{(\d+)(,)?(\d*)\}$/.exec(token) ?? [];
  if (min === undefined) return undefined;
  return [Number(min), comma === undefined ? Number(min) : max === '' ? Infinity : Number(max)];
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false; // The caller's error names the whole pattern and says what is wrong.
  }
}
