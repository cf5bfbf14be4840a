// @module-tag safety

import { describe, expect, it } from 'vitest';
import type { Node, Role } from '../../tree/index.js';
import { PasswordFields } from './password-fields.js';

const node = (id: string, role: Role, more: Partial<Node> = {}): Node => ({
  ...{ id, role, patterns: [], platformIds: {}, children: [] },
  ...more,
  states: { enabled: true, visible: true, ...more.states },
});
const windowOf = (...children: Node[]): Node => node('win', 'window', { children });
const masked = (id: string, name = ''): Node =>
  node(id, 'textbox', { name, states: { enabled: true, visible: true, secret: true, filled: true } });
const shown = (id: string, name = '', value = 'generated-1'): Node =>
  node(id, 'textbox', { name, value, children: [node(`${id}-text`, 'text', { name: value })] });

describe('a field that was a password field', () => {
  it.each<[string, Node, Node]>([
    ['the same element', masked('a', 'Login'), shown('a', 'Login')],
    ['created again with the same label', masked('a', 'Login'), shown('b', 'Login')],
    ['created again at the same place, without a label', masked('a'), shown('b')],
  ])('stays secret when its app shows its text: %s', (_, before, after) => {
    const fields = new PasswordFields();
    fields.conceal(windowOf(before), 'win', true);
    const root = fields.conceal(windowOf(after), 'win', true);
    expect(root.children[0]).toMatchObject({ states: { secret: true, filled: true }, children: [] });
    expect(JSON.stringify(root)).not.toContain('generated');
    expect([fields.has(after.id), fields.isRevealed(after.id), fields.anyRevealedIn('win')]).toEqual([
      true,
      true,
      true,
    ]);
    fields.conceal(windowOf({ ...before, id: after.id }), 'win', true);
    expect(fields.isRevealed(after.id)).toBe(false);
  });

  it('keeps the controls in it, unless they name what it shows', () => {
    const fields = new PasswordFields();
    fields.conceal(windowOf(masked('a', 'Login')), 'win', true);
    const controls = [
      node('hide', 'button', { name: 'Hide password', value: 'on', children: [node('i', 'image', { name: 'eye' })] }),
      node('copy', 'button', { name: 'Copy generated-1' }),
      node('word', 'text', { name: 'gene' }),
    ];
    const field = { ...shown('a', 'Login'), children: controls };
    const [now] = fields.conceal(windowOf(field), 'win', true).children;
    expect(now!.children).toEqual([node('hide', 'button', { name: 'Hide password' })]);
    // Any text in the field may be a part of the password.
    const parts = { ...field, value: '', children: [node('hide', 'button', { name: 'Hide gene' }), controls[2]!] };
    expect(fields.conceal(windowOf(parts), 'win', true).children[0]!.children).toEqual([]);
  });

  it('may also be one that shows bullets only', () => {
    const fields = new PasswordFields();
    for (const value of ['•', '●●●●', '***'])
      expect(fields.conceal(windowOf(shown(value, '', value)), 'win', false).children[0]!.states.secret).toBe(true);
    const plain = windowOf(shown('x', 'Search', '*'));
    expect(fields.conceal(plain, 'win', false)).toBe(plain);
  });

  it('is known in its own window, until that is closed', () => {
    const fields = new PasswordFields();
    fields.conceal(windowOf(masked('a', 'Login')), 'win', true);
    const elsewhere = windowOf(shown('b', 'Login'));
    expect(fields.conceal(elsewhere, 'other', true)).toBe(elsewhere);
    fields.windowGone('win');
    const again = windowOf(shown('a', 'Login'));
    expect(fields.conceal(again, 'win', true)).toBe(again);
  });
});
