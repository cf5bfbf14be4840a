import { describe, expect, test } from 'vitest';
import { openDesktop } from './open.js';

describe('options that do not go together are refused before anything is started', () => {
  test.each([
    ['a size for a desktop that is there', { desktop: 'user', size: { width: 800, height: 600 } }],
    ['monitors for a desktop that is there', { desktop: 'work', monitors: 2 }],
    ["another policy than the person's", { desktop: 'user', policy: { version: 1 as const } }],
    ['a program that answers for a person', { desktop: 'user', approve: async () => ({ allow: 'once' as const }) }],
    ['a size that no screen has', { size: { width: 1, height: 1 } }],
    ['a size of half pixels', { size: { width: 800.5, height: 600 } }],
    ['three monitors', { monitors: 3 }],
    ['no time', { timeoutMs: -1 }],
    ['half a millisecond', { timeoutMs: 0.5 }],
  ])('%s', async (_, options) => {
    await expect(openDesktop(options)).rejects.toMatchObject({ code: 'bad_arguments', retry: 'no' });
  });
});

describe('options that nobody knows, or of another kind, are refused as well', () => {
  test.each<[string, unknown, string]>([
    ['a slip', { polcy: { version: 1 } }, 'openDesktop() has no option "polcy".'],
    ['another name', { headless: true }, 'openDesktop() has no option "headless".'],
    ['null', null, 'The options of openDesktop() are an object.'],
    ['a name alone', 'user', 'The options of openDesktop() are an object.'],
    ['a list', [], 'The options of openDesktop() are an object.'],
    ['no name', { desktop: '' }, 'desktop is "virtual", "user" or the name of a desktop.'],
    ['a number for a name', { desktop: 42 }, 'desktop is "virtual", "user" or the name of a desktop.'],
    ['a size in words', { size: '1x1' }, 'size is { width, height } from 320x200 to 7680x4320, in whole pixels.'],
    ['a policy that is true', { policy: true }, 'policy is the path of a file, or a policy.'],
    ['a policy that is null', { policy: null }, 'policy is the path of a file, or a policy.'],
    ['an answer in advance', { approve: 'x' }, 'approve is a function.'],
    ['yes to a trace', { trace: 'yes' }, 'trace is "off", "on" or "on-failure".'],
    ['a time in words', { timeoutMs: '5' }, 'timeoutMs is a whole number of milliseconds, at most 600000.'],
    ['what cannot be aborted', { signal: {} }, 'signal is an AbortSignal.'],
  ])('%s', async (_, options, message) => {
    await expect(openDesktop(options as never)).rejects.toMatchObject({ code: 'bad_arguments', retry: 'no', message });
  });

  test('with what was probably meant', async () => {
    await expect(openDesktop({ polcy: {} } as never)).rejects.toMatchObject({ hint: 'Did you mean policy?' });
  });
});
