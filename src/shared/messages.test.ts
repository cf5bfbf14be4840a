import { expect, it } from 'vitest';
import { didYouMean, editDistance } from './messages.js';

const FIELDS = ['window', 'target', 'maxTokens', 'timeoutMs', 'full', 'x'];

it.each([
  ['windw', 'window'],
  ['max_tokens', 'maxTokens'],
  ['max-tokens', 'maxTokens'],
  ['MAXTOKENS', 'maxTokens'],
  ['timeout', 'timeoutMs'],
  ['targets', 'target'],
  ['fulll', 'full'],
  ['widnow', 'window'],
  ['tagrte', 'target'],
  ['zebra', undefined],
  ['', undefined],
  ['q'.repeat(10_000), undefined],
])('%s', (word, meant) => expect(didYouMean(word, FIELDS)).toBe(meant));

it.each([
  ['', '', 2, 0],
  ['abc', 'abc', 2, 0],
  ['abc', 'abd', 2, 1],
  ['abc', 'ab', 2, 1],
  ['abc', 'acb', 2, 1],
  ['windw', 'window', 2, 1],
  ['kitten', 'sitting', 3, 3],
])('the edit distance of %j and %j is at most %i: %i', (a, b, limit, distance) => {
  expect(editDistance(a, b, limit)).toBe(distance);
  expect(editDistance(b, a, limit)).toBe(distance);
});

it('does not measure texts whose lengths differ by more than the limit', () => {
  expect(editDistance('a', 'abcdef', 2)).toBeGreaterThan(2);
  expect(editDistance('a'.repeat(10_000_000), 'a', 2)).toBeGreaterThan(2);
});
