// @module-tag safety
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfirmedPolicy, ledgerPlaces, readLog } from '../../audit/index.js';
import type { Authorizer } from '../../runtime/index.js';
import { withEffects } from '../../../tests/scenes/calls.js';
import { openGovernance, type LoadedGovernance } from './load-governance.js';
import { PolicyConfirmation, policyFindings } from './policy-confirmation.js';

const STRICT = 'version: 1\nwindows: { block: ["*Diary*"] }\n';
const TIGHTER =
  'version: 1\nwindows: { block: ["*Diary*"] }\nrules: [{ name: no, when: { name: OK }, decision: deny }]\n';
const LOOSER = 'version: 1\nlimits: { actsPerMinute: 9000 }\n';

let root: string;
let open: LoadedGovernance[] = [];
const policyFile = (): string => join(root, 'config', 'deskproof', 'policy.yaml');
const state = (): string => join(root, 'state', 'deskproof', 'ledger');
const records = (): string[] => readdirSync(state()).filter((name) => name.startsWith('policy-'));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-confirm-'));
  mkdirSync(join(root, 'config', 'deskproof'), { recursive: true });
  for (const kind of ['CONFIG', 'STATE', 'DATA']) vi.stubEnv(`XDG_${kind}_HOME`, join(root, kind.toLowerCase()));
});
afterEach(async () => {
  for (const one of open) await one.close();
  open = [];
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

/** The start of a host with this policy of the user; `undefined`: there is no file. */
async function start(
  policy: string | undefined,
  more: { key?: string; given?: string; own?: boolean } = {},
): Promise<LoadedGovernance> {
  if (policy === undefined) rmSync(policyFile(), { force: true });
  else writeFileSync(policyFile(), policy);
  for (const one of open.splice(0)) await one.close();
  const { key = 'work', given, own = false } = more;
  const directory = join(root, key);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const options = { base: root, key, desktop: { kind: 'fake' as const }, endWithParent: own };
  const started = await openGovernance({ ...options, ...(given !== undefined && { policyFile: given }) }, directory);
  open.push(started);
  return started;
}

const reload = (governance: LoadedGovernance): Promise<unknown> =>
  governance.reload({ replace: () => undefined } as unknown as Authorizer, 'terminal');

const target = { app: '/usr/bin/calc', appName: 'calc', window: 'Notes', role: 'button', name: 'OK' };
const decided = (
  governance: LoadedGovernance,
  tool: string,
  kind: 'read' | 'capture' | 'act' | 'raw',
  window?: string,
) =>
  governance.policy.decide(
    withEffects({
      ...{ tool, class: kind, caller: 'mcp', desktop: 'virtual', args: {}, keys: [] },
      target: { ...target, ...(window !== undefined && { window }) },
    }),
  );
const answers = (governance: LoadedGovernance): string[] => [
  decided(governance, 'ui_read', 'read').answer,
  decided(governance, 'ui_capture', 'capture').answer,
  decided(governance, 'ui_click', 'act').answer,
  decided(governance, 'ui_click_xy', 'raw').answer,
];
const FREE = ['allow', 'allow', 'allow', 'allow'];
const READS_ONLY = ['allow', 'deny', 'deny', 'deny'];

describe('a policy at the start', () => {
  it('the first one is recorded and in force', async () => {
    const first = await start(STRICT);
    expect([first.unconfirmed(), answers(first)]).toEqual([undefined, FREE]);
    expect(records()).toHaveLength(1);
    expect((await start(STRICT)).unconfirmed()).toBeUndefined();
  });

  it('a looser one serves only reads until the user confirms it, on every desktop', async () => {
    await start(STRICT);
    const waiting = await start(LOOSER);
    expect(answers(waiting)).toEqual(READS_ONLY);
    expect(decided(waiting, 'ui_click', 'act')).toMatchObject({
      rule: 'policy/not-confirmed',
      reason: 'the policy changed since the user last confirmed it, so only reads are served',
      hint: 'Ask the user to review the change, and then to run: deskproof policy reload',
    });
    expect(answers(await start(LOOSER, { key: 'other' }))).toEqual(READS_ONLY);
    expect(answers(await start(LOOSER, { key: 'temporary', own: true }))).toEqual(READS_ONLY);
    const again = await start(LOOSER);
    expect(again.preview().differences.join('\n')).toMatch(/user: windows was removed\n.*Diary[^]*actsPerMinute.*9000/);
    await reload(again);
    expect(again.unconfirmed()).toBeUndefined();
    expect(answers(await start(LOOSER, { key: 'other' }))).toEqual(FREE);
  });

  it('reads follow the confirmed policy as well', async () => {
    await start(STRICT);
    const waiting = await start(LOOSER);
    expect(decided(waiting, 'ui_read', 'read', 'My Diary').answer).toBe('deny');
    expect(waiting.policy.windows?.blocks('My Diary')).toBe(true);
  });

  it('reads follow the changed policy as well, and hidden windows stay hidden by both', async () => {
    await start(STRICT);
    const { policy } = await start('version: 1\nlimits: { actsPerMinute: 9000 }\nwindows: { block: ["*Money*"] }\n');
    const titled = (title: string) => policy.windows!.hidden({ title, appName: 'calc', program: '/usr/bin/calc' });
    expect(['My Diary', 'My Money', 'Notes'].map((title) => titled(title) !== undefined)).toEqual([true, true, false]);
    expect(decided(open[0]!, 'ui_read', 'read', 'My Money').answer).toBe('deny');
    expect(decided(open[0]!, 'ui_read', 'read', 'Notes').answer).toBe('allow');
  });

  it('an act that the policy denies is refused by its own rule', async () => {
    await start(STRICT);
    const waiting = await start(LOOSER);
    expect(decided(waiting, 'ui_click', 'act', 'My Diary').rule).not.toBe('policy/not-confirmed');
  });

  it('tools stay offered: only a question without arguments and target is one about offering', async () => {
    await start(STRICT);
    const { policy } = await start(LOOSER);
    const about = { tool: 'ui_click', class: 'act', caller: 'mcp', desktop: 'virtual', keys: [] } as const;
    const asked = (more: object): string => policy.decide(withEffects({ ...about, ...more })).answer;
    expect([asked({}), asked({ args: {} }), asked({ target })]).toEqual(['allow', 'deny', 'deny']);
  });

  it('a start with a policy that was named leaves the first start of the own one free', async () => {
    const given = join(root, 'given.yaml');
    writeFileSync(given, LOOSER);
    await start(STRICT, { given });
    await open[0]!.ledger.note({ kind: 'stop', by: 'terminal' });
    expect((await start(STRICT)).unconfirmed()).toBeUndefined();
  });

  it('a screenshot in a read is a capture', async () => {
    await start(STRICT);
    const { policy } = await start(LOOSER);
    const request = {
      tool: 'ui_snapshot',
      class: 'read',
      caller: 'mcp',
      desktop: 'virtual',
      args: {},
      target,
    } as const;
    expect(policy.decide(withEffects({ ...request, pixels: true })).answer).toBe('deny');
  });

  it('a tighter one is in force and recorded', async () => {
    await start(STRICT);
    expect((await start(TIGHTER)).unconfirmed()).toBeUndefined();
    expect((await start(STRICT)).unconfirmed()).toBeDefined();
  });

  it('a file that is gone, or new, is a difference', async () => {
    await start(STRICT);
    expect((await start(undefined)).unconfirmed()).toBeDefined();
    await reload(open[0]!);
    expect((await start(LOOSER)).unconfirmed()).toBeDefined();
  });

  it('a policy that was named for a private desktop needs no confirmation', async () => {
    await start(STRICT);
    const given = join(root, 'given.yaml');
    writeFileSync(given, LOOSER);
    expect((await start(STRICT, { given })).unconfirmed()).toBeUndefined();
    expect(answers(open[0]!)).toEqual(FREE);
  });

  it('the log has a record of each', async () => {
    await start(STRICT);
    await start(STRICT);
    const { places } = await start(LOOSER);
    await reload(open[0]!);
    const written = [...readLog(places.logs)].flatMap(({ record }) => (record?.kind === 'policy' ? [record] : []));
    expect(written.map(({ event, by }) => [event, by])).toEqual([
      ['loaded', 'first start'],
      ['loaded', 'no change'],
      ['loaded', 'not confirmed'],
      ['reloaded', 'terminal'],
    ]);
  });

  it('doctor finds it before a host starts', async () => {
    expect(policyFindings(process.env)).toEqual([]);
    await start(STRICT);
    writeFileSync(policyFile(), LOOSER);
    expect(policyFindings(process.env)).toMatchObject([{ level: 'warn', fix: 'deskproof policy reload' }]);
    writeFileSync(policyFile(), TIGHTER);
    expect(policyFindings(process.env)).toEqual([]);
    writeFileSync(policyFile(), 'version: 2');
    expect(policyFindings(process.env)).toMatchObject([{ level: 'fail' }]);
  });
});

describe('a record that cannot be written', () => {
  const begin = (actsPerMinute: number): PolicyConfirmation =>
    PolicyConfirmation.start(policyFile(), { user: { version: 1, limits: { actsPerMinute } } }, ledgerPlaces('work'));
  const fail = (): unknown =>
    vi.spyOn(ConfirmedPolicy.prototype, 'write').mockImplementation(() => {
      throw new Error('no space');
    });
  afterEach(() => void vi.restoreAllMocks());

  it('the first start needs no record', () => {
    fail();
    const started = begin(9);
    expect([started.by, started.unconfirmed, started.differences({})]).toEqual(['first start', undefined, []]);
  });

  it('a tighter policy is not in force without one, since the next start would compare with the looser one', () => {
    expect(begin(9).by).toBe('first start');
    fail();
    expect(() => begin(8)).toThrow('no space');
    expect(begin(9).by).toBe('no change');
  });
});

it('the record of one policy file stays valid when that of another one is written', async () => {
  await start(STRICT);
  new ConfirmedPolicy(state(), join(root, 'other.yaml')).write({});
  expect((await start(STRICT)).unconfirmed()).toBeUndefined();
});

it('a key that others can read signs nothing', async () => {
  await start(STRICT);
  chmodSync(join(state(), 'policy.key'), 0o644);
  expect((await start(STRICT)).unconfirmed()).toBeDefined();
  await reload(open[0]!);
  expect((await start(STRICT)).unconfirmed()).toBeUndefined();
});

it('doctor does not take an error of its own for a fault in the policy', () => {
  vi.spyOn(ConfirmedPolicy.prototype, 'read').mockImplementation(() => {
    throw new TypeError('a bug');
  });
  try {
    expect(() => policyFindings(process.env)).toThrow(TypeError);
  } finally {
    vi.restoreAllMocks();
  }
});

describe('a record that cannot be trusted', () => {
  const record = (): string => join(state(), records()[0]!);

  it.each<[string, () => void]>([
    ['a changed content', () => writeFileSync(record(), readFileSync(record(), 'utf8').replace('Diary', 'Diarx'))],
    ['no JSON', () => writeFileSync(record(), '{')],
    ['a damaged key', () => writeFileSync(join(state(), 'policy.key'), 'none')],
    [
      'a record that was signed for another file',
      () => {
        const own = record();
        new ConfirmedPolicy(state(), join(root, 'other.yaml')).write({ user: { version: 1 } });
        const other = records().find((name) => join(state(), name) !== own)!;
        renameSync(join(state(), other), own);
      },
    ],
    ['another key', () => rmSync(join(state(), 'policy.key'))],
    [
      'a record of another file',
      () => writeFileSync(record(), readFileSync(record(), 'utf8').replace('policy.yaml', 'p.yaml')),
    ],
    [
      'a record with fields that this version does not know',
      () => new ConfirmedPolicy(state(), policyFile()).write({ team: {} }),
    ],
    [
      'a policy that this version cannot read',
      () => new ConfirmedPolicy(state(), policyFile()).write({ user: { version: 9 } }),
    ],
    ['no record, although the log shows a start', () => rmSync(record())],
  ])('%s: not confirmed', async (_, harm) => {
    await start(STRICT);
    harm();
    const waiting = await start(STRICT);
    expect(answers(waiting)).toEqual(READS_ONLY);
    expect(waiting.preview().differences.join()).toMatch(/record of the last confirmed policy is (damaged|gone)/);
    await reload(waiting);
    expect((await start(STRICT)).unconfirmed()).toBeUndefined();
  });
});

it('commands of a policy that the user did not confirm are not run', async () => {
  const [secret, anchored] = [join(root, 'secret-ran'), join(root, 'anchor-ran')];
  const touch = (path: string): string => JSON.stringify(['sh', '-c', `cat > /dev/null; touch ${path}; echo value`]);
  const policy = `version: 1
secrets: { pin: { command: ${touch(secret)}, into: { app: "/usr/bin/bank" } } }
audit: { anchor: { command: ${touch(anchored)}, required: true } }
`;
  await start(STRICT);
  const waiting = await start(policy);
  await expect(waiting.secrecy.store!.resolve('pin')).rejects.toThrow();
  await waiting.ledger.intent({ tool: 'ui_click', caller: 'cli', rule: 'x' });
  await waiting.ledger.checkpoint();
  for (const one of open.splice(0)) await one.close();
  expect([existsSync(secret), existsSync(anchored)]).toEqual([false, false]);
  const confirmed = await start(policy);
  await reload(confirmed);
  (await confirmed.secrecy.store!.resolve('pin')).wipe();
  await vi.waitFor(() => expect([existsSync(secret), existsSync(anchored)]).toEqual([true, true]), { timeout: 10_000 });
});
