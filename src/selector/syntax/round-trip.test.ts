import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { Role } from '../../tree/index.js';
import { combine, OPERATORS, RELATIONS, type Chain, type Selector, type Source, type Term } from '../ast.js';
import { isEmptyText } from '../match/predicates.js';
import { explainSelector, printSelector } from './print.js';
import { parseSelector } from './parse.js';
import { syntaxErrorText, type SyntaxDetails } from './syntax-error.js';

/**
 * Number of texts of each kind, some purely random and some built from the grammar: 110,000 in a long run. Other seeds
 * each time, so that the short runs add up.
 */
const RUNS = process.env.SOAK ? 50_000 : 5_000;

const FRAGMENTS = [
  ...[
    '>>',
    '??',
    '&&',
    '||',
    '!',
    '(',
    ')',
    'has(',
    ' ',
    '  ',
    '\t',
    '\n',
    '=',
    '!=',
    '~=',
    '^=',
    '$=',
    '*=',
    '==',
    '=~',
  ],
  ...[
    'role',
    'name',
    'text',
    'value',
    'window',
    'app',
    'process',
    'automationId',
    'className',
    'sapId',
    'enabled',
    'checked',
  ],
  ...[
    'button',
    'Edit',
    'push button',
    'cell',
    'region',
    'AXSheet',
    'header',
    'menuitem',
    ':',
    'any:',
    'atspi:',
    'uia:',
    'sap:',
    'ocr:',
  ],
  ...[
    'right-of',
    'near',
    'inside(40)',
    'below',
    'belw',
    'nth=0',
    'nth=-1',
    'nth=',
    'first',
    'last',
    'parent',
    '@e12',
    '@12',
    'e12',
    'w2',
  ],
  ...[
    '#',
    '.',
    '~',
    '@',
    '*',
    '\\',
    '\\*',
    '/',
    '/a+/',
    '/[/]/i',
    '/(/',
    '"',
    "'",
    '""',
    '"Save As…"',
    "'x'",
    '"#/app/wnd[0]"',
    '“',
  ],
  ...[
    'Save',
    'Inbox (3)',
    'B7',
    'Sheet1!B7',
    'R3C2',
    'true',
    'false',
    'mixed',
    '日本語',
    '😀',
    '\ud83d',
    '[',
    ']',
    '<',
    '>',
    '|',
    '&',
    '?',
  ],
];

/** A matcher costs more than the parser, and would be called a million times here. */
function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/**
 * Holds for any text: it is parsed, or refused with a position in it; a parsed selector prints to a text that parses
 * the same.
 */
function check(input: string): void {
  let selector;
  try {
    selector = parseSelector(input);
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    const { position, length, found } = error.details as unknown as SyntaxDetails;
    const lines = syntaxErrorText(error).split('\n').length;
    demand(error.code === 'selector_syntax', error.code);
    demand(position >= 0 && position <= input.length && length > 0 && found !== '', `${position} ${length} ${found}`);
    demand(!!error.hint && !/[\n\r]/.test(error.message + error.hint) && lines === 4, `${error.message} ${error.hint}`);
    return;
  }
  const print = printSelector(selector);
  if (print.length > 2000) return;
  const again = parseSelector(print);
  demand(isDeepStrictEqual(again, selector) && printSelector(again) === print, print);
  demand(explainSelector(selector) !== '', 'no words');
}

it('random text is parsed or refused, never worse', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), check), { numRuns: RUNS });
}, 120_000);

it('random pieces of the grammar are parsed or refused, never worse', () => {
  const pieces = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(fc.property(pieces, check), { numRuns: RUNS / 10 });
}, 120_000);

const TEXT = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom('Save', 'a"b', 'x\\', '>>', '(', "it's", ' '),
);
/** Some roles that every platform has a word for. */
const ROLES: Role[] = ['button', 'textbox', 'region', 'cell', 'window', 'text', 'tab', 'listitem'];
const TEXT_KEYS = ['name', 'text', 'value', 'window', 'automationId', 'className', 'legacyId'] as const;

const ATOM: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    kind: fc.constant('role'),
    op: fc.constantFrom('=', '!='),
    roles: fc.constantFrom(...ROLES).map((r) => [r]),
  }),
  fc
    .record({
      kind: fc.constant('text'),
      key: fc.constantFrom(...TEXT_KEYS),
      op: fc.constantFrom(...OPERATORS),
      value: TEXT,
    })
    .map((term) => (term.op === '*=' ? { ...term, value: `*${term.value}` } : term))
    // A blank may stand for no name at all, but is part of nothing.
    .filter(({ key, op, value }) => !isEmptyText(key, value) || (key !== 'text' && (op === '=' || op === '!='))),
  fc.constantFrom<Term>(
    { kind: 'text', key: 'name', op: '=', value: { source: 'a|b', ignoreCase: true } },
    { kind: 'text', key: 'value', op: '!=', value: { source: '[/]', ignoreCase: false } },
    { kind: 'text', key: 'name', op: '=', value: '' },
    { kind: 'state', key: 'checked', op: '!=', value: 'mixed' },
    { kind: 'ref', ref: 'e12' },
    { kind: 'region', number: 7 },
    { kind: 'cell', address: 'Sheet1!B7' },
  ),
);

function term(depth: number): fc.Arbitrary<Term> {
  if (depth === 0) return ATOM;
  const inner = term(depth - 1);
  const pair = fc.array(inner, { minLength: 2, maxLength: 3 });
  return fc.oneof(
    ATOM,
    pair.map((terms) => combine('and', terms)),
    pair.map((terms) => combine('or', terms)),
    inner.map((one): Term => ({ kind: 'not', term: one })),
    chain(depth - 1).map((one): Term => ({ kind: 'has', chain: one })),
  );
}

/** These sources treat a bare text differently, so each is printed in its own way. */
const SOURCES: (Source | undefined)[] = [undefined, 'uia', 'win32', 'sap', 'ax', 'atspi'];

function chain(depth: number): fc.Arbitrary<Chain> {
  const match = fc.record({ source: fc.constantFrom(...SOURCES), term: term(depth) }).map(({ source, term: one }) => {
    return { kind: 'match' as const, ...(source && { source }), term: one };
  });
  const relation = fc.record(
    { kind: fc.constant('relation' as const), relation: fc.constantFrom(...RELATIONS), limit: fc.nat(99_999) },
    { requiredKeys: ['kind', 'relation'] },
  );
  const nth = fc.record({ kind: fc.constant('nth' as const), index: fc.integer({ min: -9, max: 9 }) });
  const more = fc.oneof(
    match.map((one) => [one]),
    nth.map((one) => [one]),
    fc.tuple(relation, match).map(([one, other]) => [one, other]),
  );
  return fc.tuple(match, fc.array(more, { maxLength: 3 })).map(([first, rest]) => ({ steps: [first, ...rest.flat()] }));
}

const SELECTORS: fc.Arbitrary<Selector> = fc
  .array(chain(2), { minLength: 1, maxLength: 2 })
  .map((alternatives) => ({ alternatives }));

interface Slip {
  at: number;
  cut: number;
  put: string;
}

/** What typing, a model or a shell does to a good text: something is missing or replaced. */
const SLIPS: fc.Arbitrary<Slip[]> = fc.array(
  fc.record({ at: fc.nat(200), cut: fc.nat(3), put: fc.constantFrom('', '', ...FRAGMENTS) }),
  { maxLength: 4 },
);

function slipped(text: string, slips: readonly Slip[]): string {
  return slips.reduce((left, { at, cut, put }) => {
    const place = at % (left.length + 1);
    return left.slice(0, place) + put + left.slice(place + cut);
  }, text);
}

it('selectors of the grammar with typing errors are parsed or refused, never worse', () => {
  const short = chain(1).map((one): Selector => ({ alternatives: [one] }));
  const good = fc.sample(fc.oneof(short, short, SELECTORS), 2_000).map(printSelector);
  const holds = (text: string, slips: Slip[]): void => check(slipped(text, slips));
  fc.assert(fc.property(fc.constantFrom(...good), SLIPS, holds), { numRuns: RUNS });
}, 120_000);

it('any selector is printed as a text that parses the same', () => {
  const same = (selector: Selector): void => {
    const print = printSelector(selector);
    if (print.length > 2000) return;
    expect(parseSelector(print)).toEqual(selector);
  };
  fc.assert(fc.property(SELECTORS, same), { numRuns: RUNS / 10 });
}, 120_000);
