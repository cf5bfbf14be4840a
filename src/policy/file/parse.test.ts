import { describe, expect, it, test } from 'vitest';
import { parsePolicy, readPolicy } from './parse.js';
import type { FileTier } from './schema.js';

const TOOLS = ['ui_click', 'ui_act', 'ui_launch'];

const EXAMPLE = `version: 1
profile: { seat: guarded, virtual: private }   # by kind of desktop
enabled: true
windows:
  block: ["*KeePass*", "*1Password*"]
  unblock: []
  allow: ["*"]
limits:
  capturesPerMinute: 60
  actsPerMinute: 120
  launchesPerMinute: 10
risk:
  words: [überweisen, löschen]
  keys: [ctrl+enter]
  apps: { finance: ["*/gnucash"], admin: [], terminal: [] }
launch:
  allow: ["/usr/bin/gnome-calculator", "/usr/bin/mousepad"]
approvals:
  seconds: 55
  channels: [terminal, inspector, mcp]
  elicitation: medium
secrets:
  bank-pin: { file: ~/.secrets/pin, into: { app: "*/firefox", window: "*My Bank*" } }
  vpn: { command: [pass, show, vpn], into: { app: "/usr/bin/vpn-gui", secure: true } }
masks: [email, ssn, card, { name: ticket, pattern: "TKT-[0-9]{6}" }]
audit:
  evidence: hashes
  keepDays: 90
  anchor: { command: [logger, -t, deskproof], required: false }
rules:
  - name: never-send
    when: { app: "*/thunderbird", name: ["Send*", "*Senden*"], class: act }
    decision: deny
    reason: mail is sent by people
  - name: delete-in-files
    when: { app: "*/nautilus", risk: [high], tool: [ui_click, ui_act] }
    decision: ask
    grant: once
  - name: no-doubtful-targets
    when: { class: act, confidence: "<0.5" }
    decision: deny
`;

it('reads every field', () => {
  const { policy, lineOfRule } = parsePolicy(EXAMPLE, { tier: 'user', file: 'policy.yaml', tools: TOOLS });
  expect(policy.risk?.words).toEqual(['überweisen', 'löschen']);
  expect(policy.secrets?.['bank-pin']).toEqual({
    file: '~/.secrets/pin',
    into: { app: '*/firefox', window: '*My Bank*' },
  });
  expect(policy.rules?.[2]).toEqual({
    ...{ name: 'no-doubtful-targets', when: { class: 'act', confidence: '<0.5' }, decision: 'deny' },
  });
  expect([0, 1, 2].map(lineOfRule)).toEqual([31, 35, 39]);
});

it('accepts the smallest valid file', () => {
  expect(parsePolicy('version: 1\n', { tier: 'project', file: 'p' }).policy).toEqual({ version: 1 });
});

/** The faults, as `line: message | hint`. */
function faults(text: string, tier: FileTier = 'user'): string[] {
  const read = readPolicy(text, { tier, file: 'p', tools: TOOLS });
  if (!('faults' in read)) return [];
  return read.faults.map(({ line, message, hint }) => `${line}: ${message}${hint === undefined ? '' : ` | ${hint}`}`);
}

const v1 = (rest: string): string => `version: 1\n${rest}`;
const rule = (rest: string): string => v1(`rules:\n  - { name: a, decision: deny, ${rest} }`);

describe('reports one sentence for each fault', () => {
  const ONE_PASS =
    'Use only characters, classes, groups, |, ^, $, \\b and counts: a pattern must be searchable in one pass.';
  const ALIAS = '2: Anchors, aliases and tags are not supported. | Put text that starts with * in quotes: "*KeePass*".';
  const TEXT = 'must be a string (in quotes, if YAML would read it as another type).';
  test.each<[string, string, string[]]>([
    ['nothing', '', ['1: The file contains no policy. | Start it with version: 1.']],
    ['only a comment', '# hello\n', ['1: The file contains no policy. | Start it with version: 1.']],
    ['a list', '- a\n', ['1: The file contains no policy. | Start it with version: 1.']],
    ['no version', 'enabled: true\n', ['1: version is missing. | Valid values: 1.']],
    [
      'a later version',
      'version: 2\nnew: 1\n',
      ['1: The policy is written for another version. | This version of Deskproof reads policy version 1.'],
    ],
    ['a misspelt field', v1('widows: {}'), ['2: Unknown field "widows". | Did you mean windows?']],
    [
      'a misspelt field within',
      v1('windows:\n  blok: []'),
      ['3: Unknown field "blok" in windows. | Did you mean block?'],
    ],
    ['a misspelt matcher', rule('when: { ap: x }'), ['3: Unknown field "ap" in rules[1].when. | Did you mean app?']],
    [
      'a misspelt decision',
      v1('rules: [{ name: a, decision: alow }]'),
      ['2: rules[1].decision cannot be "alow". | Did you mean allow?'],
    ],
    [
      'a misspelt class',
      rule('when: { class: [act, rw] }'),
      ['3: rules[1].when.class[2] cannot be "rw". | Did you mean raw?'],
    ],
    ['a misspelt tool', rule('when: { tool: ui_clik }'), ['3: Unknown tool "ui_clik". | Did you mean ui_click?']],
    [
      'no tool at all',
      rule('when: { tool: click }'),
      ['3: rules[1].when.tool must be the name of a tool, such as ui_click.'],
    ],
    ['a misspelt mask', v1('masks: [emial]'), ['2: masks[1] cannot be "emial". | Did you mean email?']],
    [
      'a misspelt source',
      v1('secrets: { a: { fil: /x, into: { app: y } } }'),
      ['2: Unknown field "fil" in secrets.a. | Did you mean file?'],
    ],
    [
      'two sources',
      v1('secrets: { a: { file: /x, env: X, into: { app: y } } }'),
      ['2: "file" cannot be combined with the other fields in secrets.a.'],
    ],
    [
      'a secret for everywhere',
      v1('secrets: { a: { file: /x, into: {} } }'),
      ['2: secrets.a.into must name at least one condition for where the secret may be typed.'],
    ],
    ['a secret for nowhere', v1('secrets: { a: { file: /x } }'), ['2: secrets.a.into is missing.']],
    [
      'a path that is not whole',
      v1('secrets: { a: { file: x, into: { app: y } } }'),
      ['2: secrets.a.file must be an absolute path.'],
    ],
    ['a word for a number', v1('limits: { actsPerMinute: lots }'), ['2: limits.actsPerMinute must be a number.']],
    ['a number below', v1('limits: { actsPerMinute: -1 }'), ['2: limits.actsPerMinute is under 0.']],
    ['half an act', v1('limits: { actsPerMinute: 1.5 }'), ['2: limits.actsPerMinute must be a whole number.']],
    ['a number for a text', rule('when: { name: 5 }'), [`3: rules[1].when.name ${TEXT}`]],
    ['yes is a text', v1('enabled: yes'), ['2: enabled must be true or false.']],
    ['an empty list', rule('when: { tool: [] }'), ['3: rules[1].when.tool is shorter than 1.']],
    ['a number for a comparison', rule('when: { confidence: 0.5 }'), [`3: rules[1].when.confidence ${TEXT}`]],
    [
      'no comparison',
      rule('when: { confidence: "0.5" }'),
      ['3: rules[1].when.confidence must be a comparison with a number from 0 to 1, such as "<0.5".'],
    ],
    ['a grant without a question', rule('grant: once'), ['3: rules[1].grant is only allowed with decision: ask.']],
    ['a rule without a name', v1('rules: [{ decision: deny }]'), ['2: rules[1].name is missing.']],
    [
      'a name with a line break',
      v1('rules: [{ name: "a\\nb", decision: deny }]'),
      ['2: rules[1].name must be a short name: letters, digits, dots and dashes.'],
    ],
    [
      'two rules of one name',
      v1('rules:\n  - { name: a, decision: deny }\n  - { name: a, decision: ask }'),
      ['4: Two rules have the name "a".'],
    ],
    [
      'a pattern that is none',
      v1('masks: [{ name: a, pattern: "(" }]'),
      [`2: masks[1].pattern is not a regular expression. | ${ONE_PASS}`],
    ],
    [
      'a pattern that could take for ever',
      v1('masks:\n  - email\n  - { name: a, pattern: "(a)\\\\1" }'),
      [`4: masks[2].pattern refers back to an earlier group. | ${ONE_PASS}`],
    ],
    [
      'a pattern that is too large',
      v1('masks: [{ name: a, pattern: "((a{200}){200}){200}" }]'),
      ['2: masks[1].pattern is too large. | Use smaller counts, or split it into two patterns.'],
    ],
    [
      'unblock of a pattern that is not built in',
      v1('windows: { unblock: ["*Bank*"] }'),
      ['2: "*Bank*" is not a built-in pattern. | Did you mean "*Banking*"?'],
    ],
    ['a glob without quotes', v1('windows: { block: [*KeePass*] }'), [ALIAS]],
    [
      'an alias',
      v1('a: &x 1\nb: *x'),
      ['2: Anchors, aliases and tags are not supported. | Put text that starts with & in quotes.'],
    ],
    [
      'a tag',
      v1('enabled: !!bool true'),
      ['2: Anchors, aliases and tags are not supported. | Put text that starts with ! in quotes.'],
    ],
    [
      'a merge',
      v1('<<: { enabled: true }'),
      [
        '2: Unknown field "<<". | Valid fields: version, profile, enabled, windows, limits, risk, launch, approvals, secrets, masks, audit, rules.',
      ],
    ],
    ['a field twice', v1('enabled: true\nenabled: false'), ['3: The field is defined twice.']],
    ['two documents', v1('---\nversion: 1'), ['2: The file contains more than one document.']],
    ['a tab', v1('windows:\n\tblock: []'), ['3: Indent lines with spaces, not tabs.']],
    ['a key that is no text', v1('? [a]\n: b'), ['2: A field name must be a string.']],
    ['a key that is a number', v1('5: x'), ['2: A field name must be a string.']],
    ['too deep', v1(`a: ${'['.repeat(100)}${']'.repeat(100)}`), ['2: The file is nested too deeply.']],
    ['bottomless', '['.repeat(200_000), ['1: The file is nested too deeply.']],
    ['too long', `version: 1\n#${'x'.repeat(300_000)}`, ['1: The file is larger than 256 KB.']],
    [
      '__proto__',
      v1('__proto__: { enabled: true }'),
      [
        '2: Unknown field "__proto__". | Valid fields: version, profile, enabled, windows, limits, risk, launch, approvals, secrets, masks, audit, rules.',
      ],
    ],
  ])('%s', (_, text, expected) => expect(faults(text)).toEqual(expected));

  it('reports all faults in file order', () => {
    expect(faults(v1('enabled: 5\nwidows: 1\nlimits: { x: 1 }')).map((fault) => fault.slice(0, 2))).toEqual([
      '2:',
      '3:',
      '4:',
    ]);
  });

  it('throws with the file, the line and a suggestion', () => {
    const text = v1('widows: {}\nenabled: 5');
    expect(() => parsePolicy(text, { tier: 'user', file: '~/policy.yaml' })).toThrow(
      expect.objectContaining({
        ...{ code: 'bad_arguments', retry: 'no', hint: 'Did you mean windows?' },
        message: '~/policy.yaml, line 2: Unknown field "widows". (and 1 more)',
        details: {
          ...{ file: '~/policy.yaml', line: 2, column: 1 },
          more: [{ line: 3, column: 10, message: 'enabled must be true or false.' }],
        },
      }),
    );
  });

  it('escapes text of the file in messages', () => {
    const [fault] = faults(v1(`"\\e[31m\\u202e${'x'.repeat(500)}": 1`));
    expect(fault).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(fault!.length).toBeLessThan(250);
  });
});

describe('fields by tier', () => {
  const project = 'Allowed fields: version, windows, limits, rules; windows without unblock.';
  const fields: [string, string][] = [
    ['profile', 'profile: { seat: private }'],
    ['enabled', 'enabled: true'],
    ['risk', 'risk: { words: [x] }'],
    ['launch', 'launch: { allow: ["*"] }'],
    ['approvals', 'approvals: { seconds: 60 }'],
    ['secrets', 'secrets: { a: { env: A, into: { app: x } } }'],
    ['masks', 'masks: [email]'],
    ['audit', 'audit: { keepDays: 1 }'],
  ];
  test.each(fields)('%s: user and managed, not a project', (field, yaml) => {
    expect(faults(v1(yaml), 'project')).toEqual([`2: ${field} is not allowed in a project policy. | ${project}`]);
    expect(faults(v1(yaml), 'managed')).toEqual([]);
    expect(faults(v1(yaml), 'user')).toEqual([]);
  });
  test.each([
    'windows: { block: ["*x*"], allow: ["*"] }',
    'limits: { actsPerMinute: 1 }',
    'rules: [{ name: a, decision: deny }]',
  ])('%s: every tier', (yaml) => {
    for (const tier of ['user', 'project', 'managed'] as const) expect(faults(v1(yaml), tier)).toEqual([]);
  });
  test('unblock: only in the user file', () => {
    const yaml = v1('windows: { unblock: ["*Banking*"] }');
    expect(faults(yaml, 'user')).toEqual([]);
    for (const tier of ['project', 'managed'] as const)
      expect(faults(yaml, tier)[0]).toMatch(/^2: windows.unblock is not allowed/);
  });
});
