import { describe, expect, test } from 'vitest';
import { compilePolicy } from '../policy.js';
import type { PolicyFile } from '../file/schema.js';
import type { Files } from '../file/settings.js';
import { compileWindows, hiddenWindowIds, type ListedWindow, type WindowFacts } from './window-rules.js';
import { withEffects } from '../../../tests/scenes/calls.js';

const file = (windows: PolicyFile['windows']): PolicyFile => ({ version: 1, windows });
const fate = (files: Files, window: WindowFacts): string => compileWindows(files).hidden(window)?.match ?? 'seen';
const titled = (title: string): WindowFacts => ({ title, appName: 'app', program: '/usr/bin/app' });

describe('hidden windows', () => {
  const UNBLOCK = { user: file({ unblock: ['*BANKING*'] }) };
  test.each<[string, Files, WindowFacts, string]>([
    ['an ordinary window', {}, titled('Notes'), 'seen'],
    ['no title', {}, titled(''), 'seen'],
    ['passwords', {}, titled('Saved Passwords - Settings'), 'yes'],
    ['banking', {}, titled('My Bank - Online Banking'), 'yes'],
    ['banking, disguised', {}, titled('On\u200bline Ｂａｎｋｉｎｇ'), 'yes'],
    ['KeePass by its program', {}, { title: 'x', appName: 'x', program: '/usr/bin/keepassxc' }, 'yes'],
    ['Bitwarden by its name', {}, { title: 'x', appName: 'Bitwarden', program: null }, 'yes'],
    ['1Password', {}, titled('1Password'), 'yes'],
    ['keyring', {}, titled('Unlock Login Keyring'), 'yes'],
    ['authenticator', {}, titled('Google Authenticator'), 'yes'],
    ['ours', {}, titled('Deskproof approvals'), 'yes'],
    ['ours cannot be unblocked', { user: file({ unblock: ['Deskproof*'] }) }, titled('Deskproof'), 'yes'],
    ['a program of our name is not ours', {}, { title: 'x', appName: 'deskproof', program: '/bin/deskproof' }, 'seen'],
    ['unblocked by the user', UNBLOCK, titled('Banking'), 'seen'],
    ['only that one', UNBLOCK, titled('Passwords'), 'yes'],
    ['blocked by the user', { user: file({ block: ['*Diary*'] }) }, titled('My diary'), 'yes'],
    ['blocked by a project', { project: file({ block: ['*Diary*'] }) }, titled('My diary'), 'yes'],
    ['blocked by the managed file', { managed: file({ block: ['*Diary*'] }) }, titled('My diary'), 'yes'],
    ['unblocked, but blocked again', { ...UNBLOCK, managed: file({ block: ['*Banking*'] }) }, titled('Banking'), 'yes'],
    ...(
      [
        ['blocked by a path', 'vault', '/opt/x/vault', 'yes'],
        ['blocked by a path, for an unverified program', 'vault', null, 'yes'],
        ['another program of that name', 'vault', '/usr/bin/vault', 'seen'],
      ] as const
    ).map(([what, appName, program, expected]): [string, Files, WindowFacts, string] => [
      ...([what, { user: file({ block: ['/opt/*/vault'] }) }, { title: 'x', appName, program }, expected] as const),
    ]),
    ['allowed', { user: file({ allow: ['Notes*'] }) }, titled('Notes'), 'seen'],
    ['not among the allowed', { user: file({ allow: ['Notes*'] }) }, titled('Files'), 'yes'],
    ['allowed by program', { user: file({ allow: ['/usr/bin/*'] }) }, titled('Files'), 'seen'],
    [
      'allowed by one, not by the other',
      { user: file({ allow: ['*'] }), project: file({ allow: ['x'] }) },
      titled('y'),
      'yes',
    ],
    ['allowed by both', { user: file({ allow: ['*'] }), project: file({ allow: ['y'] }) }, titled('y'), 'seen'],
    ['allowed, but blocked', { user: file({ allow: ['*'] }) }, titled('Banking'), 'yes'],
    ['banking behind a cut, as far as anybody knows', {}, titled(`${'q'.repeat(194)}…(+63)`), 'maybe'],
    ['a title that only looks cut', {}, titled('Mail …(+3)'), 'seen'],
    ['title not known', {}, { appName: 'x', program: null }, 'maybe'],
    ['title not known, but the app is enough', {}, { appName: 'KeePass', program: null }, 'yes'],
    ['app not known', {}, { title: 'Notes' }, 'maybe'],
    ['not known whether allowed', { user: file({ allow: ['x'] }) }, { title: 'Notes', program: null }, 'maybe'],
  ])('%s', (_, files, window, expected) => expect(fate(files, window)).toBe(expected));

  test('reports the tier of the pattern', () => {
    const hidden = compileWindows({ project: file({ block: ['*x*'] }) }).hidden(titled('xyz'));
    expect(hidden).toEqual({ match: 'yes', pattern: '*x*', tier: 'project' });
  });
});

describe('windows that are hidden with another one', () => {
  const window = (id: string, title: string, more: Partial<ListedWindow> = {}): ListedWindow => ({
    ...{ id, title, pid: 1, belongs: false, ...more },
  });
  test.each<[string, ListedWindow[], string[]]>([
    ['nothing', [window('a', 'Notes')], []],
    ['itself', [window('a', 'Banking'), window('b', 'Notes', { pid: 2 })], ['a']],
    ['its dialog', [window('d', 'Open', { of: 'a', pid: undefined }), window('a', 'Banking')], ['a', 'd']],
    [
      'the dialog of its dialog',
      [window('e', 'x', { of: 'd' }), window('d', 'y', { of: 'a' }), window('a', 'Banking')],
      ['a', 'd', 'e'],
    ],
    ['a menu of the same process', [window('a', 'Banking'), window('m', '', { belongs: true })], ['a', 'm']],
    ['not a menu of another', [window('a', 'Banking'), window('m', '', { belongs: true, pid: 2 })], ['a']],
    ['not another window of the process', [window('a', 'Banking'), window('b', 'Notes')], ['a']],
    [
      'no process known',
      [window('a', 'Banking', { pid: undefined }), window('m', '', { belongs: true, pid: undefined })],
      ['a'],
    ],
    ['windows that own each other', [window('a', 'x', { of: 'b' }), window('b', 'y', { of: 'a' })], []],
  ])('%s', (_, windows, hidden) => {
    expect([...hiddenWindowIds(windows, compileWindows({}))].sort()).toEqual(hidden);
  });
});

describe('acts in a hidden window are denied', () => {
  const policy = compilePolicy({ user: { version: 1, rules: [{ name: 'all', decision: 'allow' }] } }, 'virtual');
  const ask = (window?: string) =>
    policy.decide(
      withEffects({
        ...{ tool: 'ui_read', class: 'read', caller: 'mcp', desktop: 'virtual', args: {} },
        target: { app: '/usr/bin/x', appName: 'x', ...(window !== undefined && { window }) },
      }),
    );
  test.each<[string | undefined, string, string]>([
    ['Notes', 'allow', 'all'],
    ['Banking', 'deny', 'windows/blocked'],
    [undefined, 'allow', 'all'],
  ])('%s: %s', (window, answer, rule) => expect(ask(window)).toMatchObject({ answer, rule }));

  test('an act without a window is not outside the allow list', () => {
    const strict = compilePolicy({ user: { version: 1, windows: { allow: ['Notes'] } } }, 'virtual');
    const request = withEffects({
      ...{ caller: 'mcp', desktop: 'virtual', args: {}, tool: 'ui_clipboard', class: 'act' },
    });
    expect(strict.decide({ ...request, target: {} }).answer).toBe('allow');
    expect(strict.decide({ ...request, target: { window: 'Files' } }).answer).toBe('deny');
  });
});

test('blocks by title alone, whatever the app', () => {
  const { blocks } = compileWindows({ project: file({ block: ['*Diary*'] }) });
  expect(['My diary', 'Online B\u200banking', 'Deskproof', 'Notes', ''].map(blocks)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('distinguishes unknown from absent facts in its cache', () => {
  const { hidden } = compileWindows({ user: { version: 1, windows: { block: ['/usr/bin/crm'] } } });
  const none = { title: 'Accounts', appName: null, program: null };
  expect(hidden(none)).toBeUndefined();
  expect(hidden({ ...none, program: undefined })).toMatchObject({ match: 'maybe' });
  expect(hidden(none)).toBeUndefined();
});
