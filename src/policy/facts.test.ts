// @module-tag safety

import { describe, expect, it } from 'vitest';
import { factsOf, isConsole } from './facts.js';

describe('the title of a window inside an app', () => {
  it.each([
    'Script-Fu Console',
    'GIMP: Script-Fu Console',
    'script-fu console',
    'Python-Fu Console',
    'Python Console',
    'My Macros & Dialogs.Standard - LibreOffice Basic',
    'Untitled 1.Standard - LibreOffice Basic',
    'DevTools - example.org/',
    'DevTools',
    'Developer Tools — Example — https://example.org/',
    'Web Inspector — Example',
    'Multiprocess Browser Console',
    'Browser Toolbox',
    'GTK Inspector',
    'Microsoft Visual Basic for Applications - Book1',
    'ＤｅｖＴｏｏｌｓ - example.org/',
  ])('%s counts as a terminal', (title) => {
    expect(isConsole(title)).toBe(true);
  });

  it.each([
    'GNU Image Manipulation Program',
    'Untitled 1 - LibreOffice Writer',
    'BASIC programming - Chromium',
    'How to open DevTools - Chromium',
    'Console',
    '',
  ])('%j does not', (title) => {
    expect(isConsole(title)).toBe(false);
  });
});

const request = { tool: 'ui_type', class: 'act', caller: 'me', desktop: 'seat', does: ['type'], actions: [] } as const;

describe('the facts of a target in a console', () => {
  const target = { app: '/usr/bin/gimp', window: 'Script-Fu Console', role: 'textbox', name: 'Command' };

  it.each([
    ['an element', target],
    ['the focus, which is not known', { ...target, unseen: true }],
    ['a title that was cut', { ...target, window: 'A very long …', fullTitle: 'A very long name - LibreOffice Basic' }],
    ['an element with the role', { ...target, window: 'Files', role: 'terminal' }],
  ])('%s counts as a terminal', (_, given) => {
    expect(factsOf({ ...request, target: given }).terminal).toBe(true);
  });

  it('another window of the same app does not', () => {
    expect(factsOf({ ...request, target: { ...target, window: 'Layers' } }).terminal).toBe(false);
  });
});
