import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect as so, test, vi } from 'vitest';
import type { PendingQuestion, HostClient } from '../../src/host/index.js';
import type { Desktop } from '../../src/index.js';
import { openDesktop } from './support/library.js';
import { SessionRoom } from './support/session-room.js';

// A program on a user desktop, under the user's policy. The screen was made for the test.

const policy = (text: string): void =>
  writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), `version: 1\n${text}`, { mode: 0o600 });

let room: SessionRoom;
const before = new Set(readdirSync(tmpdir()));
beforeAll(async () => {
  room = await SessionRoom.open();
  policy('');
  for (const [name, value] of Object.entries(room.env)) vi.stubEnv(name, value);
  await room.seat.launch('gnome-calculator');
  await room.seat.window(({ title }) => title === 'Calculator');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await room?.close();
  // What was on the screen at each failure is kept for people.
  const ours = readdirSync(tmpdir()).filter((name) => name.startsWith('deskproof-user-'));
  for (const name of ours.filter((name) => !before.has(name))) rmSync(join(tmpdir(), name), { recursive: true });
});

async function opened<T>(work: (desktop: Desktop) => Promise<T>): Promise<T> {
  const desktop = await openDesktop({ desktop: 'user', timeoutMs: 20_000 });
  try {
    return await work(desktop);
  } finally {
    await desktop.close();
  }
}

interface Refusal {
  code: string;
  delivered: string;
  message: string;
}
const refused = (work: Promise<unknown>): Promise<Refusal> =>
  work.then(
    (answer) => so.fail(`it was done: ${JSON.stringify(answer)}`),
    (error: Refusal) => error,
  );

async function asUser(work: (host: HostClient) => Promise<unknown>): Promise<void> {
  const host = await room.connect();
  try {
    await work(host);
  } finally {
    host.close();
  }
}

const click = (desktop: Desktop): Promise<unknown> => desktop.window('Calculator').locator('button:"7"').click();
const shown = (desktop: Desktop): Promise<string> =>
  desktop.window('Calculator').locator('role=textbox && focused=true').inputValue();

test('shows nothing to a program that may not read, and names the command that allows it', async () => {
  await opened(async (desktop) => {
    so(desktop.name).toBe('user');
    const works = [() => desktop.windows(), () => desktop.snapshot(), () => click(desktop), () => desktop.capture()];
    for (const work of works) {
      const { code, delivered, message } = await refused(work());
      so([code, delivered]).toEqual([so.stringMatching(/^(approval_required|policy_denied)$/), 'no']);
      so(message).not.toContain('gnome-calculator');
    }
    const { code, message } = await refused(desktop.windows());
    so(code).toBe('approval_required');
    so(message).toMatch(/^next: the user has to approve this session \(deskproof approvals\) or /m);
    // That is for commands alone.
    await asUser((host) => host.request('enable'));
    so((await refused(desktop.windows())).code).toBe('approval_required');
  });
});

test('the user enables one session, and no other', async () => {
  await asUser(async (host) => {
    const over = new AbortController();
    const request: PendingQuestion[] = [];
    const onItem = (item: unknown): void => void request.push(...(item as { open: PendingQuestion[] }).open);
    const attending = host.request('approvals', {}, { onItem, signal: over.signal }).catch(() => undefined);
    await opened(async (desktop) => {
      const windows = desktop.windows();
      await so.poll(() => request.length, { timeout: 60_000 }).toBeGreaterThan(0);
      const yes = { id: request[0]!.id, channel: 'terminal', scope: 'session' };
      // Who has read nothing yet has not answered.
      await so.poll(() => host.request('answer', yes), { timeout: 60_000 }).not.toEqual({ taken: 'too fast' });
      so((await windows).map(({ title }) => title)).toContain('Calculator');
    });
    over.abort();
    await attending;
  });
  await opened(async (desktop) => so((await refused(desktop.windows())).code).toBe('approval_required'));
});

test('asks before an act even if reads are allowed; closing leaves the desktop unchanged', async () => {
  policy('enabled: true\n');
  await asUser((host) => host.request('reload'));
  const ref = await opened(async (desktop) => {
    so(await shown(desktop)).toBe('');
    const { code, delivered, message } = await refused(click(desktop));
    so([code, delivered]).toEqual(['approval_required', 'no']);
    so(message).toMatch(/button "7" in w\d+ needs a person \(risk medium, rule guarded\/act-medium\)/);
    so(message).toMatch(/^next: tell the person to run: deskproof approvals/m);
    so(await shown(desktop)).toBe('');
    so(await refused(desktop.capture())).toMatchObject({ code: 'policy_denied', delivered: 'no' });
    so(await refused(desktop.launch('gnome-calculator'))).toMatchObject({ code: 'not_supported', delivered: 'no' });
    so(await desktop.audit.verify()).toMatchObject({ ok: true });
    return (await desktop.window('Calculator').info()).ref;
  });
  await opened(async (desktop) => so((await desktop.window('Calculator').info()).ref).toBe(ref));
});
