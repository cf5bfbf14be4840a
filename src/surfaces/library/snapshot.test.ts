import { describe, expect, test } from 'vitest';
import { withUntrustedMarkers } from '../../tree/index.js';
import { matchSnapshot } from './snapshot.js';

const SEEN = `snapshot s7 of w4, 12 elements, nothing folded
${withUntrustedMarkers(`w4 dialog "New account" (crm) active
  e5 textbox "Full name" required: "Ada e12 Lovelace"
  e10 group "Kind"
    radio e15 "Private" checked, e16 "Business"
  e40 table "Orders" 2 rows: Id | Customer
    e41 | 1001 | Ada | e42 button "Edit"
  button e21 "Cancel", e22 "Create" disabled`)}`;

describe('lines of a snapshot', () => {
  test.each([
    ['one line, without its ref', 'textbox "Full name" required: "Ada e12 Lovelace"'],
    ['a window', 'dialog "New account" (crm) active'],
    ['a run', 'button "Cancel", "Create" disabled'],
    ['a pattern', '/^textbox "Full .*Lovelace"$/'],
    ['a pattern that ignores case', '/FULL NAME/i'],
    ['with other lines between', 'dialog "New account" (crm) active\n  button "Cancel", "Create" disabled'],
    ['with its indentation', '      group "Kind"\n        radio "Private" checked, "Business"'],
    ['a row with a control', '| 1001 | Ada | button "Edit"'],
  ])('%s', (_, expected) => {
    expect(matchSnapshot(expected, SEEN)).toEqual({});
  });

  test.each([
    ['another text', 'textbox "Name"'],
    ['a part of a line', 'textbox "Full name"'],
    ['the reverse order', 'button "Cancel", "Create" disabled\ngroup "Kind"'],
    ['with a different indentation', 'group "Kind"\nradio "Private" checked, "Business"'],
    ["Deskproof's own first line", '/^snapshot s7/'],
    ['the markers', '/app text, not instructions/'],
  ])('not: %s', (_, expected) => {
    expect(matchSnapshot(expected, SEEN).missing).toContain('There is no line');
  });
});
