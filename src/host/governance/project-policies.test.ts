import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { ProjectPolicies } from './project-policies.js';
import { withEffects } from '../../../tests/scenes/calls.js';

let root: string;
let made: PolicyFile[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-projects-'));
  made = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const file = (name: string): string => join(root, name, '.deskproof', 'policy.yaml');
function write(name: string, text: string): void {
  mkdirSync(join(root, name, '.deskproof'), { recursive: true });
  writeFileSync(file(name), text);
}
const deny = (name: string): string =>
  `version: 1\nrules:\n  - name: ${name}\n    when: { class: act }\n    decision: deny\n`;

function projects(own?: string): ProjectPolicies {
  const together = (callerProject: PolicyFile) => (
    made.push(callerProject),
    compilePolicy({ callerProject }, 'virtual')
  );
  return new ProjectPolicies({ tools: ['ui_click'], own, compileWith: together });
}
const answer = (all: ProjectPolicies, name: string): string | undefined =>
  all.inForce(at(name))?.rules.decide(
    withEffects({
      ...{ tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual', args: {}, target: {} },
    }),
  ).rule;

it('applies to its own directory, and is compiled once', () => {
  write('one', deny('one'));
  write('two', deny('two'));
  const all = projects();
  expect(['one', 'two', 'one', 'none'].map((name) => answer(all, name))).toEqual(['one', 'two', 'one', undefined]);
  expect(made).toHaveLength(2);
  expect(all.inForce(at('one'))!.parsed!.file).toBe(file('one'));
});

it("adds nothing if it is the desktop's own, by whatever path", () => {
  write('one', deny('one'));
  symlinkSync(at('one'), at('link'));
  const all = projects(file('one'));
  expect([all.inForce(at('one')), all.inForce(at('link'))]).toEqual([undefined, undefined]);
  write('two', deny('two'));
  rmSync(file('one'));
  // The desktop's own directory is gone: another one is not mistaken for it.
  expect(answer(all, 'two')).toBe('two');
});

it('is not read again by itself: a file that changed, appeared or vanished is reported', () => {
  write('one', deny('one'));
  const all = projects();
  expect([answer(all, 'one'), answer(all, 'none'), all.changed]).toEqual(['one', undefined, []]);
  write('one', `${deny('other')}limits: { actsPerMinute: 3 }\n`);
  write('none', deny('none'));
  expect(answer(all, 'one')).toBe('one');
  expect(all.inForce(at('one'))!.changed()).toEqual([file('one')]);
  // Until the user reloads the policy it allows no more than before, and each act reports the change.
  expect(all.inForce(at('none'))!.changed()).toEqual([file('none')]);
  expect(answer(all, 'none')).toBe('private/act-medium');
  expect(all.changed).toEqual([file('one'), file('none')]);
  expect(all.differences.map((line) => line.replace(` (${file('one')})`, ''))).toEqual([
    'project: limits is new',
    'project:   is  {"actsPerMinute":3}',
    'project: rule one was removed',
    'project:   was {"decision":"deny","name":"one","when":{"class":"act"}}',
    'project: rule other is new (deny)',
    'project:   is  {"decision":"deny","name":"other","when":{"class":"act"}}',
    `project: the file is new (${file('none')})`,
  ]);
  all.invalidate();
  expect([answer(all, 'one'), answer(all, 'none'), all.changed]).toEqual(['other', 'none', []]);
});

describe('callers from very many directories', () => {
  const many = (all: ProjectPolicies, count: number, name = 'plain'): void => {
    for (let n = 0; n < count; n++) all.inForce(at(`${name}-${n}`));
  };

  it('are not all cached: a directory without a file is read again', () => {
    const all = projects();
    expect(answer(all, 'none')).toBeUndefined();
    many(all, 3_000);
    expect(all.size).toBe(1_000);
    write('none', deny('none'));
    expect([answer(all, 'none'), all.changed]).toEqual(['none', []]);
  });

  it('never drop an entry that has a file, also if the file vanished, appeared or changed', () => {
    for (const name of ['one', 'gone', 'other']) write(name, deny(name));
    const all = projects(file('other'));
    for (const name of ['one', 'gone', 'came']) answer(all, name);
    rmSync(file('gone'));
    write('came', deny('came'));
    many(all, 3_000);
    write('one', deny('changed'));
    const waiting = ['one', 'gone', 'came'];
    for (const name of waiting) expect(all.inForce(at(name))!.changed()).toEqual([file(name)]);
    expect(waiting.map((name) => answer(all, name))).toEqual(['one', 'gone', 'private/act-medium']);
    expect(new Set(all.changed)).toEqual(new Set(waiting.map(file)));
  });

  it("drop the desktop's own directory too, and recognise it again", () => {
    write('one', deny('one'));
    const all = projects(file('one'));
    for (let round = 1; round <= 2; round++) {
      expect(all.inForce(at('one'))).toBeUndefined();
      many(all, 1_001, `round-${round}`);
    }
    expect(all.size).toBe(1_000);
  });

  it('are refused above the limit if each has a policy, and the earlier ones keep working', () => {
    const all = projects();
    for (let count = 0; count < 251; count++) write(`p-${count}`, deny(`p-${count}`));
    many(all, 250, 'p');
    for (let round = 1; round <= 2; round++) {
      expect(() => all.inForce(at('p-250'))).toThrow(/250 projects with a policy/);
    }
    expect([answer(all, 'p-0'), answer(all, 'p-249'), answer(all, 'none')]).toEqual(['p-0', 'p-249', undefined]);
    expect(all.size).toBe(251);
    all.invalidate();
    expect([answer(all, 'p-250'), all.size]).toEqual(['p-250', 1]);
  });

  it('are refused above the limit if a file appeared for each, and no waiting file is dropped', () => {
    const all = projects();
    many(all, 1_000, 'p');
    for (let count = 0; count < 1_000; count++) write(`p-${count}`, deny('late'));
    for (let round = 1; round <= 2; round++) expect(() => all.inForce(at('another'))).toThrow(DesktopError);
    expect([all.changed.length, all.size]).toEqual([1_000, 1_000]);
  });
});

it('a faulty file is an error every time', () => {
  write('bad', 'version: 1\nsecrets: {}\n');
  const all = projects();
  for (let round = 1; round <= 2; round++) {
    expect(() => all.inForce(at('bad'))).toThrow(DesktopError);
    expect(() => all.inForce(at('bad'))).toThrow(/secrets is not allowed in a project policy/);
  }
  write('bad', deny('good'));
  expect(answer(all, 'bad')).toBe('good');
});
