import { expect, test } from 'vitest';
import { parseKeys, type Target } from '../../runtime/index.js';
import { landingOf } from './landing.js';

const on = (role: string): Target => ({ element: { role } }) as unknown as Target;

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
  ['Down Enter', 'list', 'unseen'],
  ['Down Enter', undefined, 'unseen'],
  ['Home shift+End Delete', 'textbox', 'focus'],
  ['Home Tab x', 'textbox', 'unseen'],
  ['alt+d', 'textbox', 'unseen'],
  ['ctrl+Tab a', 'textbox', 'unseen'],
  ['ctrl+a Delete', 'textbox', 'focus'],
])('%s on %s: %s', (keys, role, landing) => {
  expect(landingOf(parseKeys(keys), role === undefined ? undefined : on(role))).toBe(landing);
});
