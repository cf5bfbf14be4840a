import { expect, test } from 'vitest';
import { toolkitFrom } from './toolkit.js';

test.each([
  ['gtk', 'mousepad', 'gtk3'],
  ['gtk', 'soffice', 'libreoffice'],
  ['gtk', 'LibreOffice', 'libreoffice'],
  ['GTK', 'gnome-calculator', 'gtk4'],
  ['Qt', 'kcalc', 'qt'],
  ['Qt 5', 'featherpad', 'qt'],
  ['Chromium', 'Chromium', 'chromium'],
  ['Chromium', 'Google Chrome', 'chromium'],
  ['Gecko', 'Firefox', 'gecko'],
  ['VCL', 'soffice', 'libreoffice'],
  ['J2SE-access-bridge', 'Main', 'swing'],
  ['', '', 'other'],
  ['Flutter', 'an app', 'other'],
])('%j of %j is %s', (toolkit, app, name) => expect(toolkitFrom(toolkit, app).name).toBe(name));

test('GTK 4 differs from the others in its measured traits', () => {
  expect(toolkitFrom('GTK', 'x')).toMatchObject({
    peerToPeer: false,
    showingBy: 'geometry',
    coordinates: 'window',
    enabledBy: 'sensitive',
    classNamesAsNames: true,
  });
});

test('an unknown toolkit gets no special treatment', () => {
  expect(toolkitFrom('new', 'x')).toMatchObject({ peerToPeer: false, showingBy: 'state', coordinates: 'screen' });
});
