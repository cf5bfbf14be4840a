import { expect, it } from 'vitest';
import { formatArgument } from './messages.js';

const a = (count: number): string => 'a'.repeat(count);

it.each<[string, unknown, string]>([
  ['a text', 'Hello "you"\n', '"Hello \\"you\\"\\n"'],
  ['a text at the limit', a(300), `"${a(300)}"`],
  [
    'the start and end of a long text',
    `${a(320)}; rm -rf everything`,
    `"${a(150)}" … +39 characters … "${a(131)}; rm -rf everything" (339 characters)`,
  ],
  ['invisible characters', 'rm\u202e\u200b x\u{e0041}', '"rm\\u{202e}\\u{200b} x\\u{e0041}"'],
  ['arguments, each quoted', ['-c', 'a b', ''], '"-c" "a b" ""'],
  ['long arguments', [`${a(130)}z`], `"${a(60)}" … +11 characters … "${a(59)}z" (131 characters)`],
  [
    'many arguments',
    Array.from({ length: 20 }, (_, at) => String(at)),
    '"0" "1" "2" "3" "4" "5" "6" "7" … +4 arguments … "12" "13" "14" "15" "16" "17" "18" "19" (20 arguments)',
  ],
  ['a number', 3, '3'],
  ['a truth', true, 'true'],
  ['a condition', { text: 'x\u202e' }, '{"text":"x\\u{202e}"}'],
  ['a redacted value', { redacted: true }, '(left out)'],
  ['redacted keys', { redacted: true, others: 'Tab … Enter' }, '"Tab … Enter" (… left out)'],
])('%s', (_, value, text) => {
  expect(formatArgument(value)).toBe(text);
});
