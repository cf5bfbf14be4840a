import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { createContext } from '../context.js';
import { createProgram } from '../program.js';
import { reloadLines } from './check.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-policy-'));
  vi.stubEnv('HOME', root);
  vi.spyOn(process, 'cwd').mockReturnValue(root);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(root, { recursive: true });
});

function place(file: string, text: string): string {
  const path = join(root, file);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `version: 1\n${text}`, { mode: 0o600 });
  return path;
}

async function run(...words: string[]): Promise<{ out: string; error?: DesktopError }> {
  const context = createContext(new AbortController().signal, { HOME: root });
  let out = '';
  const terminal = { ...context.terminal, out: (text: string) => void (out += text), err: () => undefined };
  const program = createProgram({ ...context, terminal });
  const error = await program.parseAsync(['policy', ...words], { from: 'user' }).then(
    () => undefined,
    (thrown: unknown) => thrown as DesktopError,
  );
  return { out: out.replaceAll(root, '~'), ...(error && { error }) };
}

const USER = '.config/deskproof/policy.yaml';

describe('check', () => {
  it('lists the files in force, their summary and warnings', async () => {
    place(USER, 'enabled: true\nrules:\n  - { name: a, when: { window: x }, decision: allow }\n');
    place('.deskproof/policy.yaml', 'limits: { actsPerMinute: 7 }\n');
    const { out, error } = await run('check');
    expect(error).toBeUndefined();
    expect(out).toMatch(/^managed +\/etc\/deskproof\/policy\.yaml +does not exist\n/);
    expect(out).toMatch(/\nuser +~\/\.config\/deskproof\/policy\.yaml +1 rule, enabled\n/);
    expect(out).toMatch(/\nproject +~\/\.deskproof\/policy\.yaml +0 rules, limits\n/);
    expect(out).toMatch(/\nhidden windows: .*\(built-in\)/);
    expect(out).toContain('\nyour desktop: guarded; private desktops: private\n');
    expect(out).toContain('\nper minute: 7 acts, 60 captures, 10 launches\n');
    expect(out).toMatch(/\nwarning: ~\/\S+:4: rule a allows without naming app: .*\n$/);
  });

  it('lists all faults and throws the first', async () => {
    const file = place('other.yaml', 'widows: {}\nenabled: 5\nlimits: { x: 1 }\n');
    const { out, error } = await run('check', file);
    expect(error).toMatchObject({ code: 'bad_arguments', hint: 'Did you mean windows?' });
    expect(error?.message).toBe(`${file}, line 2: Unknown field "widows". (and 2 more)`);
    expect(out).toMatch(/^~\/other\.yaml:3:10: enabled must be true or false\.\n~\/other\.yaml:4:\d+: .*limits.*\n$/);
  });

  it('requires a named file to exist', async () => {
    expect((await run('check', join(root, 'none.yaml'))).error).toMatchObject({ code: 'permission_missing' });
  });
});

describe('explain from facts', () => {
  beforeEach(() =>
    place(
      USER,
      'rules:\n  - { name: no-send, when: { app: "*/mail", name: "Send*" }, decision: deny, reason: people }\n',
    ),
  );
  it.each<[string, string[], RegExp]>([
    [
      'a rule that fits',
      ['click', '--app', '/usr/bin/mail', '--name', 'Send now'],
      /^deny \(rule no-send, user\): people\n/,
    ],
    [
      'one that does not',
      ['click', '--app', '/usr/bin/x', '--name', 'Send now', '--on', 'virtual'],
      /^allow \(rule private/,
    ],
    [
      'nothing known',
      ['ui_click', '--on', 'virtual'],
      /^allow or ask or deny, depending on facts that are not known yet\n/,
    ],
    ['the seat', ['click', '--role', 'button', '--on', 'seat'], /^ask [^]*if the user has enabled the session/],
    ['the seat, refused', ['capture', '--on', 'seat'], /^deny \(rule guarded\/capture, built-in\)[^]*confidence\n$/],
    ['keys', ['key', '--args', '{"keys":"alt+F4"}', '--window', 'x', '--on', 'seat'], /^ask [^]*score 6/],
    ['another caller', ['click', '--caller', 'mcp'], /\n {2}ui_click \(act\) by mcp on a virtual desktop\n/],
  ])('%s', async (_, words, printed) => {
    const { out, error } = await run('explain', ...words);
    expect(error).toBeUndefined();
    expect(out).toMatch(printed);
  });

  it.each<[string, string[], string, RegExp]>([
    ['an unknown tool', ['clik'], 'Unknown tool "clik".', /Did you mean click/],
    ['a batch', ['batch'], 'The policy does not decide a batch as a whole; it decides each step.', /one of its steps/],
    ['no JSON', ['click', '--args', 'x'], '--args takes a JSON object.', /single quotes/],
    ['a list', ['click', '--args', '[]'], '--args takes a JSON object.', /single quotes/],
    [
      'both',
      ['click', 'e1', '--app-name', 'x'],
      'Facts cannot be combined with a target on the running desktop.',
      /--app-name/,
    ],
    ['no target to have', ['clipboard', 'x'], 'ui_clipboard has no target.', /Omit the target/],
  ])('%s gives a clear error and a hint', async (_, words, message, hint) => {
    const { out, error } = await run('explain', ...words);
    expect([out, error?.code, error?.message]).toEqual(['', 'bad_arguments', message]);
    expect(error?.hint).toMatch(hint);
  });
});

it('reload needs the user at a terminal', async () => {
  expect((await run('reload')).error).toMatchObject({ code: 'approval_required' });
});

it.each<[string, string[], string]>([
  ['what changed', ['user: limits is new'], '         user: limits is new'],
  ['that nothing did but the file', [], '         the contents are equivalent'],
])('reload shows %s', (_, differences, line) => {
  const hashes = { before: 'a'.repeat(64), after: 'b'.repeat(64), seen: 'c'.repeat(64) };
  const lines = reloadLines({ ...hashes, files: ['/p.yaml'], differences });
  expect(lines).toEqual(['changed  /p.yaml', line, 'policy   aaaaaaaaaaaa -> bbbbbbbbbbbb']);
});
