import { describe, expect, test } from 'vitest';
import { KeyboardMap, type Stroke } from './keyboard-map.js';
import { keysymOfCharacter, keysymOfKey } from './keysyms.js';

/** Rows of a small German keyboard: plain, Shift, second layout twice, AltGr, AltGr and Shift. */
const ROWS: Record<number, (string | number)[]> = {
  9: ['Escape'],
  24: ['q', 'Q', 0, 0, '@', 'Ω'],
  38: ['a', 'A', 'ф', 'Ф', 'æ', 'Æ'],
  50: ['Shift'],
  37: ['Ctrl'],
  64: ['Alt'],
  77: ['NumLock'],
  79: ['KP_Home', 'KP_7'],
  86: ['KP_Add', 'KP_Add'],
  92: ['AltGr'],
  107: ['PrintScreen', 0xff15],
  133: ['Meta'],
  134: ['Meta'],
};
const FIRST = 8;
const MODIFIERS = [[50, 0], [66], [37], [64], [77], [], [133, 134], [92]];

function map(changes: Record<number, (string | number)[]> = {}, modifiers = MODIFIERS): KeyboardMap {
  const all = { ...ROWS, ...changes };
  const rows = Array.from({ length: 140 - FIRST }, (_, index) =>
    (all[FIRST + index] ?? []).map((symbol) => (typeof symbol === 'string' ? keysymOfKey(symbol) : symbol)),
  );
  return new KeyboardMap(FIRST, rows, modifiers);
}

describe('finding the key for a keysym', () => {
  const plain = { shift: false, altGr: false };
  test.each<[string, Stroke | undefined]>([
    ['q', { keycode: 24, ...plain }],
    ['Q', { keycode: 24, shift: true, altGr: false }],
    ['@', { keycode: 24, shift: false, altGr: true }],
    ['Ω', { keycode: 24, shift: true, altGr: true }],
    ['ф', undefined],
    ['€', undefined],
    ['Escape', { keycode: 9, ...plain }],
    ['KP_Home', { keycode: 79, ...plain, numLock: false }],
    ['KP_7', { keycode: 79, ...plain, numLock: true }],
    ['KP_Add', { keycode: 86, ...plain }],
    ['PrintScreen', { keycode: 107, ...plain }],
  ])('%s', (key, stroke) => expect(map().find(keysymOfKey(key))).toEqual(stroke));

  test('ignores the second keysym of a non-character key, which may need another modifier than Shift', () => {
    expect(map().find(0xff15)).toBeUndefined();
  });

  test('prefers the stroke with the fewest modifiers', () => {
    expect(map({ 20: ['x', '@'] }).find(keysymOfCharacter(0x40))).toEqual({ keycode: 20, shift: true, altGr: false });
  });

  test('finds no AltGr keysyms without an AltGr key', () => {
    const poor = map({}, [...MODIFIERS.slice(0, 7), []]);
    expect(poor.altGr).toBeUndefined();
    expect(poor.find(keysymOfCharacter(0x40))).toBeUndefined();
  });

  test('accepts a modifier key only if it is in the modifier map', () => {
    expect(map().modifierKey('meta')).toBe(133);
    expect(map({ 20: ['Shift'] }).modifierKey('shift')).toBe(50);
    expect(map({}, [[], ...MODIFIERS.slice(1)]).modifierKey('shift')).toBeUndefined();
    expect(map().numLockMask).toBe(16);
  });

  test('spare keys have no keysym and are not modifiers', () => {
    const { spare } = map({ 66: [], 100: [0, 0, 0] });
    expect(spare).toContain(100);
    expect(spare).not.toContain(66);
    expect(spare).not.toContain(24);
  });
});
