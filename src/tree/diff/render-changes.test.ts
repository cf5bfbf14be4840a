import { describe, expect, it } from 'vitest';
import type { Element } from '../element.js';
import { el, shot, win } from '../goldens/build.js';
import type { Snapshot } from '../snapshot.js';
import { diffSnapshots } from './diff.js';
import { renderChanges } from './render-changes.js';

const snapshotOf = (id: string, children: Element[], more: Snapshot['windows'] = []): Snapshot =>
  shot(
    id,
    [win('w1', 'T', 'app'), ...more],
    [el('w1', 'window', {}, children), ...more.map(({ ref }) => el(ref, 'dialog'))],
    { scope: 'window' },
  );

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
    expect(
      after([el('e1', 'text', { name: 'a' }), ...buttons(true)], [el('e1', 'text', { name: 'b' }), ...buttons(false)]),
    ).toEqual([
      '~ text "b" in w1 (was "a")',
      '~ 61 elements are disabled (were enabled): e10 button "B0", e11 button "B1", …',
    ]);
    expect(after(buttons(false), buttons(true))).toEqual([
      '~ 61 elements are no longer disabled: e10 button "B0", e11 button "B1", …',
    ]);
    expect(after(buttons(true), [])).toEqual(['- 61 button elements in w1: e10 button "B0", e11 button "B1", …']);
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
      el(
        'e1',
        'table',
        { name: 'T', table: { rows, columns: 1, headers: [], shown: { rows: [first, first + 1], columns: [1, 1] } } },
        [row(first + 1), row(first + 2)],
      );
    expect(after([table(1, 9)], [table(2, 9)]).filter((line) => !line.startsWith('+'))).toEqual([
      '~ e1 table "T" 9 rows, 2-3 on screen (was 1-2 on screen)',
      '~ e2 | Row 2 | offscreen (was on screen)',
    ]);
    // One row fewer: it may be gone.
    expect(after([table(1, 9)], [table(2, 8)]).join()).toContain('- e2');
    const button = (offscreen: boolean) => [
      el('e1', 'button', { name: 'Far', states: offscreen ? { offscreen } : {} }),
    ];
    expect(after(button(false), button(true)).join()).not.toContain('- e1');
  });
});
