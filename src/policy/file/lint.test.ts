import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse.js';
import { policyWarnings } from './lint.js';

describe('policyWarnings', () => {
  const warned = (yaml: string) =>
    policyWarnings(parsePolicy(`version: 1\n${yaml}`, { tier: 'user', file: 'p' })).map(
      ({ line, message }) => `${line}: ${message}`,
    );
  test.each<[string, string, string[]]>([
    ['nothing to say', 'rules: [{ name: a, when: { app: "/usr/bin/x" }, decision: allow }]', []],
    ['deny needs no app', 'rules: [{ name: a, decision: deny }]', []],
    [
      'allow without app',
      'rules:\n  - { name: a, when: { window: x }, decision: allow }',
      ['3: rule a allows without naming app: names and titles are what an app says of itself'],
    ],
    [
      'allow for raw that never fits',
      'rules:\n  - { name: a, when: { class: raw, app: "*" }, decision: allow }',
      ['3: rule a never fits: raw calls are of high risk, and an allow without risk covers low and medium'],
    ],
    [
      'allow for launches',
      'rules:\n  - { name: a, when: { tool: ui_launch, app: "*" }, decision: allow }',
      ['3: rule a fits only programs that launch.allow names: starting others is of high risk'],
    ],
    [
      'rules that are never reached',
      'rules:\n  - { name: a, decision: deny }\n  - { name: b, decision: ask }',
      ['3: rule a fits everything: those after it are never reached'],
    ],
    [
      'a secret for any app',
      'secrets: { pin: { env: PIN, into: { window: "*Bank*" } } }',
      ['1: secret pin may go to any app that shows such a window: name app in into'],
    ],
  ])('%s', (_, yaml, expected) => expect(warned(yaml)).toEqual(expected));
});
