import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PendingQuestion } from '../../src/host/index.js';
import { SessionRoom } from './support/session-room.js';

// The user desktop, which was made for the test: apps that are started there, and its end.

let room: SessionRoom;
beforeEach(async () => {
  room = await SessionRoom.open();
});
afterEach(() => room.close());

const policy = (text: string): void =>
  writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), `version: 1\n${text}`, { mode: 0o600 });
const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const hosts = () => room.processes().filter(({ command }) => command.includes('host/server/main.js'));

/** Approves the question and returns it. */
async function saidYes(work: () => Promise<unknown>): Promise<PendingQuestion[]> {
  const user = await room.connect();
  const request: PendingQuestion[] = [];
  const over = new AbortController();
  const onItem = (item: unknown): void => void request.push(...(item as { open: PendingQuestion[] }).open);
  const attending = user.request('approvals', {}, { onItem, signal: over.signal }).catch(() => undefined);
  try {
    const working = work();
    await expect.poll(() => request.length, { timeout: 60_000 }).toBeGreaterThan(0);
    const yes = { id: request[0]!.id, channel: 'terminal', scope: 'once' };
    // Who has read nothing yet has not answered.
    await expect.poll(() => user.request('answer', yes), { timeout: 60_000 }).not.toEqual({ taken: 'too fast' });
    await working;
  } finally {
    over.abort();
    await attending;
    user.close();
  }
  return [...new Map(request.map((one) => [one.id, one])).values()];
}

it(
  'an app starts after the user approved it, exposes its tree, and stays when the host has ended',
  { tags: 'safety' },
  async () => {
    policy('enabled: true\n');
    const host = await room.startHost();
    let answer = { out: '', err: '', code: null as number | null };
    const request = await saidYes(async () => {
      answer = await room.run(['launch', 'mousepad', '--json']);
    });
    expect([answer.code, answer.err]).toEqual([0, '']);
    expect(request).toHaveLength(1);
    expect(JSON.stringify(request[0])).toContain('/usr/bin/mousepad');

    const { windows } = JSON.parse((await room.run(['list-windows', '--json'])).out) as {
      windows: { title: string; pid: number }[];
    };
    const { pid } = windows.find(({ title }) => title.includes('Mousepad'))!;
    expect(readlinkSync(`/proc/${pid}/exe`)).toBe('/usr/bin/mousepad');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('DESKPROOF_');
    expect((await room.run(['snapshot', 'Mousepad'])).out).toMatch(/textbox/);

    process.kill(host, 'SIGTERM');
    await expect.poll(() => isThere(host), { timeout: 30_000 }).toBe(false);
    expect(isThere(pid)).toBe(true);
  },
);

it('the policy knows the program by its path, whatever it is called', { tags: 'safety' }, async () => {
  policy(`enabled: true
rules:
  - name: no-editor
    when: { app: /usr/bin/mousepad }
    decision: deny
`);
  await room.startHost();
  const refused = await room.run(['launch', 'mousepad']);
  expect([refused.code, refused.err]).toEqual([3, expect.stringMatching(/policy_denied.*no-editor/s)]);
});

it('its host ends with the display, and no leftover host asks the user', async () => {
  await room.startHost();
  expect(hosts()).toHaveLength(1);
  await room.seat.stop();
  await expect.poll(hosts, { timeout: 30_000 }).toEqual([]);
});
