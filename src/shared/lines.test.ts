import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.js';

describe('LineSplitter', () => {
  it('returns the same lines however the bytes arrive', () => {
    const bytes = Buffer.from('{"a":"日本 😀"}\n\n{"b":1}\nrest');
    for (const size of [1, 2, 3, 5, 1000]) {
      const lines = new LineSplitter(100);
      const seen: string[] = [];
      for (let at = 0; at < bytes.length; at += size) seen.push(...lines.push(bytes.subarray(at, at + size)));
      expect(seen).toEqual(['{"a":"日本 😀"}', '', '{"b":1}']);
    }
  });

  it('stops at the limit, also for a line that never ends', () => {
    const lines = new LineSplitter(10);
    expect(lines.push(Buffer.from('0123456789\n'))).toEqual(['0123456789']);
    lines.push(Buffer.from('01234'));
    expect(() => lines.push(Buffer.from('567890'))).toThrow(RangeError);
  });
});
