import { expect, it } from 'vitest';
import { didYouMean, editDistance, unknownTool } from './messages.js';

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

it.each([
  ['ui_clck', 'There is no tool "ui_clck".', 'Did you mean ui_click?'],
  ['elephant', 'There is no tool "elephant".', 'Available tools: ui_click, ui_type.'],
  ['x'.repeat(50), `There is no tool "${'x'.repeat(40)}".`, 'Available tools: ui_click, ui_type.'],
])('a tool that does not exist: %s', (name, message, hint) => {
  const error = unknownTool(name, [{ name: 'ui_click' }, { name: 'ui_type' }]);
  expect(error).toMatchObject({ code: 'bad_arguments', message, hint });
});
