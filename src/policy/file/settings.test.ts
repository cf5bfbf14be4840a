import { describe, expect, test } from 'vitest';
import type { PolicyFile, Profile } from './schema.js';
import { profileOf, settingsOf, type Files, type Settings } from './settings.js';

type Part = Omit<PolicyFile, 'version'>;
const files = (user?: Part, managed?: Part, project?: Part): Files => ({
  ...(user && { user: { version: 1, ...user } }),
  ...(project && { project: { version: 1, ...project } }),
  ...(managed && { managed: { version: 1, ...managed } }),
});

test.each<[string, Files, Partial<Record<keyof Settings['limits'], number>>]>([
  ['nothing said', files(), { capturesPerMinute: 60, actsPerMinute: 120, launchesPerMinute: 10 }],
  ['the user raises', files({ limits: { actsPerMinute: 500 } }), { actsPerMinute: 500, launchesPerMinute: 10 }],
  ['the user lowers', files({ limits: { actsPerMinute: 5 } }), { actsPerMinute: 5 }],
  ['a project cannot raise', files(undefined, undefined, { limits: { actsPerMinute: 500 } }), { actsPerMinute: 120 }],
  [
    'a project lowers',
    files({ limits: { actsPerMinute: 500 } }, undefined, { limits: { actsPerMinute: 7 } }),
    { actsPerMinute: 7 },
  ],
  ['the managed file cannot raise', files(undefined, { limits: { actsPerMinute: 500 } }), { actsPerMinute: 120 }],
  [
    'the managed file lowers',
    files({ limits: { actsPerMinute: 500 } }, { limits: { actsPerMinute: 3 } }),
    { actsPerMinute: 3 },
  ],
  ['none at all', files({ limits: { actsPerMinute: 0 } }), { actsPerMinute: 0 }],
])('limits: %s', (_, given, limits) => expect(settingsOf(given).limits).toMatchObject(limits));

test.each<[user: Profile | undefined, managed: Profile | undefined, profile: Profile]>([
  [undefined, undefined, 'guarded'],
  ['private', undefined, 'private'],
  ['readonly', undefined, 'readonly'],
  [undefined, 'private', 'private'],
  [undefined, 'readonly', 'readonly'],
  ['private', 'guarded', 'guarded'],
  ['readonly', 'private', 'readonly'],
  ['guarded', 'readonly', 'readonly'],
])('profile of a seat: user %s, managed %s: %s', (user, managed, profile) => {
  expect(profileOf(files(user && { profile: { seat: user } }, managed && { profile: { seat: managed } }), 'seat')).toBe(
    profile,
  );
});

test('profiles of other desktops', () => {
  expect([profileOf({}, 'virtual'), profileOf({}, 'remote')]).toEqual(['private', 'guarded']);
  expect(profileOf(files({ profile: { seat: 'readonly' } }), 'virtual')).toBe('private');
});

test.each<[user: boolean | undefined, managed: boolean | undefined, enabled: boolean]>([
  [undefined, undefined, false],
  [true, undefined, true],
  [false, undefined, false],
  [undefined, true, true],
  [false, true, false],
  [true, false, false],
  [undefined, false, false],
])('enabled: user %s, managed %s: %s', (user, managed, enabled) => {
  expect(settingsOf(files({ enabled: user }, { enabled: managed })).enabled).toBe(enabled);
});

describe('approvals', () => {
  test.each<[string, Part['approvals'], Part['approvals'], Partial<Settings['approvals']>]>([
    [
      'nothing said',
      undefined,
      undefined,
      { seconds: 55, channels: ['terminal', 'inspector', 'mcp'], elicitation: 'medium' },
    ],
    [
      'the user',
      { seconds: 300, channels: ['terminal'], elicitation: 'high' },
      undefined,
      { seconds: 300, channels: ['terminal'], elicitation: 'high' },
    ],
    [
      'the managed file tightens',
      { seconds: 300, elicitation: 'high' },
      { seconds: 30, elicitation: 'off' },
      { seconds: 30, elicitation: 'off' },
    ],
    [
      'and does not loosen',
      { seconds: 30, elicitation: 'off' },
      { seconds: 300, elicitation: 'high' },
      { seconds: 30, elicitation: 'off' },
    ],
    [
      'it may loosen built-in settings',
      undefined,
      { seconds: 300, elicitation: 'high' },
      { seconds: 300, elicitation: 'high' },
    ],
    ['channels of both', { channels: ['terminal', 'mcp'] }, { channels: ['mcp', 'inspector'] }, { channels: ['mcp'] }],
    ['no channel in both', { channels: ['terminal'] }, { channels: ['mcp'] }, { channels: [] }],
  ])('%s', (_, user, managed, expected) => {
    expect(settingsOf(files({ approvals: user }, { approvals: managed })).approvals).toMatchObject(expected);
  });
});

test('combines secrets and masks of both files; audit settings of the managed file win', () => {
  const into = { app: '*/x' };
  const settings = settingsOf(
    files(
      { secrets: { a: { env: 'A', into } }, masks: ['email'], audit: { keepDays: 1, evidence: 'blobs' } },
      { secrets: { b: { file: '/b', into } }, masks: ['ssn'], audit: { keepDays: 400 } },
    ),
  );
  expect(Object.keys(settings.secrets)).toEqual(['a', 'b']);
  expect(settings.masks).toEqual(['email', 'ssn']);
  expect(settings.audit).toEqual({ keepDays: 400, evidence: 'blobs' });
  expect(settingsOf({}).audit).toEqual({ keepDays: 90, evidence: 'hashes' });
});
