import { describe, expect, it } from 'vitest';
import { allOf, anyOf, opposite, type Answer } from './condition.js';

const yes = 'satisfied';
const no = 'unsatisfied';
const unknown = 'unknown';

describe('three answers', () => {
  it.each<[Answer, Answer, Answer, Answer]>([
    [yes, yes, yes, yes],
    [yes, no, no, yes],
    [yes, unknown, unknown, yes],
    [no, no, no, no],
    [no, unknown, no, unknown],
    [unknown, unknown, unknown, unknown],
  ])('%s and %s: all %s, any %s, either way round', (a, b, all, any) => {
    expect([allOf([a, b]), allOf([b, a]), anyOf([a, b]), anyOf([b, a])]).toEqual([all, all, any, any]);
    // De Morgan holds, so a condition may be turned round.
    expect(opposite(allOf([a, b]))).toBe(anyOf([opposite(a), opposite(b)]));
  });

  it.each<[Answer, Answer]>([
    [yes, no],
    [no, yes],
    [unknown, unknown],
  ])('not %s is %s', (answer, other) => expect(opposite(answer)).toBe(other));
});
