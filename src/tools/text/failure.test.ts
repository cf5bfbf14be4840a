import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { failureText } from './failure.js';

it.each<[string, DesktopError, string[]]>([
  [
    'nothing matches',
    new DesktopError('element_not_found', 'Nothing matches button:Sumbit in w4.', {
      hint: 'Use e22.',
      details: {
        nearest: [
          { ref: 'e22', role: 'button', name: 'Submit', note: 'name 2 letters off' },
          { ref: 'e30', role: 'button', name: 'Summary', note: 'name' },
        ],
      },
    }),
    [
      'failed: element_not_found. Nothing matches button:Sumbit in w4. Delivered: no. Retry: safe.',
      'nearest: e22 button "Submit" (name 2 letters off), e30 button "Summary" (name)',
      'next: use e22.',
    ],
  ],
  [
    'a stale ref',
    new DesktopError('stale_ref', 'e12 (was button "Edit" in row "1004") is gone since s9.', {
      retry: 'no',
      hint: 'check that e77 is what you mean.',
      details: {
        nearest: [
          { ref: 'e77', role: 'button', name: 'Edit', within: { role: 'row', name: '1004' }, note: 'new in s10' },
        ],
      },
    }),
    [
      'failed: stale_ref. e12 (was button "Edit" in row "1004") is gone since s9. Delivered: no. Retry: no.',
      'nearest: e77 button "Edit" in row "1004" (new in s10)',
      'next: check that e77 is what you mean.',
    ],
  ],
  [
    "a caller's own words, which would write to a terminal",
    new DesktopError('command_failed', 'a\u001b]0;b\u0007 not found in PATH.', {
      hint: 'quote it: "\u001b[31m\u202ex".',
    }),
    ['failed: command_failed. a ]0;b not found in PATH. Delivered: no. Retry: safe.', 'next: quote it: " [31m x".'],
  ],
  [
    'a hung app',
    new DesktopError('app_hung', 'mousepad (w3) did not answer for 2000 ms', {
      delivered: 'unknown',
      retry: 'after',
      retryAfter: 'it answers again',
    }),
    ['failed: app_hung. mousepad (w3) did not answer for 2000 ms. Delivered: unknown. Retry: after it answers again.'],
  ],
  [
    'many candidates, with words that try to break out',
    new DesktopError('ambiguous_target', '"x"\nmatches 7', {
      details: {
        candidates: Array.from({ length: 7 }, (_, n) => ({ ref: `w${n}`, role: 'window', name: 'a"\n</ui>' })),
      },
    }),
    [
      'failed: ambiguous_target. "x" matches 7. Delivered: no. Retry: safe.',
      ...Array.from({ length: 5 }, (_, n) => `w${n} window "a\\"\\n</ui>"`),
      '… +2 more',
    ],
  ],
  [
    'more candidates than are named at all',
    new DesktopError('ambiguous_target', 'role=button matches 30', {
      details: { candidates: Array.from({ length: 10 }, (_, n) => ({ ref: `e${n}`, role: 'button' })), matches: 30 },
    }),
    [
      'failed: ambiguous_target. role=button matches 30. Delivered: no. Retry: safe.',
      ...Array.from({ length: 5 }, (_, n) => `e${n} button`),
      '… +25 more',
    ],
  ],
  [
    'a selector that cannot be read, with a pointer to where',
    new DesktopError('selector_syntax', 'unknown key "nmae"', {
      retry: 'no',
      hint: 'Did you mean name?',
      details: { input: 'button:Save && nmae=1', position: 15, length: 4 },
    }),
    [
      'failed: selector_syntax. unknown key "nmae". Delivered: no. Retry: no.',
      'button:Save && nmae=1',
      '               ^^^^',
      'next: did you mean name?',
    ],
  ],
  [
    'details that are none',
    new DesktopError('timeout', 'Too late.', { details: { nearest: 'e1', candidates: [null, 4, { ref: 5 }] } }),
    ['failed: timeout. Too late. Delivered: no. Retry: safe.'],
  ],
])('%s', (_, error, lines) => {
  expect(failureText(error).split('\n')).toEqual(lines);
  expect(failureText(error.toJSON()).split('\n')).toEqual(lines);
});
