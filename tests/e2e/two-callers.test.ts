// @module-tag safety

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Desktops, type HostClient, type PendingQuestion } from '../../src/host/index.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { CliRoom } from './cli-room.js';
import { Caller, HttpDoor, RawCaller } from './support/mcp-callers.js';
import { OwnProgram } from './support/own-program.js';
import { UserTerminal } from './support/user-terminal.js';
import { until } from './support/seat-room.js';

// Real MCP servers, one over stdio and one over HTTP, on one private desktop. The apps' diaries are the witnesses.

const POLICY = `version: 1
limits: { actsPerMinute: 100000, launchesPerMinute: 1000 }
approvals: { seconds: 120 }
rules:
  - name: ask-accounts
    when: { app: "*/accounts", name: Archive }
    decision: ask
  - name: else
    when: { class: [act, raw], risk: [low, medium, high, prohibited] }
    decision: allow
`;
const ARCHIVE = { target: 'button:Archive', window: 'Accounts' };
const READING_MS = 900;
/** The buttons show no effect: the diary has it. */
const DONE = /^(ok|no change|unconfirmed): click/;
const YES = { action: 'accept' as const, content: { answer: 'once' } };

let room: CliRoom;
let host: HostClient;
let door: HttpDoor;
let terminal: UserTerminal;
const apps: Record<string, FixtureApp> = {};

beforeAll(async () => {
  room = new CliRoom();
  mkdirSync(join(room.base, '.config/deskproof'), { recursive: true, mode: 0o700 });
  writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), POLICY, { mode: 0o600 });
  await room.ok('desktop', 'start', '--name', 'work', '--size', '1600x1000');
  host = await new Desktops('test', room.env).connectPrivate('work');
  const { env } = await host.request<{ env: Record<string, string> }>('info');
  const start = async (program: string, file: string, ...args: string[]): Promise<void> => {
    apps[program] = await OwnProgram.in(room.base, program).start(file, env, ...args);
  };
  await start('accounts', 'governed.py', 'Accounts');
  await start('depot', 'governed.py', 'Stock');
  await start('qt-depot', 'qt.py');
  // Programs whose names mark them as places where a user may answer.
  await start('xterm', 'governed.py', 'Shell');
  await start('firefox', 'governed.py', 'News');
  await start('editor', 'governed.py', 'Project');
  await apps.editor!.command('embed');
  await apps.depot!.command('beside Deskproof approvals|red|Allow|1100|500');
  await apps.accounts!.command('beside Letters|green|Send|1100|100');
  door = await HttpDoor.open(room, 'work');
  terminal = UserTerminal.open(room);
  terminal.press('deskproof approvals --desktop work', 'Enter');
  await shown(/Approval requests of desktop work appear here/);
});
afterAll(async () => {
  terminal?.end();
  for (const app of Object.values(apps)) await app.end();
  host?.close();
  await room?.close();
});

const shown = (what: RegExp) => until(`${what} in the terminal`, () => what.test(terminal.screen()));
const questions = async (): Promise<PendingQuestion[]> =>
  (await host.request<{ open: PendingQuestion[] }>('questions')).open;
const sayNo = async (): Promise<void> => {
  for (const { id } of await questions()) await host.request('answer', { id, reason: 'no' });
};
/** What only a caller could have made the apps do. */
const effects = (): string[] =>
  Object.entries(apps).flatMap(([name, { diary }]) =>
    diary
      .filter((line) => ['clicked', 'toggled', 'key', 'text', 'selected', 'closed'].some((fact) => fact in line))
      .map((line) => `${name} ${JSON.stringify(line)}`),
  );
async function asked(count = 1): Promise<PendingQuestion[]> {
  await until('it to be asked', async () => (await questions()).length === count);
  return questions();
}

describe('while the user is asked about an act of one caller', () => {
  let a: Caller;
  let b: Caller;
  let done: Promise<string>;
  let before: string[];
  beforeAll(async () => {
    a = await Caller.stdio(room, 'work');
    b = await door.enter();
    expect(await b.call('ui_window', { window: 'Stock', action: 'front' })).toMatch(/^ok: front/);
    done = a.call('ui_click', ARCHIVE);
    await asked();
    await shown(/what +click e\d+ button "Archive"[^]*> *\n/);
    before = effects();
  });
  afterAll(async () => {
    await a.client.close();
    await b.leave();
  });
  const where = async (window: string, name: string): Promise<object> => {
    const from = apps[name]!.diary.length;
    await apps[name]!.command(`where ${window}`);
    const { where: at } = await apps[name]!.wait('the point', (line) => 'where' in line, from);
    const [x, y] = at as [number, number];
    return { x, y };
  };

  it.each<[string, string, object]>([
    ['by mouse', 'ui_click', { target: 'button:Archive', window: 'Stock', method: 'input' }],
    ['by mouse in Qt', 'ui_click', { target: 'button:Save', window: 'Plain fixture', method: 'input' }],
    ['with a key', 'ui_key', { keys: 'y', window: 'Stock' }],
    ['with a key to the focus', 'ui_key', { keys: 'Enter' }],
    ['with text', 'ui_type', { text: 'y\n', target: 'textbox:Name', window: 'Plain fixture', method: 'input' }],
    ['with a drag', 'ui_drag', { from: 'button:Archive', to: 'checkbox:Keep', window: 'Stock' }],
    ['on a window', 'ui_window', { window: 'Shell', action: 'focus' }],
    ['on the clipboard', 'ui_clipboard', { action: 'write', text: 'y' }],
    ['that starts a program', 'ui_launch', { command: 'gnome-calculator' }],
    ['by pattern in a terminal', 'ui_click', { target: 'button:Archive', window: 'Shell', method: 'pattern' }],
    ['by pattern in an app with a terminal', 'ui_click', { target: 'button:Archive', window: 'Project' }],
    ['by pattern in a browser', 'ui_click', { target: 'button:Archive', window: 'News', method: 'pattern' }],
    [
      'by pattern in the window in question',
      'ui_act',
      { action: 'check', target: 'checkbox:Keep', window: 'Accounts' },
    ],
    ['by pattern in another window of that app', 'ui_click', { target: 'button:Send', window: 'Letters' }],
  ])('an act of another caller %s waits', async (_, tool, args) => {
    const text = await b.call(tool, { ...args, timeoutMs: 700 });
    expect(text).toMatch(/^failed: timeout\. The user was asked about another act the whole time/);
    expect(effects()).toEqual(before);
    expect(await questions()).toHaveLength(1);
  });

  it('a point on the screen waits, also over our own window', async () => {
    for (const at of [await where('Letters', 'accounts'), await where('Deskproof approvals', 'depot')])
      expect(await b.call('ui_click_xy', { ...at, timeoutMs: 700 })).toMatch(/^failed: (timeout|policy_denied)\./);
    expect(effects()).toEqual(before);
    expect(await questions()).toHaveLength(1);
  });

  it('our own window does not exist for another caller', async () => {
    expect(await b.call('ui_list_windows', {})).not.toContain('Deskproof approvals');
    const text = await b.call('ui_click', { target: 'button:Allow', window: 'Deskproof approvals', timeoutMs: 700 });
    expect(text).toMatch(/^failed: element_not_found\./);
    expect(effects()).toEqual(before);
  });

  it('an act by pattern goes on in other apps, in GTK and in Qt', async () => {
    const gtk = { target: 'button:Archive', window: 'Stock' };
    expect(await b.call('ui_click', gtk)).toMatch(DONE);
    expect(await b.call('ui_click', { target: 'button:Save', window: 'Plain fixture' })).toMatch(DONE);
    expect(effects().filter((line) => !before.includes(line))).toEqual([
      'depot {"clicked":"Archive","group":"Copies"}',
      'qt-depot {"clicked":"Save"}',
    ]);
    before = effects();
  });

  it('another caller cannot answer with the ids of its question', async () => {
    const { sessionId } = b.client.transport as StreamableHTTPClientTransport;
    const [{ id, session }] = (await questions()) as [PendingQuestion];
    // Number of the request in A's own session, the id of the question, and A's session as the way in.
    for (const guess of [...Array(20).keys(), id])
      expect(await door.post(sessionId!, { id: guess, result: YES })).toBe(202);
    expect(await door.post(session.replace('mcp:', ''), { id: 0, result: YES })).toBe(404);
    const raw = new RawCaller(room, 'work');
    raw.initialize(900);
    for (const guess of [...Array(20).keys(), id]) raw.say({ id: guess, result: YES });
    raw.say({ id: 901, method: 'ping' });
    await raw.answerTo(901);
    raw.end();
    expect(await questions()).toMatchObject([{ id }]);
    expect(effects()).toEqual(before);
  });

  it('the act is done after the yes of its own user, and the acts that wait after it', async () => {
    const waiting = b.call('ui_click', { target: 'button:Archive', window: 'Stock', method: 'input' });
    await pause(READING_MS);
    a.forms.shift()!(YES);
    expect(await done).toMatch(DONE);
    expect(await waiting).toMatch(DONE);
    expect(effects().filter((line) => !before.includes(line))).toEqual([
      'accounts {"clicked":"Archive","group":"Copies"}',
    ]);
    expect(apps.depot!.diary.filter(({ clicked }) => clicked === 'Archive')).toHaveLength(2);
    expect(await room.ok('audit', 'show', '--desktop', 'work')).not.toMatch(/already closed/);
  });
});

describe('a caller that is not answered', () => {
  afterEach(sayNo);

  /** The user answers a request of this caller. That also ends the pause of the desktop. */
  async function isAnswered(caller: Pick<Caller, 'call'>): Promise<void> {
    const answered = caller.call('ui_click', ARCHIVE);
    await asked();
    await sayNo();
    expect(await answered).toMatch(/^failed: approval_denied\./);
  }

  it('has one open question, and waits after two that it withdrew', async () => {
    const known = await door.enter();
    await isAnswered(known);
    const a = await Caller.stdio(room, 'work');
    for (let turn = 0; turn < 2; turn++) {
      const leave = new AbortController();
      const first = a.call('ui_click', ARCHIVE, leave.signal).catch(() => 'cancelled');
      const [{ id }] = (await asked()) as [PendingQuestion];
      expect(await a.call('ui_click', { ...ARCHIVE, timeoutMs: 500 })).toMatch(/^failed: timeout\. The user was asked/);
      expect(await questions()).toMatchObject([{ id }]);
      leave.abort();
      expect(await first).toBe('cancelled');
      await asked(0);
    }
    expect(await a.call('ui_click', ARCHIVE)).toMatch(/^failed: rate_limited\. The user did not answer this caller's/);
    expect(await questions()).toEqual([]);
    await a.client.close();
    await isAnswered(known);
    await known.leave();
  });

  it('does not get around the pause with new sessions', async () => {
    const known = await door.enter();
    await isAnswered(known);
    for (let turn = 0; turn < 2; turn++) {
      const again = await door.enter();
      void again.call('ui_click', ARCHIVE).catch(() => 'left');
      await asked();
      await again.leave();
      await asked(0);
    }
    const third = await door.enter();
    expect(await third.call('ui_click', ARCHIVE)).toMatch(/^failed: rate_limited\. The user did not answer/);
    // One whose requests the user answers is not affected.
    await isAnswered(known);
    await known.leave();
    await third.leave();
  });
});

describe('a hostile client', () => {
  afterEach(sayNo);
  let raw: RawCaller;
  let clicks: number;
  const archived = (): number => apps.accounts!.diary.filter(({ clicked }) => clicked === 'Archive').length;
  beforeAll(() => {
    raw = new RawCaller(room, 'work');
    clicks = archived();
  });
  afterAll(() => raw.end());

  it('gets nothing by a call before initialize', async () => {
    // In the terminal the user can still be asked, but not by a form that the client never declared.
    raw.call(1, 'ui_click', ARCHIVE);
    await asked();
    expect(raw.elicitations).toEqual([]);
    raw.say({ id: 0, result: YES });
    await sayNo();
    expect(await raw.textOf(1)).toMatch(/^failed: approval_denied\./);
    expect(archived()).toBe(clicks);
  });

  it('gets nothing by answers before the question, at once, twice and with other ids', async () => {
    raw.initialize(2);
    await raw.answerTo(2);
    for (let id = 0; id < 50; id++) raw.say({ id, result: YES });
    raw.onMessage = ({ id, method }) => {
      if (method !== 'elicitation/create') return;
      for (const one of [id, id, Number(id) + 1, String(id)]) raw.say({ id: one, result: YES });
    };
    raw.call(3, 'ui_click', ARCHIVE);
    const [{ id }] = (await asked()) as [PendingQuestion];
    await until('the form', () => raw.elicitations.length === 1);
    raw.say({ id: 4, method: 'ping' });
    await raw.answerTo(4);
    expect(await questions()).toMatchObject([{ id }]);
    // The form is closed for this question, so a patient second answer comes too late.
    await pause(READING_MS);
    raw.say({ id: raw.elicitations[0]!.id, result: YES });
    raw.say({ id: 5, method: 'ping' });
    await raw.answerTo(5);
    expect(await questions()).toMatchObject([{ id }]);
    await sayNo();
    expect(await raw.textOf(3)).toMatch(/^failed: approval_denied\./);
    expect(archived()).toBe(clicks);
  });

  it('does not keep others from working by a flood of requests, and asks once', async () => {
    const b = await door.enter();
    for (let id = 100; id < 400; id++) raw.call(id, 'ui_click', { ...ARCHIVE, timeoutMs: 2_000 });
    for (let id = 400; id < 420; id++)
      raw.say({ id, method: 'tools/call', params: { name: 'ui_click', arguments: [] } });
    await asked();
    expect(await b.call('ui_click', { target: 'button:Save', window: 'Plain fixture' })).toMatch(DONE);
    const refused = await raw.textOf(399);
    expect(refused).toMatch(/^failed: rate_limited\. This client already has 16 calls in progress/);
    expect((await raw.answerTo(410)).error?.code).toBe(-32_602);
    expect(await questions()).toHaveLength(1);
    for (let id = 100; id < 400; id++) raw.say({ method: 'notifications/cancelled', params: { requestId: id } });
    await asked(0);
    expect(archived()).toBe(clicks);
    await b.leave();
  });

  it('leaves a log that is intact', async () => {
    expect((await room.run(['audit', 'verify', '--desktop', 'work'])).code).toBe(0);
  });
});
