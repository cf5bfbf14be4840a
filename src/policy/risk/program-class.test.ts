import { expect, it } from 'vitest';
import { compileApps, compileClaimed, compileProgram, namesOf } from './program-class.js';
import type { App } from '../facts.js';

const path = (text: string): App => ({ path: text });
const claimed = (text: string): App => ({ claimed: text });

it.each<[string, App, boolean]>([
  ['crm', path('/usr/bin/crm'), true],
  ['/usr/bin/crm', path('/usr/bin/crm'), true],
  ['/usr/bin/crm', path('/opt/crm'), false],
  ['bin*', path('/usr/bin/crm'), false],
  ['crm', claimed('CRM'), true],
  ['/usr/bin/crm', claimed('crm'), true],
  ['a*b', claimed('a/b'), true],
  ['*', claimed(''), false],
  ['/opt/*', claimed(''), false],
])('the program pattern %s matches %j: %s', (pattern, app, fits) => {
  expect(compileProgram(pattern)(namesOf(app))).toBe(fits);
});

it.each<[string, string, boolean]>([
  ['/opt/c*', '/opt/c/d', true],
  ['/opt/a*b', 'a/b', true],
  ['/usr/bin/crm', 'other/crm', true],
  ['/usr/bin/crm', 'crm.exe', false],
])('the pattern %s matches the claimed name %s: %s', (pattern, name, fits) => {
  expect(compileClaimed(pattern)(namesOf(claimed(name)))).toBe(fits);
});

it.each([
  ['/usr/bin/a\\b', 'a\\b'],
  ['C:\\Program Files\\b.exe', 'b.exe'],
  ['\\\\server\\share/b.exe', 'b.exe'],
  ['crm', 'crm'],
])('the file of %s is %s', (whole, file) => {
  expect(namesOf(path(whole)).file).toBe(file);
});

it.each<[App | null | undefined, string]>([
  [path('/usr/bin/python3.11'), 'yes'],
  [path('/usr/bin/xterm'), 'yes'],
  [path('/opt/console'), 'yes'],
  [path('/usr/bin/gnucash'), 'no'],
  [path('/usr/bin/mousepad'), 'no'],
  [null, 'no'],
  [undefined, 'maybe'],
])('%j runs anything: %s', (app, answer) => {
  expect(compileApps({ terminal: ['/opt/console'], finance: [], admin: [] }).runsAnything(app)).toBe(answer);
});
