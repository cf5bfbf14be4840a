import { expect, it } from 'vitest';
import { didYouMean } from './messages.js';

const FIELDS = ['window', 'target', 'maxTokens', 'timeoutMs', 'full', 'x'];

it.each([
  ['windw', 'window'],
  ['max_tokens', 'maxTokens'],
  ['max-tokens', 'maxTokens'],
  ['MAXTOKENS', 'maxTokens'],
  ['timeout', 'timeoutMs'],
  ['targets', 'target'],
  ['fulll', 'full'],
  ['zebra', undefined],
  ['', undefined],
  ['q'.repeat(10_000), undefined],
])('%s', (word, meant) => expect(didYouMean(word, FIELDS)).toBe(meant));
