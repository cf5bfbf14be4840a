import { describe, expect, it } from 'vitest';
import { TaintTracker } from '../taint-tracker.js';

const WINDOW = 'w1';
const MARK = '‹secret:it›';
const VALUE = 'Zq7kWm2pXr9t';

function taintOf(value: string): TaintTracker {
  const taint = new TaintTracker();
  taint.typed({ name: 'it', value, window: WINDOW, field: 'field' });
  return taint;
}

const WAYS: [string, string, (value: string) => string][] = [
  ['as it is', VALUE, (value) => value],
  ['upper case', VALUE, (value) => value.toUpperCase()],
  ['URL, every byte', VALUE, (value) => [...Buffer.from(value)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['HTML by numbers', VALUE, (value) => [...value].map((sign) => `&#${sign.codePointAt(0)};`).join('')],
  ['base64', VALUE, (value) => Buffer.from(value).toString('base64')],
  ['digits in groups', '4929111122223333', (value) => value.replace(/(.{4})(?=.)/g, '$1 ')],
  ['a short one', 'q7z', (value) => value],
  ['one of six characters', 'k3v8xz', (value) => value],
];

describe('no part of a text shows a piece of a value', () => {
  it.each(WAYS)('%s', (_, value, write) => {
    const taint = taintOf(value);
    const [first, last] = ['see ', ' now'];
    const all = first + write(value) + last;
    const secretEnd = all.length - last.length;
    for (const length of [1, 2, 6]) {
      for (let start = 0; start < all.length; start++) {
        const end = Math.min(all.length, start + length);
        const part = { before: all.slice(0, start), text: all.slice(start, end), after: all.slice(end) };
        const touched = start < secretEnd && end > first.length;
        const shown = all.slice(start, Math.max(start, Math.min(end, first.length)));
        const wanted = touched
          ? shown + MARK + all.slice(Math.max(start, secretEnd), Math.max(end, secretEnd))
          : part.text;
        expect(taint.redactPart(part, { window: WINDOW })).toBe(wanted);
      }
    }
  });

  it('returns the same text when it contains no value', () => {
    const taint = taintOf(VALUE);
    const part = { before: 'Zq7kW', text: 'Zq7kW', after: 'no' };
    expect(taint.redactPart(part)).toBe('Zq7kW');
    expect(new TaintTracker().redactPart({ before: '', text: VALUE, after: '' })).toBe(VALUE);
  });
});

describe('a truncated text', () => {
  const long = 'x'.repeat(200);
  it.each<[string, string, string]>([
    ['through a value', `${long}Zq7kWm2…(+20)`, `${'x'.repeat(143)}…(+?)`],
    ['through a value that is known by then', `${long}Zq7kWm2pXr…(+20)`, `${long}${MARK}…(+?)`],
    ['near its beginning', 'Zq7…(+20)', '…(+?)'],
    ['behind a value', `${VALUE} Zq7kW…(+20)`, `${MARK}…(+?)`],
    ['in wide characters', `${'😀'.repeat(70)}…(+1)`, `${'😀'.repeat(6)}…(+?)`],
    ['not at all', `${long}Zq7kWm2`, `${long}Zq7kWm2`],
  ])('%s', (_, text, seen) => {
    expect(taintOf(VALUE).redactSeen(text)).toBe(seen);
  });

  it('stays unchanged while nothing was typed', () => {
    expect(new TaintTracker().redactSeen('Zq7kW…(+20)')).toBe('Zq7kW…(+20)');
  });

  it('is trimmed in texts, events and trees', () => {
    const taint = taintOf(VALUE);
    const cut = `${long}Zq7kWm2…(+20)`;
    const node = { id: 'a', name: cut, children: [{ id: 'b', value: cut, description: cut, children: [] }] };
    expect(JSON.stringify(taint.redactTree(node, WINDOW))).not.toContain('Zq7');
    expect(JSON.stringify(taint.redactSeenValue({ text: cut }))).not.toContain('Zq7');
  });
});
