import { describe, expect, test } from 'vitest';
import { parsePolicy } from './parse.js';
import { policyWarnings } from './lint.js';

describe('policyWarnings', () => {
  const warned = (yaml: string) =>
    policyWarnings(parsePolicy(`version: 1\n${yaml}`, { tier: 'user', file: 'p' }), {
      launches: (tool) => tool === 'ui_launch',
    }).map(({ line, message }) => `${line}: ${message}`);
  test.each<[string, string, string[]]>([
    ['nothing to say', 'rules: [{ name: a, when: { app: "/usr/bin/x" }, decision: allow }]', []],
    ['deny needs no app', 'rules: [{ name: a, decision: deny }]', []],
    [
      'allow without app',
      'rules:\n  - { name: a, when: { window: x }, decision: allow }',
      ['3: rule a allows without naming app: names and titles are only claims of the app'],
    ],
    [
      'allow for raw that never fits',
      'rules:\n  - { name: a, when: { class: raw, app: "*" }, decision: allow }',
      ['3: rule a never matches: raw calls are of high risk, and an allow without risk covers only low and medium'],
    ],
    [
      'allow for launches',
      'rules:\n  - { name: a, when: { tool: ui_launch, app: "*" }, decision: allow }',
      ['3: rule a matches only programs in launch.allow: launching any other program is of high risk'],
    ],
    [
      'rules that are never reached',
      'rules:\n  - { name: a, decision: deny }\n  - { name: b, decision: ask }',
      ['3: rule a matches everything: the rules after it are never reached'],
    ],
    [
      'a secret for any app',
      'secrets: { pin: { env: PIN, into: { window: "*Bank*" } } }',
      ['1: secret pin may be typed into any app that shows such a window: add app to into'],
    ],
    [
      'a secret for a browser without the address of its page',
      'secrets: { pin: { env: PIN, into: { app: ["/usr/bin/vpn", "*/firefox"], window: "*Bank*" } } }',
      [
        "1: secret pin is for a browser and has no url in into: a title is the page's own text, so add the page's address, such as https://bank.example/*",
      ],
    ],
    [
      'a secret for a page',
      'secrets: { pin: { env: PIN, into: { app: "*/firefox", url: "https://bank.example/*" } } }',
      [],
    ],
    ['a secret for an app that is no browser', 'secrets: { pin: { env: PIN, into: { app: "/usr/bin/vpn" } } }', []],
  ])('%s', (_, yaml, expected) => expect(warned(yaml)).toEqual(expected));
});
