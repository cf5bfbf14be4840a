import { describe, expect, it } from 'vitest';
import { ALL_KEY_NAMES, keyName, parseKeys } from '../../drivers/contract/keys.js';
import { compilePolicy, type PolicyRequest } from '../../policy/index.js';
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

/** The names of the same key, as the drivers know them, with what a key of the number pad presses. */
const NAMES_OF = new Map<string, string[]>();
for (const name of ALL_KEY_NAMES) NAMES_OF.set(keyName(name)!, [...(NAMES_OF.get(keyName(name)!) ?? []), name]);
for (const pad of ['Home', 'End', 'PageUp', 'PageDown', 'Up', 'Down', 'Left', 'Right', 'Insert', 'Delete', 'Enter'])
  NAMES_OF.get(keyName(pad)!)!.push(`KP_${pad}`);

describe('a rule about a key', () => {
  const pressing = (keys: string): PolicyRequest => ({
    ...{ tool: 'ui_key', class: 'act', caller: 'mcp', desktop: 'virtual', args: { keys }, target: {} },
    ...{ does: ['press'], actions: ['key'] },
    keys: parseKeys(keys).map(({ modifiers, key }) => [...modifiers, key].join('+')),
  });
  const denies = (pattern: string, pressed: string): boolean => {
    const rules = [{ name: 'no-key', when: { args: { keys: pattern } }, decision: 'deny' as const }];
    return compilePolicy({ user: { version: 1, rules } }, 'virtual').decide(pressing(pressed)).answer === 'deny';
  };

  it.each([...NAMES_OF.entries()])('matches every name of %s', (_, names) => {
    for (const pattern of names)
      for (const pressed of names)
        expect([pattern, pressed, denies(pattern, pressed)]).toEqual([pattern, pressed, true]);
  });

  it.each([
    ['shift+d', 'D'],
    ['D', 'shift+d'],
    ['ctrl+shift+1', 'ctrl+!'],
    ['ctrl+!', 'ctrl+shift+1'],
    ['shift+d', 'a D'],
    ['shift+1', '!'],
    ['kp_*', 'KP_Insert'],
    ['ctrl+shift+=', 'ctrl++'],
    ['meta+l', 'super+L'],
  ])('%s matches %s', (pattern, pressed) => expect(denies(pattern, pressed)).toBe(true));

  it.each([
    ['shift+d', 'd'],
    ['ctrl+shift+1', 'ctrl+1'],
    ['Enter', 'Escape'],
  ])('%s does not match %s', (pattern, pressed) => expect(denies(pattern, pressed)).toBe(false));
});
