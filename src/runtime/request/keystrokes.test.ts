import { expect, it } from 'vitest';
import { mayUndo, typedInto, withoutLetters, writesText } from './keystrokes.js';

it.each<[string, string | undefined]>([
  ['h u n t e r 2', '…'],
  ['Tab h u shift+N Enter', 'Tab … Enter'],
  ['a ctrl+a b Space c', '… ctrl+a …'],
  ['KP_1 KP_2', '…'],
  ['ctrl+shift+s alt+f4', undefined],
  ['Tab Space', undefined],
  ['Down Down Enter', undefined],
  ['nokey x', ''],
])('%s is written down with %j left', (keys, others) => {
  expect(withoutLetters(keys)).toEqual(others === undefined ? keys : { redacted: true, others });
  expect(writesText(keys)).toBe(others !== undefined);
});

it.each<[string, string, string]>([
  ['', 'h u n', 'hun'],
  ['hun', 't shift+E Backspace e r Space 2 KP_3', 'hunter 23'],
  ['hun', 'Home x', 'x'],
  ['hun', 'ctrl+a', ''],
  ['hun', 'ctrl+Backspace', ''],
  ['hun', 'Enter', ''],
  ['hun', 'nokey', 'hun'],
])('after %j and %s a field has got %j', (before, keys, after) => {
  expect(typedInto(before, keys)).toBe(after);
});

it.each<[string, boolean]>([
  ['ctrl+z', false],
  ['F10', false],
  ['ctrl+z Home x', true],
  ['x alt+Backspace', true],
  ['F10 Down Enter', true],
  ['Menu u', true],
  ['Alt e u', true],
  ['shift+Home x Tab Enter', false],
  ['nokey ctrl+z', false],
])('%s may take back what was, unseen: %s', (keys, may) => {
  expect(mayUndo(keys)).toBe(may);
});

it('a fault of ours is no answer', () => {
  expect(() => writesText(undefined as never)).toThrow(TypeError);
});
