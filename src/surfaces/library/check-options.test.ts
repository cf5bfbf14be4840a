import { describe, expect, test } from 'vitest';
import {
  checkOptions,
  BOOLEAN,
  listOf,
  MILLISECONDS,
  oneOf,
  STRING,
  STRING_OR_REGEXP,
  readTimeout,
} from './check-options.js';

const KINDS = {
  ...{ exact: BOOLEAN, cwd: STRING, name: STRING_OR_REGEXP, timeoutMs: MILLISECONDS },
  ...{ state: oneOf('visible', 'gone'), types: listOf(oneOf('opened', 'closed')) },
};
const check = (given: unknown): void => checkOptions('it()', given as object | undefined, KINDS);

test.each<[string, unknown]>([
  ['none', undefined],
  ['an empty object', {}],
  ['an option that is undefined', { exact: undefined }],
  [
    'every option with a valid value',
    { exact: false, cwd: '', name: /a/, timeoutMs: 0, state: 'gone', types: ['opened'] },
  ],
])('accepts valid options: %s', (_, given) => {
  expect(() => check(given)).not.toThrow();
});

describe('refuses invalid options', () => {
  test.each<[unknown, string, string]>([
    [null, 'The options of it() must be an object.', 'Valid options are exact, cwd, name, timeoutMs, state, types.'],
    [5_000, 'The options of it() must be an object.', 'Valid options are exact, cwd, name, timeoutMs, state, types.'],
    [{ timeout: 5 }, 'it() has no option "timeout".', 'Did you mean timeoutMs?'],
    [{ q: 5 }, 'it() has no option "q".', 'Valid options are exact, cwd, name, timeoutMs, state, types.'],
    [
      { constructor: 5 },
      'it() has no option "constructor".',
      'Valid options are exact, cwd, name, timeoutMs, state, types.',
    ],
    [{ exact: 'yes' }, 'exact must be true or false.', 'Correct it or leave it out of it().'],
    [
      { timeoutMs: NaN },
      'timeoutMs must be a whole number of milliseconds, at most 600000.',
      'Correct it or leave it out of it().',
    ],
    [{ state: 'hidden' }, 'state must be "visible" or "gone".', 'Correct it or leave it out of it().'],
    [
      { types: ['bogus'] },
      'types must be a list in which each item is "opened" or "closed".',
      'Correct it or leave it out of it().',
    ],
    [
      { types: 'opened' },
      'types must be a list in which each item is "opened" or "closed".',
      'Correct it or leave it out of it().',
    ],
  ])('%j', (given, message, hint) => {
    expect(() => check(given)).toThrow(expect.objectContaining({ code: 'bad_arguments', retry: 'no', message, hint }));
  });
});

test('returns the timeout', () => {
  expect([readTimeout('it()', undefined), readTimeout('it()', { timeoutMs: 7 })]).toEqual([undefined, 7]);
});
