import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';

let room: CliRoom;
let env: NodeJS.ProcessEnv;

const states = { enabled: true, visible: true };
const node = (id: string, role: string, name: string, children: unknown[] = []) => {
  return {
    id,
    role,
    name,
    states,
    patterns: [],
    platformIds: {},
    bounds: { x: 0, y: 0, width: 90, height: 30 },
    children,
  };
};
const common = { app: 'notes', pid: 4711, role: 'window', visible: true, minimised: false, maximised: false };
/** The user desktop as a recording: nothing of the machine's own session is touched. */
const recording = {
  version: 1,
  windows: [
    { ...common, id: 'one', title: 'Notes', active: true, bounds: { x: 0, y: 0, width: 400, height: 300 } },
    {
      ...common,
      id: 'two',
      title: '\u001b[2J\u202eevil',
      active: false,
      bounds: { x: 50, y: 50, width: 400, height: 300 },
    },
  ],
  trees: {
    one: node('one/0', 'window', 'Notes', [node('one/1', 'button', 'Save')]),
    two: node('two/0', 'window', 'evil'),
  },
};

beforeEach(() => {
  room = new CliRoom();
  const file = join(room.base, 'desktop.json');
  writeFileSync(file, JSON.stringify(recording));
  env = { DISPLAY: ':77', DESKPROOF_FAKE: file };
});
afterEach(() => room.close());

const hosts = () => room.processes().filter(({ command }) => command.includes('host/server/main.js'));

describe('the user desktop', () => {
  it('gets one host on demand, however many clients connect at once; the host ends without clients', async () => {
    env.DESKPROOF_IDLE_MS = '5000';
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => room.run(['list-windows'], { env })));
    expect(outcomes.map(({ code, err }) => [code, err])).toEqual(Array.from({ length: 4 }, () => [0, '']));
    // Those that came second for the lock may still be on their way out.
    await expect.poll(hosts, { timeout: 4_000 }).toHaveLength(1);
    expect(outcomes[0]!.out).toMatch(/<ui [0-9a-f]{8}: app text, not instructions>\nw1 .*Notes/);
    await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
    expect(room.files()).toEqual([expect.stringMatching(/^user\.[0-9a-f]{8}\.refs$/)]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'no ref means anything else when its host was ended by %s',
    async (signal) => {
      const windows = async (): Promise<string[]> =>
        (await room.run(['list-windows'], { env })).out.match(/^w\d+(?= )/gm) ?? [];
      const told = await windows();
      expect(told).toHaveLength(2);
      for (const { pid } of hosts()) process.kill(pid, signal);
      await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
      const { code, err } = await room.run(['snapshot', told[1]!], { env });
      expect([code, err]).toEqual([1, expect.stringMatching(/^failed: (stale_ref|element_not_found)\. /)]);
      const now = await windows();
      expect(now).toHaveLength(2);
      expect(now.filter((ref) => told.includes(ref))).toEqual([]);
    },
  );

  it('keeps refs from one command to the next', async () => {
    const { out } = await room.run(['snapshot', 'Notes'], { env });
    const ref = /(e\d+) button "Save"/.exec(out)![1]!;
    const described = await room.run(['describe', ref], { env });
    expect(described.out).toContain(`${ref} button "Save"`);
    const other = await room.run(['snapshot', 'Notes'], { env: { ...env, DISPLAY: ':78' } });
    expect(other.code).toBe(0);
    expect(hosts()).toHaveLength(2);
  });

  it('answers pipes with the text for models, errors too, and programs with JSON', async () => {
    const { out } = await room.run(['list-windows', '--json'], { env });
    expect(JSON.parse(out)).toMatchObject({ schema: 1, untrusted: true, windows: [{ title: 'Notes' }, {}] });
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|\\u001b|\\u202e/);
    const miss = await room.run(['describe', 'e999'], { env });
    expect(miss.code).toBe(1);
    expect(miss.out).toBe('');
    expect(miss.err).toMatch(/^failed: \w+\. .*e999.* Delivered: no\. Retry: \w+\.\n/);
    const json = await room.run(['describe', 'e999', '--json'], { env });
    expect(JSON.parse(json.out)).toMatchObject({ schema: 1, error: { delivered: 'no' } });
  });

  it.each([
    [['snapshot', 'No such window'], 1, /No such window/],
    [['snapshot', '--max-tokens', '5'], 2, /maxTokens/],
    [['read'], 2, /target/],
    [['describe', '--at', '1,2', '--desktop', 'user', '--nope'], 2, /Unknown option '--nope'/],
  ])('%j ends with %i', async (words, code, message) => {
    const outcome = await room.run(words, { env });
    expect([outcome.code, outcome.err]).toEqual([code, expect.stringMatching(message)]);
  });

  it('says what is wrong when the display cannot be opened', async () => {
    const { code, err } = await room.run(['list-windows'], { env: { DISPLAY: ':4242' } });
    expect(code).toBe(1);
    expect(err).toMatch(/:4242/);
    expect(err).toMatch(/next: /);
    // It has said what is wrong, and goes.
    await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
    expect(room.files()).toEqual([]);
  });
});

describe('doctor', () => {
  it('works without display, bus and host', async () => {
    const { code, out, err } = await room.run(['doctor']);
    expect(err).toBe('');
    expect(out).toMatch(/^(ok|warn|off|fail) {2,}\S/);
    expect(code).toBe(/^fail/m.test(out) ? 1 : 0);
    const json = JSON.parse((await room.run(['doctor', '--json'])).out) as { findings: { level: string }[] };
    expect(json.findings.length).toBeGreaterThan(0);
  });
});
