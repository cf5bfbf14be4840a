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
