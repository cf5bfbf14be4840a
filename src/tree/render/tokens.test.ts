import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from './tokens.js';
import { MERGES, WHOLE } from './token-merges.js';

const real = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

describe('estimateTokens', () => {
  it.each([
    ['nothing', ''],
    ['a printed line', '  e7 textbox "E-mail" required invalid: "ada@" (error: "Not a valid address")\n'],
    ['refs', Array.from({ length: 200 }, (_, i) => `e${i * 37}`).join(' ')],
    ['digits', '0123456789012345678901234567890123456789 1234 12 1,234,567.89'],
    ['chinese', '保存文件到计算机中，请选择一个目录。'],
    ['japanese and korean', '日本語のファイルを開く 파일을 저장하시겠습니까'],
    ['russian, greek, arabic, thai', 'Сохранить файл Αποθήκευση حفظ الملف บันทึกไฟล์'],
    ['emoji', '😀👩‍👩‍👧‍👦🏳️‍🌈👍🏽 🧑‍💻'],
    ['unknown words', 'xqzvkwj Bfghtrplq ZZTQ aAaAaA'],
    ['very long words', 'abcdefghij'.repeat(100)],
    ['punctuation and spaces', '!!!???--__ \t\t \n\n   ((( )))   "","","" \u00a0\u2003x'],
    ['a lone surrogate', 'x\ud800y'],
  ])('is never below the real count: %s', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
  });

  it('is never below the real count of text that an app may show', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(...WHOLE),
      fc.integer().map(String),
      fc.stringMatching(/^[A-Za-z]{1,16}$/),
    );
    const text = fc.tuple(fc.array(word, { maxLength: 30 }), fc.constantFrom(' ', '', '\n', ' | ', '", "'));
    fc.assert(
      fc.property(text, ([words, gap]) => {
        const joined = words.join(gap);
        return estimateTokens(joined) >= real(joined);
      }),
      { numRuns: 600 },
    );
  });

  it('adds up line by line, as long as no line is empty', () => {
    const lines = ['w2 window "A"\n', '  e2 button "×÷" disabled\n', '    text "日本"\n', 'end'];
    expect(lines.map(estimateTokens).reduce((a, b) => a + b)).toBe(estimateTokens(lines.join('')));
  });

  it('counts a piece of any length in bounded time, as its bytes', () => {
    expect(estimateTokens('x'.repeat(100_000))).toBe(100_000);
  });
});

describe('the table of merges', () => {
  it('is the first part of the published one', () => {
    const path = createRequire(import.meta.url).resolve('gpt-tokenizer/data/o200k_base.tiktoken');
    const published = readFileSync(path, 'utf8').trim().split('\n').slice(0, 12_000);
    const words = published
      .map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64'))
      .filter((token) => token.length > 1)
      .map(encodeMerge);
    expect(MERGES === words.join(' ')).toBe(true);
  });

  it('counts as one token only what is one', () => {
    const digits = Array.from({ length: 1000 }, (_, number) => [
      String(number),
      String(number).padStart(3, '0'),
    ]).flat();
    const spaces = Array.from({ length: 64 }, (_, at) => ' '.repeat(at + 1));
    expect([...digits, ...spaces].filter((text) => real(text) !== 1 || estimateTokens(text) !== 1)).toEqual([]);
    expect(WHOLE.filter((word) => real(word) !== 1 || real(` ${word}`) !== 1)).toEqual([]);
  });
});

function hex(bytes: Buffer): string {
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function encodeMerge(token: Buffer): string {
  const text = token.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(token)) return hex(token);
  return text.replace(/[%_'\\]|(?! )\s|[\p{C}\p{M}]/gu, (c) => hex(Buffer.from(c, 'utf8'))).replace(/ /g, '_');
}
