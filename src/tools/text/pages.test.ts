import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageOfText, readPage, textLines, type TextPage } from './pages.js';

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

describe('pages that are read one after the other', () => {
  const MARK = '‹secret:it›';
  /** An app's text in which runs of Z are secret and ~ is cleaned away, as it comes to us. */
  const reading =
    (app: string) =>
    (start: number) =>
    async (end: number): Promise<TextPage> => {
      const until = Math.min(end, app.length);
      const text = app.slice(start, until).replace(/Z+/g, MARK).replace(/~/g, '');
      return { text, start, end: until, total: app.length };
    };

  async function follow(app: string, budget: number): Promise<string[]> {
    const pages: string[] = [];
    for (let start = 0; start < app.length;) {
      const page = await readPage(reading(app)(start), Infinity, budget);
      expect(page.start).toBe(start);
      expect(page.end).toBeGreaterThan(start);
      pages.push(page.text);
      start = page.end;
    }
    return pages;
  }

  it('leave nothing out and repeat nothing, whatever stands for what', async () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[a-c]{1,12}[ \n]$/),
      fc.nat(40).map((length) => `${'Z'.repeat(length)} `),
      fc.constantFrom('~~~~~~~~~~', '~a~b', 'long words without an end'.replaceAll(' ', '')),
    );
    const texts = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 8, max: 60 }), async (app, budget) => {
        const pages = (await follow(app, budget)).join('');
        expect(pages.replaceAll(MARK, '')).toBe(app.replace(/[Z~]/g, ''));
      }),
      { numRuns: 300 },
    );
  });

  it('do not end in a secret that goes on, where a word ends before it', async () => {
    const app = `${'word '.repeat(60)}${'Z'.repeat(30)} end`;
    for (let budget = 20; budget < 60; budget++) {
      const pages = await follow(app, budget);
      expect(pages.length).toBeGreaterThan(1);
      expect(pages.join('')).toBe(`${'word '.repeat(60)}${MARK} end`);
    }
  });

  it('are read once where nothing is changed', async () => {
    let reads = 0;
    const read = (end: number): Promise<TextPage> => (reads++, reading('word '.repeat(400))(0)(end));
    await readPage(read, Infinity, 50);
    await readPage(read, Infinity, 5_000);
    expect(reads).toBe(2);
  });

  it('are one where all of it is secret, however little room there is', async () => {
    const page = { text: MARK, start: 0, end: MARK.length, total: MARK.length };
    expect(await readPage(async () => page, Infinity, 1)).toEqual(page);
  });
});
