import { DesktopError } from './errors.js';

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
    const known = new Map<string, boolean>();
    return (character) => {
      let fits = known.get(character);
      if (fits === undefined) {
        fits = pattern.test(character);
        if (known.size < 1_024) known.set(character, fits);
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
