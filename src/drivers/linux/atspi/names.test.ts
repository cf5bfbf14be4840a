import { describe, expect, test } from 'vitest';
import { usableName, removeDoubledLabel } from './names.js';
import { toolkitFrom } from './toolkit.js';

const GTK3 = toolkitFrom('gtk', 'mousepad');
const GTK4 = toolkitFrom('GTK', 'gnome-calculator');
const CHROMIUM = toolkitFrom('Chromium', 'Chromium');
const BUTTON = 43;
const FILLER = 20;
const ENTRY = 79;

describe('honestName', () => {
  test.each([
    ['a plain name', 'Save', BUTTON, GTK3, 'Save'],
    ['surrounding spaces', '  Save \n', BUTTON, GTK3, 'Save'],
    ['an accelerator after a TAB', 'Open…\tCtrl+O', BUTTON, GTK3, 'Open…'],
    ['only an accelerator', '\tCtrl+O', BUTTON, GTK3, ''],
    ['a class name in GTK 4', 'GtkEntry', ENTRY, GTK4, ''],
    ['a class name of libadwaita', 'AdwPreferencesRow', BUTTON, GTK4, ''],
    ['a name that only resembles a class name', 'Gtk basics', BUTTON, GTK4, 'Gtk basics'],
    ['a class name in a toolkit where apps set the names', 'GtkEntry', ENTRY, GTK3, 'GtkEntry'],
    ['the generic name of tabs in GTK 4', 'Tab', 37, GTK4, ''],
    ['"Tab" in another toolkit', 'Tab', 37, GTK3, 'Tab'],
    ['the name of a layout box in GTK 4', 'Whatever is in it', FILLER, GTK4, ''],
    ['a doubled label in GTK 4', '7 7', BUTTON, GTK4, '7'],
    ['the same text in GTK 3', '7 7', BUTTON, GTK3, '7 7'],
    ['an empty name', '', BUTTON, GTK4, ''],
    ['a tab with its memory usage', 'Orders - Memory usage - 25.7 MB', 37, CHROMIUM, 'Orders'],
    [
      'a link whose text mentions memory usage',
      'Orders - Memory usage - 25.7 MB',
      88,
      CHROMIUM,
      'Orders - Memory usage - 25.7 MB',
    ],
  ] as const)('%s', (_, raw, role, toolkit, name) => expect(usableName(raw, role, toolkit).text).toBe(name));

  test('counts removed characters', () => {
    const { text, dropped } = usableName('Sa\u202eve\u0000', BUTTON, GTK3);
    expect(text).toBe('Save');
    expect(dropped).toBe(2);
  });
});

test.each([
  ['7 7', '7'],
  ['Show all Show all', 'Show all'],
  ['a a a', 'a a a'],
  ['x y', 'x y'],
  ['aa', 'aa'],
  ['77', '77'],
  [' ', ''],
  ['', ''],
  ['Dark mode Dark  mode', 'Dark mode Dark  mode'],
  ['_Yes Yes', 'Yes'],
  ['Save _as… Save as…', 'Save as…'],
  ['snake_case', 'snake_case'],
  ['_Yes No', '_Yes No'],
])('%j without a doubled label is %j', (name, once) => expect(removeDoubledLabel(name)).toBe(once));
