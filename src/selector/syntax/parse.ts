import {
  combine,
  RELATIONS,
  type Chain,
  type MatchStep,
  type Selector,
  type Source,
  type Step,
  type Term,
} from '../ast.js';
import { Cursor } from './cursor.js';
import { checkOrder, readNth, readRelation, refuseMisspelled, type StepContext } from './step.js';
import { nothingHere, readAtom, underOcr } from './atom.js';
import { foundAt } from './syntax-error.js';

export const LIMITS = { characters: 2000, alternatives: 8, steps: 16, nesting: 8 } as const;

const PREFIX = /(any|atspi|uia|win32|ax|sap|ocr)\s*:/iy;
const HAS = /has\s*\(/iy;

/**
 * Parses a selector. A text with two possible meanings is an error that shows both spellings; the parser never guesses.
 */
export function parseSelector(input: string): Selector {
  const cursor = new Cursor(input);
  if (input.length > LIMITS.characters) {
    const message = `the selector is longer than ${LIMITS.characters.toLocaleString('en')} characters`;
    throw cursor.fault({ at: LIMITS.characters, message, hint: 'Ask for less: a part of a name with ~=.' });
  }
  return new Parser(cursor).selector();
}

/** The construct around the term that is being read. It decides what may end the term. */
type Inside = 'selector' | 'has' | 'group';

class Parser {
  private depth = 0;

  constructor(private readonly cursor: Cursor) {}

  selector(): Selector {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.done) {
      throw cursor.fault({
        message: 'an empty selector',
        hint: 'Write a name, role:name, or a ref: "Save", button:Save, e12.',
        expected: ['a selector'],
      });
    }
    const alternatives = [this.chain('selector')];
    while (!cursor.done) {
      if (alternatives.length === LIMITS.alternatives) throw this.tooMany('alternatives', 2);
      cursor.at += 2;
      alternatives.push(this.chain('selector'));
    }
    return { alternatives };
  }

  /** Ends before `??`, at the end, or before the `)` of a `has`. */
  private chain(inside: 'selector' | 'has'): Chain {
    const { cursor } = this;
    const steps: Step[] = [];
    const places: number[] = [];
    for (;;) {
      cursor.skipSpace();
      places.push(cursor.at);
      steps.push(this.step(steps, inside));
      checkOrder(cursor, steps, places);
      cursor.skipSpace();
      if (!cursor.input.startsWith('>>', cursor.at)) break;
      if (steps.length === LIMITS.steps) throw this.tooMany('steps', 2);
      cursor.at += 2;
    }
    checkOrder(cursor, steps, places, true);
    return { steps };
  }

  private step(before: readonly Step[], inside: Inside): Step {
    const { cursor } = this;
    const own = readNth(cursor, before.length === 0) ?? readRelation(cursor);
    if (own) {
      this.expectEnd(inside, own.kind);
      return own;
    }
    if (before.length > 0) refuseMisspelled(cursor);
    const match = this.match();
    this.expectEnd(inside, 'match');
    return match;
  }

  private match(): MatchStep {
    const { cursor } = this;
    const context: StepContext = { prefixAt: cursor.at };
    const prefix = cursor.take(PREFIX);
    const word = prefix?.[1]!.toLowerCase();
    if (word !== undefined && word !== 'any') context.source = word as Source;
    const after = cursor.at;
    cursor.skipSpace();
    if (prefix && cursor.atStop()) {
      const message = `expected a selector after ${word}:`;
      throw cursor.fault({
        at: after,
        message,
        hint: `Write ${word}:role=button or ${word}:"Save".`,
        expected: ['a selector'],
      });
    }
    const term = this.or(context);
    return { kind: 'match', ...(context.source && { source: context.source }), term };
  }

  private or(context: StepContext): Term {
    const terms = [this.and(context)];
    while (this.cursor.takeWord('||')) terms.push(this.and(context));
    return combine('or', terms);
  }

  private and(context: StepContext): Term {
    const terms = [this.unary(context)];
    this.cursor.skipSpace();
    while (this.cursor.takeWord('&&')) {
      terms.push(this.unary(context));
      this.cursor.skipSpace();
    }
    return combine('and', terms);
  }

  private unary(context: StepContext): Term {
    const { cursor } = this;
    cursor.skipSpace();
    const at = cursor.at;
    if (cursor.char === '!') {
      cursor.at++;
      return { kind: 'not', term: this.deeper(at, () => this.unary(context)) };
    }
    if (cursor.char === '(') {
      cursor.at++;
      const term = this.deeper(at, () => this.or(context));
      this.close(at, 'group');
      return term;
    }
    if (cursor.take(HAS)) {
      if (context.source === 'ocr') throw underOcr(cursor, context.prefixAt, 'has');
      const chain = this.deeper(at, () => this.chain('has'));
      this.close(at, 'has');
      return { kind: 'has', chain };
    }
    if (cursor.atStop()) throw nothingHere(cursor);
    return readAtom(cursor, context);
  }

  private deeper<T>(at: number, read: () => T): T {
    if (this.depth === LIMITS.nesting) {
      throw this.cursor.fault({
        at,
        message: `more than ${LIMITS.nesting} terms inside each other`,
        hint: 'Take out parentheses, ! or has(…) that change nothing.',
      });
    }
    this.depth++;
    const result = read();
    this.depth--;
    return result;
  }

  private close(open: number, inside: 'group' | 'has'): void {
    const { cursor } = this;
    cursor.skipSpace();
    if (cursor.takeWord(')')) return;
    if (cursor.done) {
      const message = inside === 'has' ? 'has( is not closed' : '"(" is not closed';
      const hint = 'Add ). A text that contains a parenthesis can be quoted.';
      throw cursor.fault({ at: open, message, hint, expected: [')'], found: 'the end' });
    }
    throw this.unexpected(inside);
  }

  /** After a step, only something that ends it may follow. */
  private expectEnd(inside: Inside, kind: Step['kind']): void {
    const { cursor } = this;
    cursor.skipSpace();
    const { done, input, at } = cursor;
    if (done || input.startsWith('>>', at)) return;
    if (inside === 'has' ? cursor.char === ')' : input.startsWith('??', at)) return;
    if (kind !== 'match') {
      const what = kind === 'nth' ? 'nth' : 'a relation';
      const hint = kind === 'nth' ? 'Write … >> nth=0.' : `Write "Total" >> ${RELATIONS[0]} >> role=textbox.`;
      throw cursor.fault({ message: `${what} is a step of its own`, hint, expected: ['>>', '??', 'the end'] });
    }
    throw this.unexpected(inside);
  }

  private unexpected(inside: Inside): Error {
    const { cursor } = this;
    const found = foundAt(cursor.input, cursor.at);
    if (inside !== 'selector' && (found === '">>"' || found === '"??"')) {
      const where = inside === 'has' ? 'has( )' : 'parentheses';
      const rest = inside === 'has' ? 'Write has(…) || has(…).' : 'Use || inside a step, ?? between whole selectors.';
      const hint = `Parentheses group terms of one step. ${rest}`;
      return cursor.fault({ length: 2, message: `${found} cannot stand inside ${where}`, hint, expected: ['||', ')'] });
    }
    if (inside === 'selector' && found === '")"') {
      const hint = 'Take it out, or quote the text if it contains a parenthesis.';
      return cursor.fault({ message: '")" was not opened', hint, expected: ['&&', '||', '>>', '??', 'the end'] });
    }
    const expected = inside === 'group' ? ['&&', '||', ')'] : ['&&', '||', '>>', inside === 'has' ? ')' : '??'];
    const list = inside === 'selector' ? `${expected.join(' ')} or the end` : `${expected.slice(0, -1).join(' ')} or )`;
    return cursor.fault({
      message: `expected ${list}, found ${found}`,
      hint: 'Join terms with &&, look inside with >>.',
      expected: inside === 'selector' ? [...expected, 'the end'] : expected,
    });
  }

  private tooMany(what: 'alternatives' | 'steps', length: number): Error {
    const hint = what === 'steps' ? 'Leave out steps that do not narrow.' : 'Leave out the least likely.';
    return this.cursor.fault({ length, message: `more than ${LIMITS[what]} ${what}`, hint });
  }
}
