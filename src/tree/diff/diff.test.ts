import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { diffSnapshots } from './diff.js';
import type { Element } from '../element.js';
import { el, shot, win } from '../goldens/build.js';
import { calcSheet, fileDialog, form, orders } from '../goldens/examples.js';
import { renderChanges, renderSince } from './render-changes.js';
import type { Snapshot } from '../snapshot.js';

const snapshotOf = (id: string, children: Element[], more: Snapshot['windows'] = []): Snapshot =>
  shot(
    id,
    [win('w1', 'T', 'app'), ...more],
    [el('w1', 'window', {}, children), ...more.map(({ ref }) => el(ref, 'dialog'))],
    { scope: 'window' },
  );
const changes = (old: Element[], now: Element[]): string[] =>
  renderChanges(diffSnapshots(snapshotOf('s1', old), snapshotOf('s2', now))).lines;

describe('the changes', () => {
  const cases: [what: string, old: Element[], now: Element[], lines: string[]][] = [
    ['nothing', [el('e1', 'button', { name: 'A' })], [el('e1', 'button', { name: 'A' })], []],
    [
      'a name',
      [el('e1', 'button', { name: 'Start' })],
      [el('e1', 'button', { name: 'Stop' })],
      ['~ e1 button "Stop" (was named "Start")'],
    ],
    [
      'text without a ref',
      [el('e1', 'text', { name: '3 left' })],
      [el('e1', 'text', { name: '2 left' })],
      ['~ text "2 left" in w1 (was "3 left")'],
    ],
    [
      'a value that was empty',
      [el('e1', 'textbox', { value: '' })],
      [el('e1', 'textbox', { value: '100' })],
      ['~ e1 textbox: "100" (was "")'],
    ],
    [
      'a value that is now empty',
      [el('e1', 'textbox', { name: 'N', value: 'x' })],
      [el('e1', 'textbox', { name: 'N', value: '' })],
      ['~ e1 textbox "N" (was "x")'],
    ],
    [
      'states gained, lost and exchanged',
      [
        el('e1', 'checkbox', { states: { checked: false } }),
        el('e2', 'button', { states: { enabled: true } }),
        el('e3', 'combobox', { states: { expanded: false, focused: true } }),
        el('e4', 'tab', {}),
      ],
      [
        el('e1', 'checkbox', { states: { checked: true } }),
        el('e2', 'button', { states: { enabled: false } }),
        el('e3', 'combobox', { states: { expanded: true } }),
        el('e4', 'tab', { states: { selected: true } }),
      ],
      [
        '~ e1 checkbox checked (was unchecked)',
        '~ e2 button disabled (was enabled)',
        '~ e3 combobox expanded (was focused collapsed)',
        '~ e4 tab selected (was not selected)',
      ],
    ],
    [
      'an error alone',
      [el('e1', 'textbox', { states: { invalid: true }, error: 'Empty' })],
      [el('e1', 'textbox', { states: { invalid: true }, error: 'Too long' })],
      ['~ e1 textbox invalid (error: "Too long") (was error: "Empty")'],
    ],
    [
      'a secret without its value',
      [el('e1', 'passwordbox', { states: { secret: true, filled: false } })],
      [el('e1', 'passwordbox', { value: 'hunter2', states: { secret: true, filled: true } })],
      ['~ e1 textbox secret: filled (was empty)'],
    ],
    [
      'a new element with its content',
      [],
      [
        el('e1', 'group', { name: 'G' }, [
          el('e2', 'button', { name: 'A' }),
          el('e3', 'button', { name: 'B' }),
          el('e4', 'textbox', { name: 'C' }),
        ]),
      ],
      ['+ e1 group "G" in w1', '  + button e2 "A", e3 "B"', '  + e4 textbox "C"'],
    ],
    [
      'a gone element with the number of its descendants',
      [el('e1', 'group', { name: 'G' }, [el('e2', 'button', { name: 'A' }), el('e3', 'button', { name: 'B' })])],
      [],
      ['- e1 group "G" (2 inside)'],
    ],
    [
      'another parent',
      [el('e1', 'group', { name: 'G' }, [el('e3', 'button', { name: 'A' })]), el('e2', 'group', { name: 'H' })],
      [el('e1', 'group', { name: 'G' }), el('e3', 'button', { name: 'A' }), el('e2', 'group', { name: 'H' })],
      ['~ e3 button "A" (was in e1)'],
    ],
  ];
  it.each(cases)('%s', (_, old, now, lines) => {
    expect(changes(old, now)).toEqual(lines);
  });

  it('reports which cell of a row changed, and lists a new row once', () => {
    const [old, now] = [fileDialog(), fileDialog()];
    const table = now.roots[0]?.children[3];
    const cell = table?.children[2]?.children[1];
    if (cell) cell.name = '2.3 kB';
    table?.children.push(el('e84', 'row', {}, [el('e85', 'cell', {}, [el('e86', 'button', { name: 'Open' })])]));
    if (table?.table) table.table.rows = 4;
    expect(renderChanges(diffSnapshots(old, now)).lines).toEqual([
      '~ e80 table "Files" 4 rows: Name | Size | Type | Modified (was 3 rows)',
      '~ e83 | notes.txt | 2.3 kB | Text | 09:14 | selected (was "Size": "1.1 kB")',
      '+ e84 | e86 button "Open" in e80',
    ]);
  });

  it('names cells of a sheet by their address', () => {
    const [old, now] = [calcSheet(), calcSheet()];
    const cells = now.roots[0]?.children[4]?.children;
    if (cells?.[4]) cells[4].value = 120;
    if (cells?.[2]) cells[2].value = 'Sold';
    expect(renderChanges(diffSnapshots(old, now)).lines).toEqual([
      '+ cell C1 in e80: Sold',
      '~ cell B2 in e80: 120 (was "100")',
    ]);
  });

  it('is short for the target of an act', () => {
    const diff = diffSnapshots(
      snapshotOf('s1', [
        el('e18', 'checkbox', { name: 'I accept', states: { checked: false } }),
        el('e2', 'text', { name: 'a' }),
      ]),
      snapshotOf('s2', [
        el('e18', 'checkbox', { name: 'I accept', states: { checked: true } }),
        el('e2', 'text', { name: 'b' }),
      ]),
    );
    expect(renderChanges(diff, { target: 'e18' }).lines).toEqual([
      '~ e18 checked (was unchecked)',
      '~ text "b" in w1 (was "a")',
    ]);
  });

  it.each<[what: string, old: Element, now: Element, line: string]>([
    [
      'a new name',
      el('e1', 'button', { name: 'Counter' }),
      el('e1', 'button', { name: 'Clicked 1', states: { focused: true } }),
      '~ e1 button "Clicked 1" focused (was named "Counter" not focused)',
    ],
    ['a first name', el('e1', 'cell'), el('e1', 'cell', { name: '12.5' }), '~ e1 cell "12.5" (was unnamed)'],
    ['no name any more', el('e1', 'cell', { name: '12.5' }), el('e1', 'cell'), '~ e1 cell (was named "12.5")'],
    [
      'another part on the screen',
      el('e1', 'table', { name: 'Files', table: { rows: 48, columns: 1, shown: { rows: [1, 26], columns: [1, 1] } } }),
      el('e1', 'table', {
        name: 'Files',
        table: { rows: 48, columns: 1, shown: { rows: [23, 48], columns: [1, 1] } },
        states: { focused: true },
      }),
      '~ e1 focused 48 rows, 23-48 on screen (was not focused, 1-26 on screen)',
    ],
    [
      'another error',
      el('e1', 'textbox', { name: 'N', value: '', states: { invalid: true }, error: 'Empty' }),
      el('e1', 'textbox', { name: 'N', value: 'x', states: { invalid: true }, error: 'Too short' }),
      '~ e1 invalid: "x" (error: "Too short") (was "")',
    ],
  ])('is not too short for the target of an act: %s', (_, old, now, line) => {
    const diff = diffSnapshots(snapshotOf('s1', [old]), snapshotOf('s2', [now]));
    expect(renderChanges(diff, { target: 'e1' }).lines).toEqual([line]);
  });

  it('prints the current cells of a row that was acted on', () => {
    const [old, now] = [fileDialog(), fileDialog()];
    const cell = now.roots[0]?.children[3]?.children[2]?.children[1];
    if (cell) cell.name = '2.3 kB';
    expect(renderChanges(diffSnapshots(old, now), { target: 'e83' }).lines).toEqual([
      '~ e83 | notes.txt | 2.3 kB | Text | 09:14 | selected (was "Size": "1.1 kB")',
    ]);
  });

  it('counts what does not fit', () => {
    const now = snapshotOf(
      's2',
      [],
      [win('w5', 'Save As', 'app', { role: 'dialog', modal: true, active: false, of: 'w1' })],
    );
    const dialog = now.roots[1];
    dialog?.children.push(
      el('e60', 'textbox', { name: 'Name:', value: 'x' }),
      ...Array.from({ length: 30 }, (_, at) => el(`e${61 + at}`, at % 2 ? 'button' : 'checkbox', { name: `n${at}` })),
    );
    const diff = diffSnapshots(snapshotOf('s1', []), now);
    const few = renderChanges(diff, { maxLines: 4, maxTokens: 150 });
    expect(few.lines).toEqual([
      '+ w5 dialog "Save As" modal',
      '  + e60 textbox "Name:": "x"',
      '  + e61 checkbox "n0"',
      '  … +29 more, ui_snapshot w5',
    ]);
    expect(few.more).toBe(29);
    const cheap = renderChanges(diff, { maxTokens: 60 });
    expect(encode(cheap.lines.join('\n')).length).toBeLessThanOrEqual(60);
  });
});

/** Where the focus and the selection are in a table: rows, or cells alone as GTK exposes them. */
describe('a focused cell', () => {
  type Marks = Record<string, Partial<Element['states']>>;
  const NAMES = [
    ['Ada', '36'],
    ['Benjamin', '12'],
  ];
  const table = (marks: Marks, names = NAMES): Element =>
    el(
      'e9',
      'table',
      { table: { rows: 2, columns: 2, headers: ['Name', 'Age'] } },
      names.map((cells, row) =>
        el(
          `e${row + 1}0`,
          'row',
          { states: marks[`e${row + 1}0`] ?? {} },
          cells.map((name, at) => {
            const ref = `e${row + 1}${at + 1}`;
            return el(ref, 'cell', { name, states: marks[ref] ?? {} });
          }),
        ),
      ),
    );
  const loose = (marks: Marks): Element => {
    const { children, ...rest } = table(marks);
    const cells = children.flatMap((row, at) =>
      row.children.map((cell, column) => ({ ...cell, cell: { row: at + 1, column: column + 1 } })),
    );
    return { ...rest, children: cells };
  };
  const here = { focused: true, selected: true };

  it.each<[what: string, old: Element, now: Element, lines: string[]]>([
    [
      'moves with the selected row',
      table({ e10: { selected: true }, e11: here }),
      table({ e20: { selected: true }, e21: here }),
      [
        '~ e10 | Ada | 36 (was selected)',
        '~ e20 | e21 cell "Benjamin" focused selected | 12 | selected (was not selected)',
      ],
    ],
    [
      'moves alone, and is neither gone nor new',
      table({ e12: { focused: true } }),
      table({ e22: { focused: true } }),
      ['~ e12 cell "36" (was focused)', '~ e22 cell "12" focused (was not focused)'],
    ],
    [
      'moves where cells are selected one by one',
      table({ e11: here }),
      table({ e12: here }),
      ['~ e11 cell "Ada" (was focused selected)', '~ e12 cell "36" focused selected (was not focused not selected)'],
    ],
    [
      'moves in a table without row elements',
      loose({ e12: { focused: true } }),
      loose({ e22: { focused: true } }),
      ['~ e12 cell "36" (was focused)', '~ e22 cell "12" focused (was not focused)'],
    ],
    [
      'is changed',
      table({ e22: { focused: true } }),
      table({ e22: { focused: true } }, [NAMES[0]!, ['Benjamin', '13']]),
      ['~ e22 cell "13" focused (was named "12")'],
    ],
    [
      'is changed and gets the focus, while another cell of its row is changed too',
      table({}),
      table({ e22: { focused: true } }, [NAMES[0]!, ['Ben', '13']]),
      [
        '~ e20 | Ben | e22 cell "13" focused (was "Name": "Benjamin")',
        '~ e22 cell "13" focused (was named "12" not focused)',
      ],
    ],
    [
      'is gone with its row',
      table({ e22: { focused: true } }),
      { ...table({}), children: table({}).children.slice(0, 1) },
      [
        '~ e9 table 2 rows, 1-1 on screen: Name | Age (was all rows on screen)',
        '- e20 | Benjamin | e22 cell "12" focused (1 inside)',
      ],
    ],
  ])('%s', (_, old, now, lines) => {
    expect(changes([old], [now])).toEqual(lines);
  });

  it('keeps the text of its content', () => {
    const cell = (states: Partial<Element['states']>): Element =>
      el('e9', 'table', { table: { rows: 1, columns: 1 } }, [
        el('e10', 'row', {}, [el('e11', 'cell', { states }, [el('e12', 'label', { name: 'Ada' })])]),
      ]);
    expect(changes([cell({})], [cell({ focused: true })])).toEqual(['~ e11 cell "Ada" focused (was not focused)']);
  });

  it('reports the old text in it, not the controls', () => {
    const button = (ref: string, name: string): Element =>
      el('e9', 'table', { table: { rows: 1, columns: 2 } }, [
        el('e10', 'row', {}, [
          el('e11', 'cell', { name: 'Ada' }),
          el('e12', 'cell', {}, [el(ref, 'button', { name })]),
        ]),
      ]);
    expect(changes([button('e13', 'Edit')], [button('e14', 'Done')])).toEqual([
      '+ e14 button "Done" in e10',
      '- e13 button "Edit"',
    ]);
  });

  it('does not cause the whole snapshot to be printed', () => {
    const [old, now] = [table({ e12: { focused: true } }), table({ e11: { focused: true } })];
    expect(diffSnapshots(snapshotOf('s1', [old]), snapshotOf('s2', [now]))).toMatchObject({
      added: 0,
      gone: 0,
      changed: 2,
    });
    expect(diffSnapshots(snapshotOf('s1', [old]), snapshotOf('s2', [now]))).not.toHaveProperty('inexact');
  });
});

describe('since', () => {
  const first = (text: string): string => text.split('\n')[0] ?? '';

  it('reports that nothing changed', () => {
    expect(renderSince(form(), { ...form(), id: 's30' }).text).toBe(
      'snapshot s30 of w4 since s21: nothing changed, 12 same',
    );
  });

  const renamed = (): Snapshot => {
    const now = { ...form(), id: 's30' };
    for (const child of now.roots[0]?.children ?? []) child.name = `${child.name} and a few words more`;
    return now;
  };
  const reordered = (): Snapshot => {
    const now = { ...orders(), id: 's30' };
    now.roots[0]?.children.reverse();
    return now;
  };
  const unread = (): Snapshot => {
    const now = { ...form(), id: 's30' };
    if (now.roots[0]) now.roots[0].unread = 3;
    return now;
  };
  it.each<[string, Snapshot, Snapshot, string]>([
    ['nearly all changed', form(), renamed(), 'the change since s21 is not much shorter'],
    ['another window', form(), { ...orders(), id: 's30' }, 's21 is of something else'],
    ['a part was not read', form(), unread(), 'not everything was read'],
    ['parts changed places', orders(), reordered(), 'elements changed places'],
    ['a degraded snapshot', form(), { ...form(), degraded: { reason: 'x' } }, 'something could not be read'],
  ])('prints the whole text: %s', (_, old, now, why) => {
    const { text, difference } = renderSince(old, now);
    expect(difference).toBe(false);
    expect(first(text)).toContain(`, in full: ${why}`);
    expect(text).toContain(`${now.windows[0]?.ref} ${now.windows[0]?.role}`);
  });
});

describe('the changes after an act', () => {
  const after = (old: Element[], now: Element[], target?: string, more: Snapshot['windows'] = []): string[] =>
    renderChanges(diffSnapshots(snapshotOf('s1', old), snapshotOf('s2', now, more)), {
      newsFirst: true,
      ...(target !== undefined && { target }),
    }).lines;
  const buttons = (enabled: boolean): Element[] =>
    Array.from({ length: 61 }, (_, at) => el(`e${at + 10}`, 'button', { name: `B${at}`, states: { enabled } }));

  it('begin with what opened, then the target, then the rest', () => {
    const old = [el('e1', 'text', { name: 'a' }), el('e2', 'checkbox', { name: 'C', states: { checked: false } })];
    const now = [
      el('e1', 'text', { name: 'b' }),
      el('e2', 'checkbox', { name: 'C', states: { checked: true } }),
      el('e3', 'group', { name: 'G' }, [el('e4', 'alert', { name: 'Saved' })]),
    ];
    expect(after(old, now, 'e2', [win('w2', 'Sure?', 'app', { role: 'dialog' })])).toEqual([
      '+ e3 group "G" in w1',
      '  + e4 alert "Saved"',
      '+ w2 dialog "Sure?" active',
      '~ e2 checked (was unchecked)',
      '~ text "b" in w1 (was "a")',
    ]);
  });

  it('count many controls that changed in the same way', () => {
    expect(after([el('e1', 'text', { name: 'a' }), ...buttons(true)], [el('e1', 'text', { name: 'b' }), ...buttons(false)])).toEqual([
      '~ text "b" in w1 (was "a")',
      '~ 61 elements are disabled (were enabled)',
    ]);
    expect(after(buttons(false), buttons(true))).toEqual(['~ 61 elements are no longer disabled']);
    expect(after(buttons(true), [])).toEqual(['- 61 button elements in w1']);
    expect(after(buttons(true).slice(0, 2), buttons(false).slice(0, 2))).toHaveLength(2);
  });

  it('contain the whole text of an alert, and cut others', () => {
    const text = 'The file could not be saved. '.repeat(8).trim();
    const [alert] = after([], [el('e1', 'alert', { name: text })]);
    expect(alert).toContain(text);
    const [label] = after([], [el('e1', 'text', { name: text })]);
    expect(label).toContain('…');
  });

  it('do not report rows as gone that were scrolled out of view', () => {
    const row = (at: number) => el(`e${at}`, 'row', {}, [el(`e${at}00`, 'cell', { name: `Row ${at}` })]);
    const table = (first: number, rows: number) =>
      el('e1', 'table', { name: 'T', table: { rows, columns: 1, headers: [], shown: { rows: [first, first + 1], columns: [1, 1] } } }, [
        row(first + 1),
        row(first + 2),
      ]);
    expect(after([table(1, 9)], [table(2, 9)]).filter((line) => !line.startsWith('+'))).toEqual([
      '~ e1 table "T" 9 rows, 2-3 on screen (was 1-2 on screen)',
      '~ e2 | Row 2 | offscreen (was on screen)',
    ]);
    // One row fewer: it may be gone.
    expect(after([table(1, 9)], [table(2, 8)]).join()).toContain('- e2');
    const button = (offscreen: boolean) => [el('e1', 'button', { name: 'Far', states: offscreen ? { offscreen } : {} })];
    expect(after(button(false), button(true)).join()).not.toContain('- e1');
  });
});
