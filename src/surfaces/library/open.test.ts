import { describe, expect, test } from 'vitest';
import { openDesktop } from './open.js';

describe('refuses options that do not go together before it starts anything', () => {
  test.each([
    ['a size for an existing desktop', { desktop: 'user', size: { width: 800, height: 600 } }],
    ['monitors for an existing desktop', { desktop: 'work', monitors: 2 }],
    ['a policy for the user desktop', { desktop: 'user', policy: { version: 1 as const } }],
    [
      'an approve function for the user desktop',
      { desktop: 'user', approve: async () => ({ allow: 'once' as const }) },
    ],
    ['a size below the minimum', { size: { width: 1, height: 1 } }],
    ['a size in fractions of pixels', { size: { width: 800.5, height: 600 } }],
    ['three monitors', { monitors: 3 }],
    ['a negative timeout', { timeoutMs: -1 }],
    ['half a millisecond', { timeoutMs: 0.5 }],
  ])('%s', async (_, options) => {
    await expect(openDesktop(options)).rejects.toMatchObject({ code: 'bad_arguments', retry: 'no' });
  });
});

describe('refuses unknown options and wrong types', () => {
  test.each<[string, unknown, string]>([
    ['a slip', { polcy: { version: 1 } }, 'openDesktop() has no option "polcy".'],
    ['an unknown name', { headless: true }, 'openDesktop() has no option "headless".'],
    ['null', null, 'The options of openDesktop() must be an object.'],
    ['a string', 'user', 'The options of openDesktop() must be an object.'],
    ['a list', [], 'The options of openDesktop() must be an object.'],
    ['an empty name', { desktop: '' }, 'desktop must be "virtual", "user" or the name of a desktop.'],
    ['a number as a name', { desktop: 42 }, 'desktop must be "virtual", "user" or the name of a desktop.'],
    [
      'a size as a string',
      { size: '1x1' },
      'size must be { width, height } from 320x200 to 7680x4320, in whole pixels.',
    ],
    ['a policy that is true', { policy: true }, 'policy must be a file path or a policy object.'],
    ['a policy that is null', { policy: null }, 'policy must be a file path or a policy object.'],
    ['an approve that is not a function', { approve: 'x' }, 'approve must be a function.'],
    ['an unknown trace mode', { trace: 'yes' }, 'trace must be "off", "on" or "on-failure".'],
    ['a timeout as a string', { timeoutMs: '5' }, 'timeoutMs must be a whole number of milliseconds, at most 600000.'],
    ['an object that is not a signal', { signal: {} }, 'signal must be an AbortSignal.'],
  ])('%s', async (_, options, message) => {
    await expect(openDesktop(options as never)).rejects.toMatchObject({ code: 'bad_arguments', retry: 'no', message });
  });

  test('suggests the option that was probably meant', async () => {
    await expect(openDesktop({ polcy: {} } as never)).rejects.toMatchObject({ hint: 'Did you mean policy?' });
  });
});
