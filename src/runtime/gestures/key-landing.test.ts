import { expect, test } from 'vitest';
import { parseKeys, type Target } from '../index.js';
import { keyLanding } from './key-landing.js';

const on = (words: string): Target => {
  const [role, ...states] = words.split(' ');
  return { element: { role, states: Object.fromEntries(states.map((state) => [state, true])) } } as unknown as Target;
};

test.each<[string, string | undefined, string]>([
  ['ctrl+s', undefined, 'window'],
  ['Escape F5', 'button', 'window'],
  ['shift+F10', 'button', 'window'],
  ['alt+F4', undefined, 'window'],
  ['a b c', 'textbox', 'focus'],
  ['Space', 'button', 'focus'],
  ['shift+a', 'textbox', 'focus'],
  ['Enter', undefined, 'focus'],
  ['Tab', 'button', 'focus'],
  ['Down Down', 'list', 'focus'],
  ['Tab Space', 'button', 'unseen'],
  ['shift+Tab Enter', 'textbox', 'unseen'],
  ['F6 Enter', 'button', 'unseen'],
  ['F10 Down Enter', 'textbox', 'unseen'],
  ['F10 Escape', 'textbox', 'window'],
  ['shift+F10 d', 'textbox', 'unseen'],
  ['Menu d', 'textbox', 'unseen'],
  ['Alt Down Enter', 'textbox', 'unseen'],
  ['Meta Enter', 'textbox', 'unseen'],
  ['KP_Home x', 'textbox', 'focus'],
  ['KP_Down Enter', 'list', 'unseen'],
  ['Space Enter', 'menubutton', 'unseen'],
  ['Enter Tab', 'button', 'focus'],
  ['KP_Enter d', 'row', 'unseen'],
  ['x Enter y', 'textbox', 'unseen'],
  ['x Space y', 'textbox', 'focus'],
  ['x Enter y', 'textbox multiline', 'focus'],
  ['l s Enter l s', 'terminal', 'focus'],
  ['Enter w', 'canvas', 'focus'],
  ['d', 'menuitem', 'unseen'],
  ['ctrl+d', 'menuitem', 'window'],
  ['d', undefined, 'focus'],
  ['d', 'listitem', 'focus'],
  ['d e', 'listitem', 'focus'],
  ['d Enter', 'listitem', 'unseen'],
  ['d Enter', 'combobox', 'unseen'],
  ['d Enter', 'combobox editable', 'focus'],
  ['d Enter', 'button', 'focus'],
  ['Down Enter', 'list', 'unseen'],
  ['Down Enter', undefined, 'unseen'],
  ['Home shift+End Delete', 'textbox', 'focus'],
  ['Home Tab x', 'textbox', 'unseen'],
  ['alt+d', 'textbox', 'unseen'],
  ['ctrl+Tab a', 'textbox', 'unseen'],
  ['ctrl+a Delete', 'textbox', 'focus'],
])('%s on %s: %s', (keys, role, landing) => {
  expect(keyLanding(parseKeys(keys), role === undefined ? undefined : on(role))).toBe(landing);
});
