import { describe, expect, test } from 'vitest';
import { checkOptions, FLAG, listOf, MILLISECONDS, oneOf, TEXT, TEXT_OR_PATTERN, timeoutIn } from './check-options.js';

const KINDS = {
  ...{ exact: FLAG, cwd: TEXT, name: TEXT_OR_PATTERN, timeoutMs: MILLISECONDS },
  ...{ state: oneOf('visible', 'gone'), types: listOf(oneOf('opened', 'closed')) },
};
const check = (given: unknown): void => checkOptions('it()', given as object | undefined, KINDS);

test.each<[string, unknown]>([
  ['none', undefined],
  ['nothing in them', {}],
  ['an option that is not given', { exact: undefined }],
  ['each of its kind', { exact: false, cwd: '', name: /a/, timeoutMs: 0, state: 'gone', types: ['opened'] }],
])('options that can be used: %s', (_, given) => {
  expect(() => check(given)).not.toThrow();
});

describe('options that cannot', () => {
  test.each<[unknown, string, string]>([
    [null, 'The options of it() are an object.', 'It has exact, cwd, name, timeoutMs, state, types.'],
    [5_000, 'The options of it() are an object.', 'It has exact, cwd, name, timeoutMs, state, types.'],
    [{ timeout: 5 }, 'it() has no option "timeout".', 'Did you mean timeoutMs?'],
    [{ q: 5 }, 'it() has no option "q".', 'It has exact, cwd, name, timeoutMs, state, types.'],
    [{ constructor: 5 }, 'it() has no option "constructor".', 'It has exact, cwd, name, timeoutMs, state, types.'],
    [{ exact: 'yes' }, 'exact is true or false.', 'it() goes without it, too.'],
    [{ timeoutMs: NaN }, 'timeoutMs is a whole number of milliseconds, at most 600000.', 'it() goes without it, too.'],
    [{ state: 'hidden' }, 'state is "visible" or "gone".', 'it() goes without it, too.'],
    [{ types: ['bogus'] }, 'types is a list; each is "opened" or "closed".', 'it() goes without it, too.'],
    [{ types: 'opened' }, 'types is a list; each is "opened" or "closed".', 'it() goes without it, too.'],
  ])('%j', (given, message, hint) => {
    expect(() => check(given)).toThrow(expect.objectContaining({ code: 'bad_arguments', retry: 'no', message, hint }));
  });
});

test('a time is read out', () => {
  expect([timeoutIn('it()', undefined), timeoutIn('it()', { timeoutMs: 7 })]).toEqual([undefined, 7]);
});
