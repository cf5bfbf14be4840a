import { describe, expect, test } from 'vitest';
import { rolesNamed, roleWord, roleWords, type RolePlatform } from './words.js';
import { ROLES, type Role } from './roles.js';

describe('rolesNamed', () => {
  test.each<[string, RolePlatform | undefined, Role[]]>([
    ['button', undefined, ['button']],
    ['Button', undefined, ['button']],
    ['push button', undefined, ['button']],
    ['push-button', undefined, ['button']],
    ['PUSH_BUTTON', undefined, ['button']],
    ['AXButton', undefined, ['button']],
    ['ControlType.Button', undefined, ['button']],
    ['ButtonControl', undefined, ['button']],
    ['Edit', undefined, ['textbox']],
    ['TextBox', undefined, ['textbox']],
    ['ControlType.Edit', 'uia', ['textbox']],
    ['AXSecureTextField', undefined, ['passwordbox']],
    ['gridcell', undefined, ['cell']],
    ['img', undefined, ['image']],
    // Our word comes first; with a prefix the platform's word does.
    ['text', undefined, ['text']],
    ['text', 'atspi', ['textbox']],
    ['text', 'uia', ['text']],
    ['tab', undefined, ['tab']],
    ['Tab', 'uia', ['tablist']],
    ['sheet', undefined, ['sheet']],
    ['AXSheet', 'ax', ['dialog']],
    ['alert', 'atspi', ['alertdialog']],
    // Two meanings: both.
    ['header', undefined, ['region', 'rowgroup']],
    ['DataItem', undefined, ['row', 'listitem']],
    ['AXPopUpButton', undefined, ['combobox', 'menubutton']],
    // With a prefix only that platform's names, and ours.
    ['push button', 'uia', []],
    ['Edit', 'atspi', []],
    ['AXTextField', 'uia', []],
    ['gridcell', 'atspi', []],
    ['textbox', 'uia', ['textbox']],
    // Unknown everywhere.
    ['buton', undefined, []],
    ['', undefined, []],
    ['control', undefined, []],
    ['AX', undefined, []],
    ['constructor', undefined, []],
    ['__proto__', undefined, []],
  ])('%s (%s)', (text, platform, expected) => {
    expect(rolesNamed(text, platform)).toEqual(expected);
  });

  test('resolves every word of the vocabulary to itself', () => {
    for (const role of ROLES) expect(rolesNamed(role)).toEqual([role]);
  });
});

test.each<RolePlatform | undefined>([undefined, 'atspi', 'uia', 'ax'])('roleWord round-trips (%s)', (platform) => {
  for (const word of [...roleWords(platform), ...ROLES]) {
    const roles = rolesNamed(word, platform);
    const printed = roleWord(roles, platform);
    expect(printed, word).toBeDefined();
    expect(new Set(rolesNamed(printed!, platform)), word).toEqual(new Set(roles));
  }
});

test("roleWord prefers our word, and uses the platform's word where ours means something else there", () => {
  expect(roleWord(['textbox'], 'atspi')).toBe('textbox');
  expect(roleWord(['text'], 'atspi')).toBe('static');
  expect(roleWord(['tab'], 'uia')).toBe('tabitem');
});
