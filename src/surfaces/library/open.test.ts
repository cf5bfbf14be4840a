import { describe, expect, test } from 'vitest';
import { spoken, type ApprovalAnswer } from './approval.js';
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

test.each<[string, ApprovalAnswer | undefined, object]>([
  ['a yes', { allow: 'once' }, { scope: 'once' }],
  ['a no', { deny: true }, {}],
  ['a no with a reason', { deny: true, reason: 'x'.repeat(300) }, { reason: 'x'.repeat(200) }],
  ['nothing', undefined, {}],
  ['something else', {} as ApprovalAnswer, {}],
  ['a word that there is not', { allow: 'always' } as unknown as ApprovalAnswer, {}],
  ['more than may be', { allow: 'app' }, { reason: 'approve() allows "app", and the widest here is "session"' }],
])('what is not clearly a yes is a no: %s', (_, answer, said) => {
  expect(spoken(answer, 'session')).toEqual(said);
});
