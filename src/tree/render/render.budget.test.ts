import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import type { Element } from '../element.js';
import { el, shot, win } from '../goldens/build.js';
import { calcSheet, fileDialog, orders } from '../goldens/examples.js';
import { renderSnapshot } from './render.js';
import { ROLES } from '../roles/roles.js';
import type { Snapshot } from '../snapshot.js';

const window = (children: Element[]): Snapshot =>
  shot('s1', [win('w1', 'T', 'app')], [el('w1', 'window', {}, children)]);
const long = (length: number): string => 'abcdefghij'.repeat(length / 10);

const real = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

const name = fc.oneof(
  fc.constantFrom('Save', 'Cancel', 'Open the file', '保存文件', 'Сохранить', '😀👍🏽', '12345678901234567890'),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
);
const states = fc.record(
  { selected: fc.boolean(), invalid: fc.boolean(), expanded: fc.boolean(), enabled: fc.boolean() },
  { requiredKeys: [] },
);

/** Trees of any shape; refs in order. */
const tree = fc.letrec<{ node: Draft }>((tie) => ({
  node: fc.record({
    role: fc.constantFrom(...ROLES),
    name: fc.option(name, { nil: undefined }),
    value: fc.option(fc.oneof(name, fc.integer()), { nil: undefined, freq: 1 }),
    states: fc.option(states, { nil: {}, freq: 1 }),
    unread: fc.option(fc.nat(99), { nil: undefined, freq: 1 }),
    total: fc.option(fc.nat(500), { nil: undefined, freq: 1 }),
    focused: fc.integer({ min: 0, max: 40 }),
    children: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant<Draft[]>([]),
      fc.array(tie('node'), { maxLength: 12 }),
    ),
  }),
})).node;

interface Draft {
  role: Element['role'];
  name?: string;
  value?: string | number;
  states: object;
  unread?: number;
  total?: number;
  focused: number;
  children: Draft[];
}

function grow(drafts: Draft[]): Element[] {
  let next = 0;
  const make = (draft: Draft): Element => {
    const focused = draft.focused === 0 ? { focused: true } : {};
    const { role, name: called, value, unread, total } = draft;
    const given = { name: called, value, unread, states: { ...draft.states, ...focused } };
    if (total !== undefined && role === 'list') Object.assign(given, { items: { total } });
    if (total !== undefined) Object.assign(given, { table: { rows: total, columns: 2, headers: ['A', called ?? ''] } });
    return el(`e${++next}`, role, given, draft.children.map(make));
  };
  return drafts.map(make);
}

describe('the budget', () => {
  it('is kept for any tree', () => {
    const children = fc.array(tree, { maxLength: 40 }).map(grow);
    const budget = fc.oneof(fc.integer({ min: 100, max: 400 }), fc.integer({ min: 100, max: 4000 }));
    fc.assert(
      fc.property(children, budget, name, fc.boolean(), (elements, maxTokens, title, degraded) => {
        const root = el('w1', 'window', {}, elements);
        const snapshot = shot('s1', [win('w1', title, title, { of: 'w2', ofTitle: title })], [root]);
        if (degraded) snapshot.degraded = { reason: title };
        const { text, tokens } = renderSnapshot(snapshot, { maxTokens });
        expect(real(text)).toBeLessThanOrEqual(tokens);
        expect(tokens).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: 300 },
    );
  });

  it('is kept with many windows', () => {
    const windows = Array.from({ length: 60 }, (_, at) => win(`w${at}`, `Window ${at}`, 'app', { active: at === 7 }));
    const roots = windows.map(({ ref }, at) =>
      el(ref, 'window', {}, [el(`e${at}`, 'textbox', { value: 'x', states: { focused: at === 7 } })]),
    );
    for (const maxTokens of [100, 200, 500, 1000]) {
      const { text } = renderSnapshot(shot('s1', windows, roots), { maxTokens });
      expect(real(text)).toBeLessThanOrEqual(maxTokens);
      expect(text).toContain('w7 window');
      expect(text).toContain('e7 textbox focused');
    }
  });

  it.each([
    ['a dialog', fileDialog(), 'e60 textbox "Name:" focused'],
    ['a sheet', calcSheet(), 'w6 window "prices.ods - LibreOffice Calc"'],
  ])('keeps window and focus of %s to the last', (_, snapshot, line) => {
    for (const maxTokens of [150, 200, 300]) expect(renderSnapshot(snapshot, { maxTokens }).text).toContain(line);
  });

  it('folds rows first and keeps the selected one', () => {
    const snapshot = orders();
    const table = snapshot.roots[0]?.children[1]?.children[0]?.children[4]?.children[0];
    const chosen = table?.children[15];
    if (chosen) chosen.states.selected = true;
    const { text } = renderSnapshot(snapshot, { maxTokens: 600 });
    expect(text).toMatch(
      /… rows 9-15: ui_read e40 9-15\n {6}e71 \| .* \| selected\n {6}… rows 17-200: ui_read e40 17-66/,
    );
  });

  it('cuts long names before it folds bars, and bars before the rest', () => {
    const text = (at: number): Element => el(`e${50 + at}`, 'text', { name: long(70) });
    const bar = el(
      'e1',
      'toolbar',
      { name: 'Main' },
      Array.from({ length: 10 }, (_, at) => el(`e${2 + at}`, 'button', { name: `Button number ${at}` })),
    );
    const snapshot = window([
      bar,
      el(
        'e40',
        'group',
        { name: 'G' },
        Array.from({ length: 12 }, (_, at) => text(at)),
      ),
    ]);
    const whole = renderSnapshot(snapshot).tokens;
    const cutOnly = renderSnapshot(snapshot, { maxTokens: whole - 10 });
    expect([cutOnly.folded, cutOnly.text.includes('…"(+30)')]).toEqual([0, true]);
    const barToo = renderSnapshot(snapshot, { maxTokens: cutOnly.tokens - 10 });
    expect(barToo.text).toContain('e1 toolbar "Main" (10 inside, ui_snapshot e1)');
    expect(barToo.folded).toBe(10);
  });

  it('prints the first part of a flat page rather than one line', () => {
    const links = Array.from({ length: 900 }, (_, at) =>
      el(`e${at + 10}`, 'text', { name: `Paragraph ${at} ${long(60)}` }),
    );
    const { text, tokens } = renderSnapshot(window([el('e9', 'document', { name: 'Page' }, links)]));
    expect(tokens).toBeGreaterThan(1800);
    expect(text).toMatch(/… \+\d+ text: ui_snapshot e9\n<\/ui/);
  });
});
