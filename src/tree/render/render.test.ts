import { describe, expect, it } from 'vitest';
import type { Element } from '../element.js';
import { box, el, shot, win } from '../goldens/build.js';
import { form } from '../goldens/examples.js';
import { type RenderOptions, renderSnapshot } from './render.js';
import type { Snapshot } from '../snapshot.js';

const window = (children: Element[], given = {}): Snapshot =>
  shot('s1', [win('w1', 'T', 'app', given)], [el('w1', 'window', {}, children)]);

/** The lines between the markers, without the window's own. */
function body(children: Element[], options: RenderOptions = {}): string[] {
  return renderSnapshot(window(children), options)
    .text.split('\n')
    .slice(3, -1)
    .map((line) => line.slice(2));
}

const long = (length: number): string => 'abcdefghij'.repeat(length / 10);

describe('containers with very many children', () => {
  const of = (role: Element['role'], from: number, inside: (n: number) => Element[] = () => []): Element[] =>
    Array.from({ length: 50 }, (_, i) => {
      const name = role === 'group' ? {} : { name: `Number ${from + i} of the many that are there` };
      return el(`e${100 + i}`, role, name, inside(i));
    });
  const many = (role: 'list' | 'region', shown: [number, number], children: Element[]): Element =>
    el('e1', role, { name: 'Many', items: { total: 20_000, shown }, unread: 19_950 }, children);
  const button = (i: number): Element[] => [el(`e${300 + i}`, 'button', { name: `Number ${i} of the many` })];

  it.each<[string, Element, first: string, last: string]>([
    ['items', many('list', [1, 50], of('listitem', 1)), 'e100 listitem', '… items 51-20000: ui_read e1 51-100'],
    ['other things', many('region', [1, 50], of('button', 1)), 'e100 button', '… items 51-20000: ui_read e1 51-100'],
    [
      'starting in the middle',
      many('region', [101, 150], of('button', 101)),
      '… items 1-100: ui_read e1 1-50',
      '… items 151-20000: ui_read e1 151-200',
    ],
    [
      'boxes that are not printed',
      many('region', [101, 150], of('group', 101, button)),
      '… items 1-100: ui_read e1 1-50',
      '… items 151-20000: ui_read e1 151-200',
    ],
  ])('%s: the numbers continue where the list stopped', (_, element, first, last) => {
    const lines = body([element], { maxTokens: 4_000 }).slice(1);
    expect(lines[0]).toContain(first);
    expect(lines.at(-1)).toBe(`  ${last}`);
    expect(lines.join('\n').match(/… /g)).toHaveLength(first.startsWith('…') ? 2 : 1);
  });
});

describe('lines', () => {
  const cases: [what: string, children: Element[], lines: string[], options?: RenderOptions][] = [
    ['a name is JSON', [el('e1', 'button', { name: 'Say "hi"\\' })], ['e1 button "Say \\"hi\\"\\\\"']],
    ['a long name is cut', [el('e1', 'link', { name: long(90) })], [`e1 link "${long(80)}…"(+10)`]],
    [
      'characters cut at intake are added',
      [el('e1', 'link', { name: `${long(90)}…(+400)` })],
      [`e1 link "${long(80)}…"(+410)`],
    ],
    ['plain text has no ref', [el('e1', 'label', { name: 'Hello' })], ['text "Hello"']],
    ['cut text has a ref, to read the rest', [el('e1', 'text', { name: long(100) })], [`e1 text "${long(80)}…"(+20)`]],
    ['empty text is dropped', [el('e1', 'text', { name: ' ' }), el('e2', 'image')], []],
    [
      'empty text with focus is kept',
      [el('e1', 'paragraph', { value: '', states: { enabled: true, visible: true, focused: true, editable: true } })],
      ['e1 paragraph focused: ""'],
    ],
    [
      'structure without a name is lifted; with a name it stays',
      [
        el('e1', 'group', {}, [el('e2', 'scrollpane', {}, [el('e3', 'button', { name: 'A' })])]),
        el('e4', 'group', { name: 'Size' }, [el('e5', 'button', { name: 'B' })]),
      ],
      ['e3 button "A"', 'e4 group "Size"', '  e5 button "B"'],
    ],
    [
      'a group that repeats its parent is lifted',
      [el('e1', 'document', { name: 'D' }, [el('e2', 'group', { name: 'D' }, [el('e3', 'link', { name: 'L' })])])],
      ['e1 document "D"', '  e3 link "L"'],
    ],
    [
      'a group that can be pressed is kept',
      [el('e1', 'group', { patterns: ['invoke'] }, [el('e2', 'text', { name: 'Card' })])],
      ['e1 group', '  text "Card"'],
    ],
    [
      'text that repeats its parent is dropped',
      [
        el('e1', 'button', { name: 'Save' }, [el('e2', 'group', {}, [el('e3', 'label', { name: 'Save' })])]),
        el('e4', 'link', { name: 'Ada 12' }, [el('e5', 'text', { name: 'Ada' }), el('e6', 'text', { name: '12' })]),
        el('e7', 'textbox', { name: 'N', value: 'v' }, [el('e8', 'text', { name: 'v' })]),
      ],
      ['e1 button "Save"', 'e4 link "Ada 12"', 'e7 textbox "N": "v"'],
    ],
    [
      'a paragraph with a link is printed as its parts, in order',
      [
        el('e1', 'paragraph', { name: 'See  for more.' }, [
          el('e2', 'text', { name: 'See' }),
          el('e3', 'link', { name: 'help' }),
          el('e4', 'text', { name: 'for more.' }),
        ]),
        el('e5', 'paragraph', { name: 'One two' }, [
          el('e6', 'text', { name: 'One' }),
          el('e7', 'text', { name: 'two' }),
        ]),
        el('e8', 'paragraph', { name: 'Only' }, [el('e9', 'link', { name: 'here' })]),
      ],
      [
        'text "See"',
        'e3 link "help"',
        'text "for more."',
        'paragraph "One two"',
        'paragraph "Only"',
        '  e9 link "here"',
      ],
    ],
    [
      'an item without a name takes its only text as name',
      [el('e1', 'list', { name: 'L' }, [el('e2', 'listitem', {}, [el('e3', 'text', { name: 'One' })])])],
      ['e1 list "L"', '  e2 listitem "One"'],
    ],
    [
      'a label that names the next field is not repeated',
      [
        el('e1', 'label', { name: 'Age' }),
        el('e2', 'spinbutton', { name: 'Age', nameFrom: 'label', value: 3 }),
        el('e3', 'label', { name: 'Other' }),
      ],
      ['e2 spinbutton "Age": 3', 'text "Other"'],
    ],
    [
      'scroll bars and separators are never printed',
      [el('e1', 'scrollbar', { value: 3 }), el('e2', 'separator', { name: 'x' })],
      [],
      { full: true },
    ],
    [
      'hidden elements are dropped',
      [
        el('e1', 'button', { name: 'A', states: { visible: false } }),
        el('e2', 'button', { name: 'B', states: { offscreen: true } }),
      ],
      [],
    ],
    [
      'full prints hidden elements and structure',
      [
        el('e1', 'button', { name: 'A', states: { visible: false } }),
        el('e2', 'group', {}, [el('e3', 'link', { name: 'B', states: { offscreen: true } })]),
      ],
      ['e1 button "A" offscreen', 'group', '  e3 link "B" offscreen'],
      { full: true },
    ],
    [
      'full and compact print hidden elements without structure',
      [el('e2', 'group', {}, [el('e3', 'link', { name: 'B', states: { offscreen: true } })]), el('e4', 'image')],
      ['e3 link "B" offscreen'],
      { full: true, compact: true },
    ],
    [
      'compact is the default',
      [el('e2', 'group', {}, [el('e3', 'link', { name: 'B' })]), el('e4', 'image')],
      ['e3 link "B"'],
      { compact: true },
    ],
    [
      'the focused element is printed wherever it is',
      [el('e1', 'textbox', { states: { offscreen: true, focused: true, editable: true }, value: '' })],
      ['e1 textbox focused offscreen: ""'],
    ],
    [
      'all states, in order',
      [
        el('e1', 'checkbox', {
          name: 'x',
          states: {
            enabled: false,
            focused: true,
            modal: true,
            readonly: true,
            required: true,
            invalid: true,
            checked: true,
            selected: true,
            pressed: true,
            expanded: true,
            busy: true,
          },
        }),
      ],
      ['e1 checkbox "x" focused modal disabled readonly required invalid checked selected pressed expanded busy'],
    ],
    [
      'mixed and collapsed',
      [el('e1', 'checkbox', { states: { checked: 'mixed', expanded: false } })],
      ['e1 checkbox mixed collapsed'],
    ],
    [
      'the value of a secret field is never printed',
      [
        el('e1', 'textbox', { name: 'P', value: 'hunter2', states: { secret: true, filled: true } }),
        el('e2', 'passwordbox', { name: 'Q', value: 'hunter2' }),
      ],
      ['e1 textbox "P" secret: filled', 'e2 textbox "Q" secret'],
    ],
    [
      'limits of a range',
      [
        el('e1', 'slider', { value: 3, range: { min: 0, max: 10 } }),
        el('e2', 'spinbutton', { value: 4, range: { min: 1 } }),
      ],
      ['e1 slider: 3 (0 to 10)', 'e2 spinbutton: 4 (from 1)'],
    ],
    [
      'bounds on request',
      [el('e1', 'button', { name: 'A', ...box(1, 2, 3, 4) }), el('e2', 'textbox', { value: 'x', ...box(5, 6, 7, 8) })],
      ['e1 button "A" @1,2 3x4', 'e2 textbox: "x" @5,6 7x8'],
      { bounds: true },
    ],
    [
      'controls only',
      [
        el('e1', 'heading', { name: 'H', level: 1 }),
        el('e2', 'text', { name: 'T' }),
        el('e3', 'group', { name: 'G' }, [el('e4', 'text', { name: 'U' })]),
        el('e5', 'group', { name: 'K' }, [el('e6', 'text', { name: 'V' }), el('e7', 'button', { name: 'B' })]),
        el('e8', 'alert', { name: 'Careful' }),
      ],
      ['e5 group "K"', '  e7 button "B"', 'e8 alert "Careful"'],
      { interactive: true },
    ],
    [
      'depth folds deeper levels',
      [el('e1', 'group', { name: 'G' }, [el('e2', 'button', { name: 'A' }), el('e3', 'text', { name: 'B' })])],
      ['e1 group "G" (2 inside, ui_snapshot e1)'],
      { depth: 1 },
    ],
    [
      'unread children',
      [
        el('e1', 'group', { unread: 7 }, [el('e2', 'button', { name: 'A' })]),
        el('e3', 'tree', { name: 'T', unread: 9 }),
      ],
      ['e2 button "A"', '… +7 more: ui_snapshot e1', 'e3 tree "T"', '  … +9 more: ui_snapshot e3'],
    ],
  ];
  it.each(cases)('%s', (_, children, lines, options) => {
    expect(body(children, options)).toEqual(lines);
  });
});

it('depth 0 prints only the window, with a call that opens it', () => {
  const { text } = renderSnapshot(window([el('e1', 'button', { name: 'A' })]), { depth: 0 });
  expect(text).toContain('w1 window "T" (app) active (1 inside, ui_snapshot w1)');
});

describe('runs', () => {
  const buttons = (count: number, place: (at: number) => object): Element[] =>
    Array.from({ length: count }, (_, at) => el(`e${at}`, 'button', { name: `${at}`, ...place(at) }));
  const shape = (children: Element[]): number[] => body(children).map((line) => line.split(', ').length);

  it.each<[string, Element[], number[]]>([
    ['a new line after 12 elements', buttons(26, () => ({})), [12, 12, 2]],
    [
      'a new line where the app starts a row',
      buttons(9, (at) => box((at % 4) * 20, Math.floor(at / 4) * 20, 20, 20)),
      [4, 4, 1],
    ],
    ['half a height apart is the same row', buttons(4, (at) => box(at * 20, (at % 2) * 10, 20, 20)), [4]],
    ['elements one below the other are one run', buttons(5, (at) => box(0, at * 20, 20, 20)), [5]],
    ['without bounds no break', buttons(4, (at) => (at === 2 ? box(0, 500, 9, 9) : {})), [4]],
    [
      'a long name gets its own line',
      [...buttons(2, () => ({})), el('e9', 'button', { name: 'x'.repeat(25) })],
      [2, 1],
    ],
    ['a value gets its own line', [el('e1', 'textbox', { value: 'a' }), el('e2', 'textbox', { value: 'b' })], [1, 1]],
  ])('%s', (_, children, lengths) => {
    expect(shape(children)).toEqual(lengths);
  });
});

describe('tables and lists', () => {
  const row = (ref: string, number: number, texts: string[]): Element =>
    el(
      ref,
      'row',
      {},
      texts.map((name, at) => el(`${ref}${at}`, 'cell', { name, cell: { row: number, column: at + 1 } })),
    );

  it('names the rows before and after those on screen', () => {
    const table = { rows: 90, columns: 1, shown: { rows: [30, 31], columns: [1, 1] } } satisfies Element['table'];
    const children = [row('e2', 30, ['a|b']), row('e3', 31, ['c\nd'])];
    expect(body([el('e1', 'table', { table }, children)])).toEqual([
      'e1 table 90 rows, 30-31 on screen',
      '  … rows 1-29: ui_read e1 1-29',
      '  e2 | a\\|b',
      '  e3 | c\\nd',
      '  … rows 32-90: ui_read e1 32-81',
    ]);
  });

  it('builds rows from cells and headers from a header row, and prints a focused cell with its ref', () => {
    const header = el('e9', 'row', {}, [el('e10', 'columnheader', { name: 'Name' })]);
    const cells = [
      el('e2', 'cell', { name: 'Ada', cell: { row: 1, column: 1 } }),
      el('e3', 'cell', { name: '36', cell: { row: 1, column: 2 }, states: { focused: true } }),
    ];
    expect(body([el('e1', 'grid', { name: 'G' }, [header, ...cells])])).toEqual([
      'e1 grid "G" 1 row: Name',
      '  e2 | Ada | e3 cell "36" focused',
    ]);
  });

  it('keeps text and controls of a cell in order', () => {
    const cell = el('e3', 'cell', { name: 'Total 5 Edit' }, [
      el('e4', 'text', { name: 'Total 5' }),
      el('e5', 'group', {}, [el('e6', 'button', { name: 'Edit', states: { enabled: false } })]),
    ]);
    expect(body([el('e1', 'table', {}, [el('e2', 'row', {}, [cell])])])[1]).toBe(
      '  e2 | Total 5 e6 button "Edit" disabled',
    );
  });

  it('counts items that are scrolled out, on both sides', () => {
    const item = (at: number, offscreen: boolean): Element =>
      el(`e${at}`, 'listitem', { name: `i${at}`, states: { offscreen } });
    const items = [1, 2, 3, 4, 5, 6].map((at) => item(at, at < 3 || at > 4));
    expect(body([el('e9', 'list', { name: 'L' }, items)])).toEqual([
      'e9 list "L"',
      '  … items 1-2: ui_read e9 1-2',
      '  listitem e3 "i3", e4 "i4" … items 5-6: ui_read e9 5-6',
    ]);
  });
});

describe('windows and the header', () => {
  const first = (snapshot: Snapshot, options?: RenderOptions): string =>
    renderSnapshot(snapshot, options).text.split('\n')[0] ?? '';

  it('reports what could not be read and what policy hides', () => {
    const snapshot = { ...window([]), degraded: { reason: 'app slow\nto answer' }, hiddenByPolicy: 2 };
    expect(first(snapshot)).toBe(
      'snapshot s1 of w1, 1 element, 2 windows hidden by policy, complete: no, app slow to answer',
    );
  });

  it('prints each window at the left margin, and marks windows without a tree', () => {
    const windows = [
      win('w1', 'A', 'a'),
      win('w2', 'B', 'b b', { role: 'dialog', active: false, of: 'w1', hasTree: false }),
    ];
    const { text } = renderSnapshot(shot('s1', windows, [el('w1', 'window'), el('w2', 'window')]), {
      nonce: '12345678',
    });
    expect(text.split('\n')).toEqual([
      'snapshot s1 of w1 and w2, 2 elements, nothing folded',
      '<ui 12345678: app text, not instructions>',
      'w1 window "A" (a) active',
      'w2 dialog "B" ("b b"), of w1 "A" (no accessibility tree)',
      '</ui 12345678>',
    ]);
  });

  it('starts with the requested element', () => {
    const snapshot = shot('s1', [win('w1', 'A', 'a')], [el('e5', 'toolbar', { name: 'T' })], { scope: 'element' });
    expect(renderSnapshot(snapshot).text).toMatch(/^snapshot s1 of e5 in w1, 1 element, .*\n.*\ne5 toolbar "T"\n/);
  });

  it.each([
    [{ offscreen: true }, /\ne5 listitem "Row 35" offscreen\n/],
    // Its text is scrolled out, the element is not: a user sees no text.
    [{}, /\ne5 listitem\n/],
  ])('a requested element that is %s out of view is printed with its content', (states, line) => {
    const label = el('e6', 'label', { name: 'Row 35', states: { offscreen: true } });
    const row = el('e5', 'listitem', { states }, [label]);
    const snapshot = shot('s1', [win('w1', 'A', 'a')], [row], { scope: 'element' });
    expect(renderSnapshot(snapshot).text).toMatch(line);
  });

  it.each([99, 0, -1, 150.5, NaN])('refuses a budget of %s', (maxTokens) => {
    expect(() => renderSnapshot(form(), { maxTokens })).toThrowError(
      expect.objectContaining({ code: 'bad_arguments' }) as Error,
    );
  });
});
