import { describe, expect, test } from 'vitest';
import { factsOf } from '../facts.js';
import type { PolicyFile } from '../file/schema.js';
import type { TargetFacts } from '../decision.js';
import { type Level, levelOf, riskOf, riskModel } from './risk.js';
import { type Asked, withEffects } from '../../../tests/scenes/calls.js';

const EDITOR = '/usr/bin/mousepad';
const found = (target: TargetFacts): TargetFacts => ({
  ...{ app: EDITOR, appName: 'x', window: 'W', role: 'button', name: 'x', method: 'id' as const, confidence: 1 },
  ...target,
});
const risk = (request: Partial<Asked>, own?: Omit<PolicyFile, 'version'>) =>
  riskOf(
    factsOf(withEffects({ tool: 'ui_click', class: 'act', caller: 'cli', desktop: 'seat', args: {}, ...request })),
    riskModel(own, undefined),
  );

test.each<[number, Level]>([
  [0, 'low'],
  [1, 'low'],
  [2, 'medium'],
  [5, 'medium'],
  [6, 'high'],
  [8, 'high'],
  [9, 'prohibited'],
  [20, 'prohibited'],
])('%i is %s', (score, level) => expect(levelOf(score)).toBe(level));

describe('the table of examples', () => {
  test.each<[string, Partial<Asked>, number, Level]>([
    ['scroll a list by name', { tool: 'ui_scroll', target: found({ method: 'name' }) }, 1, 'low'],
    ['click "7" by name', { target: found({ name: '7', method: 'name' }) }, 4, 'medium'],
    ['type by name', { tool: 'ui_type', keys: [], target: found({ method: 'name' }) }, 3, 'medium'],
    ['click "Delete" by id', { target: found({ name: 'Delete' }) }, 6, 'high'],
    [
      'type into a terminal by name',
      { tool: 'ui_type', keys: [], target: found({ app: '/usr/bin/xterm', method: 'name' }) },
      7,
      'high',
    ],
    ['click "Submit" by OCR', { target: found({ name: 'Submit', method: 'ocr' }) }, 9, 'prohibited'],
    [
      'click "Pay" in GnuCash by name',
      { target: found({ app: '/usr/bin/gnucash', name: 'Pay', method: 'name' }) },
      10,
      'prohibited',
    ],
  ])('%s: %i %s', (_, request, score, level) => {
    expect(risk(request)).toMatchObject({ score: { least: score, most: score }, levels: [level] });
  });
});

describe('actions', () => {
  const act = (action: string): Partial<Asked> => ({ tool: 'ui_act', args: { action } });
  const window = (action: string): Partial<Asked> => ({ tool: 'ui_window', args: { action } });
  const keys = (...pressed: string[]): Partial<Asked> => ({ tool: 'ui_key', keys: pressed });
  test.each<[string, Partial<Asked>, number]>([
    ...['focus', 'hover', 'scroll_into_view', 'expand', 'collapse'].map((name): [string, Partial<Asked>, number] => [
      name,
      act(name),
      0,
    ]),
    ...['invoke', 'select', 'toggle', 'check', 'uncheck', 'context_menu', 'increment', 'decrement'].map(
      (name): [string, Partial<Asked>, number] => [name, act(name), 3],
    ),
    ['an unknown action', act('explode'), 3],
    ['an action called toString', act('toString'), 3],
    ['no action at all', { tool: 'ui_act', args: {} }, 3],
    ...['focus', 'front', 'back', 'minimize', 'maximize', 'restore', 'move', 'resize'].map(
      (name): [string, Partial<Asked>, number] => [`window ${name}`, window(name), 0],
    ),
    ['window close', window('close'), 3],
    ['click', { tool: 'ui_click' }, 3],
    ['drag', { tool: 'ui_drag' }, 3],
    ['scroll', { tool: 'ui_scroll' }, 0],
    ['set_value', { tool: 'ui_set_value' }, 2],
    ['clipboard', { tool: 'ui_clipboard' }, 2],
    ['type', { tool: 'ui_type', keys: [] }, 2],
    ['type with Enter', { tool: 'ui_type', keys: ['enter'] }, 3],
    ['type with Tab', { tool: 'ui_type', keys: ['tab'] }, 2],
    ['one key', keys('Down'), 2],
    ['Enter', keys('Enter'), 3],
    ['a chord', keys('ctrl+s'), 3],
    ['keys, the heaviest counts', keys('Down', 'ctrl+s', 'a'), 3],
    ['click_xy', { tool: 'ui_click_xy', class: 'raw' }, 5],
    ['a tool of tomorrow', { tool: 'ui_dance' }, 3],
    ['a raw tool of tomorrow', { tool: 'ui_dance_xy', class: 'raw' }, 5],
    ['a tool called constructor', { tool: 'constructor' }, 3],
    ['reading', { tool: 'ui_read', class: 'read' }, 0],
    ['capturing', { tool: 'ui_capture', class: 'capture' }, 0],
  ])('%s', (_, request, points) => {
    expect(risk({ ...request, target: found({}) }).score).toEqual({ least: points, most: points });
  });
});

describe('apps', () => {
  test.each<[string, number]>([
    ['/usr/bin/mousepad', 0],
    ['/usr/bin/xterm', 4],
    ['/usr/libexec/gnome-terminal-server', 4],
    ['/usr/bin/konsole', 4],
    ['/opt/kitty/bin/kitty', 4],
    ['/usr/bin/Alacritty', 4],
    ['/usr/bin/bash', 4],
    ['/usr/bin/zsh', 4],
    ['/usr/bin/python3.11', 4],
    ['/usr/bin/node', 4],
    ['/usr/bin/nodeview', 0],
    ['/usr/lib/jvm/java-17/bin/java', 4],
    ['/usr/bin/perl', 4],
    ['/usr/bin/ruby3.1', 4],
    ['/usr/bin/env', 4],
    ['C:\\Windows\\System32\\cmd.exe', 4],
    ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 4],
    ['/home/me/terminal-notes/mousepad', 0],
    ['/usr/libexec/polkit-gnome-authentication-agent-1', 3],
    ['/usr/sbin/synaptic', 3],
    ['/usr/sbin/gparted', 3],
    ['/usr/bin/gnome-control-center', 3],
    ['C:\\Windows\\regedit.exe', 3],
    ['C:\\Windows\\System32\\mmc.exe', 3],
    ['/usr/bin/gnucash', 3],
    ['/usr/bin/kmymoney', 3],
  ])('%s: %i', (app, points) => {
    expect(risk({ target: found({ app }) }).score.least).toBe(3 + points);
  });

  test.each<[string, Omit<PolicyFile, 'version'>, string, number]>([
    ['a path from the policy file', { risk: { apps: { finance: ['*/bank-app'] } } }, '/opt/bank-app', 3],
    ['elsewhere', { risk: { apps: { finance: ['/opt/*'] } } }, '/usr/bin/x', 0],
    ['admin', { risk: { apps: { admin: ['tool'] } } }, '/opt/tool', 3],
    ['terminal', { risk: { apps: { terminal: ['tool'] } } }, '/opt/tool', 4],
    ['the heavier class counts', { risk: { apps: { finance: ['xterm'] } } }, '/usr/bin/xterm', 4],
  ])('added: %s', (_, own, app, points) => {
    expect(risk({ target: found({ app }) }, own).score.least).toBe(3 + points);
  });

  test.each<[string, TargetFacts, number]>([
    ['unverified: by the name that it claims', { app: undefined, appName: 'xterm' }, 4],
    ['unverified: by a path that it claims', { app: undefined, appName: '/usr/bin/gnucash' }, 3],
    ['a name that matches no class', { app: undefined, appName: 'x' }, 0],
    ['no name at all', { app: undefined, appName: undefined }, 0],
    ['a claim beside a checked path counts for nothing', { app: EDITOR, appName: 'xterm' }, 0],
    ['a terminal in a window of another app', { app: EDITOR, role: 'terminal' }, 4],
  ])('%s', (_, target, points) => expect(risk({ target: found(target) }).score.least).toBe(3 + points));

  test.each<[string, string, Partial<Asked>, Level, string | undefined]>([
    ['any act in a terminal', '/usr/bin/xterm', { tool: 'ui_scroll' }, 'high', 'in a terminal window'],
    ['not in what an interpreter shows', '/usr/bin/python3', { tool: 'ui_scroll' }, 'medium', undefined],
    ['starting what no list names', EDITOR, { tool: 'ui_launch' }, 'high', 'not in launch.allow'],
    ['looking at a terminal', '/usr/bin/xterm', { tool: 'ui_read', class: 'read' }, 'low', undefined],
    [
      'keys in the terminal of another app',
      EDITOR,
      { tool: 'ui_scroll', target: found({ app: EDITOR, role: 'terminal' }) },
      'high',
      'in a terminal window',
    ],
  ])('raised: %s', (_, app, request, level, raised) => {
    const assessed = risk({ target: found({ app }), ...request });
    expect([assessed.levels, assessed.raised]).toEqual([[level], raised]);
  });
});

describe('method, words, confidence and contradiction', () => {
  test.each<[string, TargetFacts, number]>([
    ['id', { method: 'id' }, 0],
    ['name', { method: 'name' }, 1],
    ['focus', { method: 'focus' }, 1],
    ['point', { method: 'point' }, 2],
    ['ocr', { method: 'ocr' }, 3],
    ['no element', { method: undefined }, 0],
    ['confidence 0.7', { confidence: 0.7 }, 0],
    ['confidence 0.69', { confidence: 0.69 }, 1],
    ['confidence 0.4', { confidence: 0.4 }, 1],
    ['confidence 0.39', { confidence: 0.39 }, 2],
    ['confidence that is no number', { confidence: Number.NaN }, 2],
    ['tree and pixels disagree', { contradicted: true }, 3],
    ['all of it', { contradicted: true, confidence: 0.1, method: 'ocr', name: 'Pay' }, 11],
    ['a secure field is nothing by itself', { secure: true }, 0],
    ['a word in the description', { description: 'Deletes nothing; confirm first' }, 3],
    ['a description that is cut', { description: `${'y'.repeat(195)}…(+1234)` }, 3],
    ['two words count once', { name: 'Delete and send' }, 3],
  ])('%s: %i', (_, target, points) => expect(risk({ target: found(target) }).score.least).toBe(3 + points));

  const names = [
    ['Delete', true],
    ['DELETE…', true],
    ['Delete_all', true],
    ['Delete-all', true],
    ['"Delete"', true],
    ['Deleted items', false],
    ['Undelete', false],
    ['Log out', true],
    ['Log  Out now', true],
    ['Log-out', true],
    ['Logout', false],
    ['out log', false],
    ['Order history', true],
    ['Border', false],
    ['Sign in', true],
    ['Design', false],
    ['Del\u200bete', true],
    ['Del\u200d\u200dete', true],
    ['Del\u{e0061}ete', true],
    ['D\ufe0fe\u2060l\u00adete', true],
    ['Ｄｅｌｅｔｅ', true],
    ['𝐃𝐞𝐥𝐞𝐭𝐞', true],
    ['\u202eeteleD', true],
    ['eteleD', true],
    [`${'x '.repeat(500_000)}delete`, true],
    [`${'y'.repeat(195)}…(+1234)`, true],
    [`delete ${'x'.repeat(1_000_000)}`, true],
    ['x'.repeat(1_000_000), false],
    ['überweisen', false],
  ] as [string, boolean][];
  test.each(names.map(([name, counts]) => ({ name, counts, head: name.slice(0, 30) })))(
    '$head: $counts',
    ({ name, counts }) => {
      expect(risk({ target: found({ name }) }).score.least).toBe(counts ? 6 : 3);
    },
  );

  test('words from the policy file', () => {
    const own = { risk: { words: ['überweisen', 'jetzt kaufen'] } };
    const score = (name: string): number => risk({ target: found({ name }) }, own).score.least;
    expect(['U\u0308berweisen!', 'Jetzt  kaufen', 'jetzt nicht kaufen', 'Delete'].map(score)).toEqual([6, 6, 3, 6]);
  });

  test.each<[string, string[], number]>([
    ['a key', ['a'], 2],
    ['delete', ['Delete'], 5],
    ['shift+delete', ['shift+Del'], 6],
    ['ctrl+shift+delete', ['Shift+Ctrl+Delete'], 6],
    ['alt+f4', ['alt+F4'], 6],
    ['ctrl+q', ['ctrl+q'], 6],
    ['ctrl+w', ['ctrl+w'], 6],
    ['ctrl+enter', ['ctrl+Return'], 6],
    ['super', ['Meta'], 5],
    ['ctrl+alt+anything', ['ctrl+alt+t'], 6],
    ['one of several', ['a', 'b', 'ctrl+w'], 6],
    ['none of them', ['ctrl+s', 'Down'], 3],
  ])('pressing %s', (_, keys, score) => {
    expect(risk({ tool: 'ui_key', keys, target: found({}) }).score.least).toBe(score);
  });

  test('keys from the policy file', () => {
    const own = { risk: { keys: ['ctrl+s'] } };
    expect(risk({ tool: 'ui_key', keys: ['Ctrl+S'], target: found({}) }, own).score.least).toBe(6);
  });

  test.each<[string, Partial<Asked>, number]>([
    ['typed', { tool: 'ui_type', keys: [], args: { text: 'x' } }, 3],
    ['set', { tool: 'ui_set_value', args: { value: 'x' } }, 3],
    ['a secret by its name', { tool: 'ui_type', keys: [], args: { secret: 'pin' } }, 2],
    ['clicked', { tool: 'ui_click', args: {} }, 3],
  ])('plain text into a secure field: %s', (_, request, score) => {
    expect(risk({ ...request, target: found({ secure: true }) }).score.least).toBe(score);
  });
});

describe('unknown facts', () => {
  test.each<[string, Partial<Asked>, Level[], [number, number]]>([
    ['a click', {}, ['medium', 'high', 'prohibited'], [3, 18]],
    ['a scroll', { tool: 'ui_scroll' }, ['low', 'medium', 'high', 'prohibited'], [0, 15]],
    [
      'an act without its action',
      { tool: 'ui_act', args: undefined },
      ['low', 'medium', 'high', 'prohibited'],
      [0, 18],
    ],
    ['keys', { tool: 'ui_key', target: found({}) }, ['medium', 'high'], [2, 6]],
    ['a read', { tool: 'ui_read', class: 'read' }, ['low'], [0, 0]],
    [
      'typing into an unknown target',
      { tool: 'ui_type', keys: [], args: { text: 'x' } },
      ['medium', 'high', 'prohibited'],
      [2, 18],
    ],
    ['typing', { tool: 'ui_type', args: undefined, target: found({ secure: true }) }, ['medium', 'high'], [2, 7]],
  ])('%s', (_, request, levels, [least, most]) => {
    expect(risk(request)).toMatchObject({ levels, score: { least, most } });
  });
});

test('lists the reason of each part', () => {
  const { parts } = risk({ target: found({ app: '/usr/bin/gnucash', name: 'Pay', method: 'name', confidence: 0.5 }) });
  expect(parts).toEqual([
    { points: 3, why: 'click' },
    { points: 3, why: 'app of class finance' },
    { points: 1, why: 'found by name' },
    { points: 3, why: 'the word "pay"' },
    { points: 1, why: 'confidence below 0.7' },
  ]);
});

describe('the parts of a score', () => {
  const CLICK: Asked = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual' };
  const target: TargetFacts = { app: '/usr/bin/crm', appName: 'crm', name: 'Go', method: 'id', confidence: 1 };
  const parts = (request: Partial<Asked>): string[] =>
    riskOf(factsOf(withEffects({ ...CLICK, ...request })), riskModel(undefined, undefined)).parts.map(({ why }) => why);

  test('are the known ones that count', () => {
    expect(parts({ target })).toEqual(['click']);
    expect(parts({ target: { ...target, method: 'name' } })).toEqual(['click', 'found by name']);
    expect(parts({ tool: 'ui_scroll', target })).toEqual([]);
    expect(parts({ tool: 'ui_type', target })).toEqual([]);
    expect(parts({ tool: 'ui_type', keys: [], target })).toEqual(['type']);
  });

  test('are incomplete while a text, or whether it is a terminal, is unknown', () => {
    const facts = factsOf(withEffects({ ...CLICK, target }));
    const most = (missing: 'name' | 'description' | 'keys' | 'terminal'): number =>
      riskOf({ ...facts, [missing]: undefined }, riskModel(undefined, undefined)).score.most;
    expect([
      riskOf(facts, riskModel(undefined, undefined)).score.most,
      most('name'),
      most('description'),
      most('keys'),
      most('terminal'),
    ]).toEqual([...[3, 6, 6, 6, 7]]);
  });
});
