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

it('takes the least that a file can be', () => {
  expect(parsePolicy('version: 1\n', { tier: 'project', file: 'p' }).policy).toEqual({ version: 1 });
});

/** What is wrong, as `line: message | hint`. */
function faults(text: string, tier: FileTier = 'user'): string[] {
  const read = readPolicy(text, { tier, file: 'p', tools: TOOLS });
  if (!('faults' in read)) return [];
  return read.faults.map(({ line, message, hint }) => `${line}: ${message}${hint === undefined ? '' : ` | ${hint}`}`);
}

const v1 = (rest: string): string => `version: 1\n${rest}`;
const rule = (rest: string): string => v1(`rules:\n  - { name: a, decision: deny, ${rest} }`);

describe('one clear sentence for each fault', () => {
  const ONE_PASS =
    'Use only characters, classes, groups, |, ^, $, \\b and counts: a pattern must be searchable in one pass.';
  const ALIAS =
    '2: Anchors, aliases and tags are not read here. | Put a text that begins with * in quotes: "*KeePass*".';
  const TEXT = 'must be a text (in quotes, if it looks like something else).';
  test.each<[string, string, string[]]>([
    ['nothing', '', ['1: There is no policy in it. | Begin with version: 1.']],
    ['only a comment', '# hello\n', ['1: There is no policy in it. | Begin with version: 1.']],
    ['a list', '- a\n', ['1: There is no policy in it. | Begin with version: 1.']],
    ['no version', 'enabled: true\n', ['1: version is missing. | It is one of 1.']],
    [
      'a later version',
      'version: 2\nnew: 1\n',
      ['1: It is written for another version. | This Deskproof reads version 1.'],
    ],
    ['a misspelt field', v1('widows: {}'), ['2: There is no field "widows". | Did you mean windows?']],
    [
      'a misspelt field within',
      v1('windows:\n  blok: []'),
      ['3: There is no field "blok" in windows. | Did you mean block?'],
    ],
    [
      'a misspelt matcher',
      rule('when: { ap: x }'),
      ['3: There is no field "ap" in rules[1].when. | Did you mean app?'],
    ],
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
    ['a misspelt tool', rule('when: { tool: ui_clik }'), ['3: There is no tool "ui_clik". | Did you mean ui_click?']],
    [
      'no tool at all',
      rule('when: { tool: click }'),
      ['3: rules[1].when.tool must be the name of a tool, such as ui_click.'],
    ],
    ['a misspelt mask', v1('masks: [emial]'), ['2: masks[1] cannot be "emial". | Did you mean email?']],
    [
      'a misspelt source',
      v1('secrets: { a: { fil: /x, into: { app: y } } }'),
      ['2: There is no field "fil" in secrets.a. | Did you mean file?'],
    ],
    [
      'two sources',
      v1('secrets: { a: { file: /x, env: X, into: { app: y } } }'),
      ['2: "file" does not go with the other fields in secrets.a.'],
    ],
    [
      'a secret for everywhere',
      v1('secrets: { a: { file: /x, into: {} } }'),
      ['2: secrets.a.into must say where it may be typed.'],
    ],
    ['a secret for nowhere', v1('secrets: { a: { file: /x } }'), ['2: secrets.a.into is missing.']],
    [
      'a path that is not whole',
      v1('secrets: { a: { file: x, into: { app: y } } }'),
      ['2: secrets.a.file must be a whole path.'],
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
    ['a grant without a question', rule('grant: once'), ['3: rules[1].grant stands only beside decision: ask.']],
    ['a rule without a name', v1('rules: [{ decision: deny }]'), ['2: rules[1].name is missing.']],
    [
      'a name with a line break',
      v1('rules: [{ name: "a\\nb", decision: deny }]'),
      ['2: rules[1].name must be a short name: letters, digits, dot, dash.'],
    ],
    [
      'two rules of one name',
      v1('rules:\n  - { name: a, decision: deny }\n  - { name: a, decision: ask }'),
      ['4: There are two rules "a".'],
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
      'what is not built in',
      v1('windows: { unblock: ["*Bank*"] }'),
      ['2: "*Bank*" is no built-in pattern. | Did you mean "*Banking*"?'],
    ],
    ['a glob without quotes', v1('windows: { block: [*KeePass*] }'), [ALIAS]],
    [
      'an alias',
      v1('a: &x 1\nb: *x'),
      ['2: Anchors, aliases and tags are not read here. | Put a text that begins with & in quotes.'],
    ],
    [
      'a tag',
      v1('enabled: !!bool true'),
      ['2: Anchors, aliases and tags are not read here. | Put a text that begins with ! in quotes.'],
    ],
    [
      'a merge',
      v1('<<: { enabled: true }'),
      [
        '2: There is no field "<<". | There are version, profile, enabled, windows, limits, risk, launch, approvals, secrets, masks, audit, rules.',
      ],
    ],
    ['a field twice', v1('enabled: true\nenabled: false'), ['3: A field stands there twice.']],
    ['two documents', v1('---\nversion: 1'), ['2: There is more than one document in it.']],
    ['a tab', v1('windows:\n\tblock: []'), ['3: Lines are indented by spaces, not by tabs.']],
    ['a key that is no text', v1('? [a]\n: b'), ['2: The name of a field must be a text.']],
    ['a key that is a number', v1('5: x'), ['2: The name of a field must be a text.']],
    ['too deep', v1(`a: ${'['.repeat(100)}${']'.repeat(100)}`), ['2: It is nested too deep.']],
    ['bottomless', '['.repeat(200_000), ['1: It is nested too deep.']],
    ['too long', `version: 1\n#${'x'.repeat(300_000)}`, ['1: It is larger than 256 KB.']],
    [
      '__proto__',
      v1('__proto__: { enabled: true }'),
      [
        '2: There is no field "__proto__". | There are version, profile, enabled, windows, limits, risk, launch, approvals, secrets, masks, audit, rules.',
      ],
    ],
  ])('%s', (_, text, expected) => expect(faults(text)).toEqual(expected));

  it('is told for each fault, in their order', () => {
    expect(faults(v1('enabled: 5\nwidows: 1\nlimits: { x: 1 }')).map((fault) => fault.slice(0, 2))).toEqual([
      '2:',
      '3:',
      '4:',
    ]);
  });

  it('stops with the file, the line and what was meant', () => {
    const text = v1('widows: {}\nenabled: 5');
    expect(() => parsePolicy(text, { tier: 'user', file: '~/policy.yaml' })).toThrow(
      expect.objectContaining({
        ...{ code: 'bad_arguments', retry: 'no', hint: 'Did you mean windows?' },
        message: '~/policy.yaml, line 2: There is no field "widows". (and 1 more)',
        details: {
          ...{ file: '~/policy.yaml', line: 2, column: 1 },
          more: [{ line: 3, column: 10, message: 'enabled must be true or false.' }],
        },
      }),
    );
  });

  it('does not bring what a file says to the terminal as it is', () => {
    const [fault] = faults(v1(`"\\e[31m\\u202e${'x'.repeat(500)}": 1`));
    expect(fault).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(fault!.length).toBeLessThan(250);
  });
});

describe('who may write what', () => {
  const project = 'It may hold version, windows, limits, rules; windows without unblock.';
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
    expect(faults(v1(yaml), 'project')).toEqual([`2: ${field} may not stand in a project's policy. | ${project}`]);
    expect(faults(v1(yaml), 'managed')).toEqual([]);
    expect(faults(v1(yaml), 'user')).toEqual([]);
  });
  test.each([
    'windows: { block: ["*x*"], allow: ["*"] }',
    'limits: { actsPerMinute: 1 }',
    'rules: [{ name: a, decision: deny }]',
  ])('%s: everyone', (yaml) => {
    for (const tier of ['user', 'project', 'managed'] as const) expect(faults(v1(yaml), tier)).toEqual([]);
  });
  test('unblock: the user alone', () => {
    const yaml = v1('windows: { unblock: ["*Banking*"] }');
    expect(faults(yaml, 'user')).toEqual([]);
    for (const tier of ['project', 'managed'] as const)
      expect(faults(yaml, tier)[0]).toMatch(/^2: windows.unblock may not stand/);
  });
});
