import { describe, expect, it } from 'vitest';
import { pageOfText, textLines } from './text-page.js';

describe('a page of text', () => {
  it('is kept whole when the budget holds it', () => {
    const page = { text: 'one\ntwo', start: 0, end: 7, total: 7 };
    expect(pageOfText(page, 100)).toEqual(page);
  });

  it('ends where the app ends it, also when cleaning left less or nothing of it', () => {
    for (const text of ['visible', '']) {
      const page = { text, start: 500, end: 12_000, total: 20_000 };
      expect(pageOfText(page, 100)).toEqual(page);
    }
  });

  it('is cut after a line or a word, never leaving anything out', () => {
    const text = 'word '.repeat(400);
    const { text: kept, end } = pageOfText({ text, start: 10, end: 2_500, total: 9_000 }, 50);
    expect(text.startsWith(kept)).toBe(true);
    expect(kept).toMatch(/ $/);
    expect(end).toBe(10 + kept.length);
    expect(end).toBeGreaterThan(10);
  });

  it('always moves on, however small the budget', () => {
    expect(pageOfText({ text: '😀'.repeat(50), start: 3, end: 53, total: 60 }, 1)).toMatchObject({
      text: '😀',
      end: 4,
    });
  });

  it('has a mark of ours before each line', () => {
    expect(textLines('a\n\n| b')).toEqual(['| a', '|', '| | b']);
  });
});
