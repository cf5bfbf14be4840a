import { describe, expect, test } from 'vitest';
import { Masks, type MaskSetting } from './masks.js';

const TICKET = { name: 'ticket', pattern: 'TKT-[0-9]{6}' };
const ALL: readonly MaskSetting[] = ['email', 'ssn', 'card', TICKET];

describe('masks', () => {
  test.each([
    ['write to ann.o-b+x@mail.example.co.uk, now', 'write to ‹masked:email›, now'],
    ['<jörg@bücher.de>', '<‹masked:email›>'],
    ['someone@nowhere and @home', 'someone@nowhere and @home'],
    ['123-45-6789', '‹masked:ssn›'],
    ['SSN 123 45 6789.', 'SSN ‹masked:ssn›.'],
    ['123-45 6789', '123-45 6789'],
    ['000-45-6789 666-45-6789 900-45-6789 123-00-6789 123-45-0000'.replaceAll(' ', ', '), undefined],
    ['1123-45-6789 123-45-67890', undefined],
    ['4111111111111111', '‹masked:card›'],
    ['card 4111 1111 1111 1111 12/27', 'card ‹masked:card› 12/27'],
    ['card 5500-0000-0000-0004', 'card ‹masked:card›'],
    ['3782 822463 10005 and 6011000990139424', '‹masked:card› and ‹masked:card›'],
    ['4111 1111 1111 1111 555', '‹masked:card› 555'],
    ['41 11 11 11 11 11 11 11', undefined],
    ['4111111111111112', undefined],
    ['1111111111111117', undefined],
    ['411111111111', undefined],
    ['400000000002', undefined],
    ['41111111111111111115', undefined],
    ['12 4111111111111111', '12 ‹masked:card›'],
    ['see TKT-123456, not TKT-12345', 'see ‹masked:ticket›, not TKT-12345'],
    ['a b c', undefined],
    ['', undefined],
    ['‹masked:123-45-6789›', '‹masked:‹masked:ssn››'],
  ])('%s', (text, masked) => {
    const masks = new Masks(ALL);
    const once = masks.redact(text);
    expect(once).toBe(masked ?? text);
    expect(masks.redact(once)).toBe(once);
    expect(masks.redact(text)).toBe(once);
  });

  test('without masks, text stays unchanged', () => expect(new Masks([]).redact('a@b.cd')).toBe('a@b.cd'));

  test('does not mask the content of our own marks', () => {
    const masks = new Masks([
      { name: 'masked', pattern: 'mask' },
      { name: 'x', pattern: '[a-z]+' },
    ]);
    const once = masks.redact('a mask 1');
    expect(once).toBe('‹masked:x› ‹masked:masked› 1');
    expect(masks.redact(once)).toBe(once);
  });
});

test('no mask is slow on hostile text', () => {
  for (const group of ['1 ', '123 ']) expect(new Masks(ALL).redact(group.repeat(20_000))).toBe(group.repeat(20_000));
  expect(new Masks(ALL).redact(`${'a'.repeat(50_000)}@`)).toHaveLength(50_001);
});

test('refuses a pattern that cannot be searched in linear time', () => {
  expect(() => new Masks([{ name: 'x', pattern: '(a)\\1' }])).toThrow('refers back');
});
