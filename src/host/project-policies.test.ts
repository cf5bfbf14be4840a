import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { govern, type PolicyFile } from '../policy/index.js';
import { DesktopError } from '../shared/index.js';
import { ProjectPolicies } from './project-policies.js';

let root: string;
let made: PolicyFile[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dw-projects-'));
  made = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const file = (name: string): string => join(root, name, '.deskwright', 'policy.yaml');
function write(name: string, text: string): void {
  mkdirSync(join(root, name, '.deskwright'), { recursive: true });
  writeFileSync(file(name), text);
}
const deny = (name: string): string =>
  `version: 1\nrules:\n  - name: ${name}\n    when: { class: act }\n    decision: deny\n`;

function projects(own?: string): ProjectPolicies {
  const together = (callerProject: PolicyFile) => (made.push(callerProject), govern({ callerProject }, 'virtual'));
  return new ProjectPolicies({ tools: ['ui_click'], own, together });
}
const answer = (all: ProjectPolicies, name: string): string | undefined =>
  all.inForce(at(name))?.rules.decide({
    ...{ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual', args: {}, target: {} },
  }).rule;

it('counts for its own directory, and is put together once', () => {
  write('one', deny('one'));
  write('two', deny('two'));
  const all = projects();
  expect(['one', 'two', 'one', 'none'].map((name) => answer(all, name))).toEqual(['one', 'two', 'one', undefined]);
  expect(made).toHaveLength(2);
  expect(all.inForce(at('one'))!.parsed!.file).toBe(file('one'));
});

it("adds nothing where it is the desktop's own, by whichever path", () => {
  write('one', deny('one'));
  symlinkSync(at('one'), at('link'));
  const all = projects(file('one'));
  expect([all.inForce(at('one')), all.inForce(at('link'))]).toEqual([undefined, undefined]);
  write('two', deny('two'));
  rmSync(file('one'));
  // What was there for the desktop is gone: another one is not taken for it.
  expect(answer(all, 'two')).toBe('two');
});

it('is not read again by itself: a file that changed, came or went is told', () => {
  write('one', deny('one'));
  const all = projects();
  expect([answer(all, 'one'), answer(all, 'none'), all.changed]).toEqual(['one', undefined, []]);
  write('one', `${deny('other')}limits: { actsPerMinute: 3 }\n`);
  write('none', deny('none'));
  expect(answer(all, 'one')).toBe('one');
  expect(all.inForce(at('one'))!.changed()).toEqual([file('one')]);
  // It may do no more than before as long as nobody has looked, and whoever acts is told of the change.
  expect(all.inForce(at('none'))!.changed()).toEqual([file('none')]);
  expect(answer(all, 'none')).toBe('private/act-medium');
  expect(all.changed).toEqual([file('one'), file('none')]);
  expect(all.differences.map((line) => line.replace(` (${file('one')})`, ''))).toEqual([
    'project: limits is new',
    'project:   is  {"actsPerMinute":3}',
    'project: rule one is gone',
    'project:   was {"decision":"deny","name":"one","when":{"class":"act"}}',
    'project: rule other is new (deny)',
    'project:   is  {"decision":"deny","name":"other","when":{"class":"act"}}',
    `project: its file is new (${file('none')})`,
  ]);
  all.forget();
  expect([answer(all, 'one'), answer(all, 'none'), all.changed]).toEqual(['other', 'none', []]);
});

it('that cannot be used is an error each time it is asked for', () => {
  write('bad', 'version: 1\nsecrets: {}\n');
  const all = projects();
  for (let round = 1; round <= 2; round++) {
    expect(() => all.inForce(at('bad'))).toThrow(DesktopError);
    expect(() => all.inForce(at('bad'))).toThrow(/secrets may not stand in a project's policy/);
  }
  write('bad', deny('good'));
  expect(answer(all, 'bad')).toBe('good');
});
