import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WindowInfo } from '../../src/tree/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { freeze } from '../conformance/freeze.js';
import { HostRoom } from './support/host-room.js';
import { PageServer } from './support/page-server.js';
import { elements } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

let room: HostRoom;
let page: PageServer;
/** An app that is never harmed: it must be readable all the time. */
let bystander: FixtureApp;

const BYSTANDER = 'Plain bystander';
/** More apps are opened here in a minute than any user opens. */
const UNHURRIED = 'version: 1\nlimits: { launchesPerMinute: 1000 }\n';

beforeAll(async () => {
  [room, page] = await Promise.all([HostRoom.open({}, '1280x900', UNHURRIED), PageServer.start('page.html')]);
  bystander = await FixtureApp.start('gtk3.py', room.seatEnv, ['--bystander']);
  await room.snapshotUntil('the bystander', (snapshot) => elements(snapshot, 'button', 'Hello').length === 1, {
    window: BYSTANDER,
  });
});
afterAll(async () => {
  await bystander?.end();
  await room?.close();
  await page?.stop();
});

async function opened(title: string): Promise<WindowInfo> {
  await room.snapshotUntil(title, (snapshot) => snapshot.count > 4, { window: title });
  return (await room.windows()).find((window) => window.title.includes(title))!;
}

async function expectOthersAnswer(hung: WindowInfo): Promise<void> {
  const titles = (await room.windows()).map((window) => window.title);
  expect(titles).toEqual(expect.arrayContaining([BYSTANDER, hung.title]));
  expect(elements(await room.snapshot({ window: BYSTANDER }), 'button', 'Hello')).toHaveLength(1);
}

interface Victim {
  title: string;
  start: () => Promise<unknown>;
}

const VICTIMS: [string, Victim][] = [
  ['mousepad', { title: 'Mousepad', start: () => room.launch('mousepad') }],
  ['a GTK 4 app', { title: 'Recycled rows', start: () => FixtureApp.start('rows.py', room.seatEnv) }],
  ['Chromium', { title: 'Orders', start: () => room.launch('chromium', page.url) }],
];

describe.each(VICTIMS)('%s that is stopped', (_, { title, start }) => {
  let window: WindowInfo;
  beforeAll(async () => {
    await start();
    window = await opened(title);
  });
  afterAll(() => process.kill(window.pid!, 'SIGKILL'));

  it('is reported as hung, others are read meanwhile, and it is read again when it continues', async () => {
    const before = await room.snapshot({ window: window.ref });
    await freeze(window.pid!);
    try {
      const request = [{ window: window.ref }, { target: before.roots[0]!.children[0]!.ref }];
      const stuck = request.map((args) => room.call('ui_snapshot', args));
      await expectOthersAnswer(window);
      // A slower answer would be `timeout`: the call's own limit is 5 s.
      for (const { failed } of await Promise.all(stuck)) expect(failed?.code).toBe('app_hung');
      const keys = await room.call('ui_key', { keys: 'a', window: window.ref });
      expect(keys.failed).toMatchObject({ code: 'app_hung', delivered: 'no' });
      const list = await room.ok('list-windows');
      expect(list).toMatch(new RegExp(`^${window.ref} .*not responding`, 'm'));

      const { code, out, err } = await room.run(['snapshot', '--window', window.ref]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(
        new RegExp(`^failed: app_hung\\. [\\w.-]+ \\(${window.ref}\\) .*Delivered: no\\. Retry: after it`),
      );
      expect(err).toMatch(/^next: wait, then run ui_snapshot again\. Other windows can still be read\.$/m);

      const every = await room.ok('snapshot', '--window', '*');
      expect(every).toMatch(new RegExp(`^snapshot s\\d+ of .*complete: no, .*${window.ref} does not answer`));
      expect(every).toMatch(/button "Hello"/);
      expect(every).toMatch(new RegExp(`^${window.ref} window ".*not responding`, 'm'));
    } finally {
      process.kill(window.pid!, 'SIGCONT');
    }
    const after = await room.snapshotUntil(`${title} again`, (snapshot) => snapshot.count > 4, { window: window.ref });
    const refs = (snapshot: typeof after) => snapshot.roots[0]!.children.map((child) => child.ref);
    expect(refs(after)).toEqual(refs(before));
  });
});

describe('an app that is busy', () => {
  it('is reported as hung while its process runs, and no call waits for it', async () => {
    const app = await FixtureApp.start('rows.py', room.seatEnv);
    try {
      const window = await opened('Recycled rows');
      const wake = join(room.base, 'wake');
      const slept = app.command(`sleep-until ${wake}`);
      await app.wait('it to sleep', (line) => line.sleeping === true, 0);
      // With full: unchanged windows are answered from the cache without a query.
      const stuck = room.call('ui_snapshot', { window: window.ref, full: true });
      await expectOthersAnswer(window);
      const { text } = await stuck;
      expect(text).toMatch(
        /^failed: app_hung\. rows \(w\d+\) did not answer for \d+ ms\. Delivered: no\. Retry: after it answers/,
      );
      writeFileSync(wake, '');
      await slept;
      await room.snapshotUntil('it again', (snapshot) => elements(snapshot, 'button').length > 4, {
        window: window.ref,
      });
    } finally {
      await app.end();
    }
  });
});

describe('an app that dies in the middle of 30 reads', () => {
  const killers: [string, (pid: number, reads: Promise<unknown>[]) => Promise<void>][] = [
    ['at once', async (pid) => void process.kill(pid, 'SIGKILL')],
    ['after the first answer', async (pid, reads) => void (await Promise.race(reads), process.kill(pid, 'SIGKILL'))],
  ];
  it.each(killers)('%s: each read is complete or marked as incomplete, and the host survives', async (_, kill) => {
    const host = room.hostPid;
    await room.launch('mousepad');
    const window = await opened('Mousepad');
    const whole = (await room.snapshot({ window: window.ref })).count;
    const reads = Array.from({ length: 30 }, (_, i) =>
      i % 3 === 0 ? room.call('ui_describe', { target: 'focused' }) : room.call('ui_snapshot', { window: window.ref }),
    );
    await kill(window.pid!, reads);
    for (const { failed, json } of await Promise.all(reads)) {
      if (failed) expect(['process_gone', 'element_not_found']).toContain(failed.code);
      else if ((json as { count?: number }).count !== undefined) expect(json).toMatchObject({ count: whole });
    }
    const gone = await until('the window to be gone', async () => {
      const { failed } = await room.call('ui_snapshot', { window: window.ref });
      return failed;
    });
    expect(['process_gone', 'element_not_found']).toContain(gone.code);
    expect(elements(await room.snapshot({ window: BYSTANDER }), 'button', 'Hello')).toHaveLength(1);
    expect(room.hostPid).toBe(host);
  });
});

const CYCLES = process.env.SOAK ? 200 : 12;
// Until the engine's own heap has found its size.
const WARM_UP = CYCLES / 4;
const GROWTH_MB = 48;

describe('opening and closing an app many times', () => {
  const files = (): number => readdirSync(`/proc/${room.hostPid}/fd`).length;
  const residentMb = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${room.hostPid}/status`, 'utf8'))![1]) / 1024;
  /** Zombies are not in the list of processes; a host that does not wait for its children would gather them. */
  const zombies = (): string[] =>
    readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      return new RegExp(`^\\d+ \\(.*\\) Z ${room.hostPid} `, 's').test(statOf(pid));
    });

  it(`leaks neither memory nor files nor processes in ${CYCLES} cycles`, async () => {
    for (let n = 0; n < WARM_UP; n++) await cycle(n);
    const before = { files: files(), processes: room.processes().length, mb: residentMb() };
    for (let n = 0; n < CYCLES; n++) await cycle(n);
    await until('as many files as before', () => files() <= before.files);
    await until('as many processes as before', () => room.processes().length <= before.processes);
    expect(zombies()).toEqual([]);
    expect(residentMb() - before.mb).toBeLessThan(GROWTH_MB);
  });

  /** Opened, read, and closed as a user does it or by force. */
  async function cycle(n: number): Promise<void> {
    const { window } = await room.launch('mousepad');
    await room.snapshotUntil('mousepad', (snapshot) => snapshot.count > 4 && snapshot.windows[0]!.active, {
      window: window.ref,
    });
    if (n % 2 === 0) await ask('xdotool', ['key', 'ctrl+q'], room.seatEnv);
    else process.kill(window.pid!, 'SIGKILL');
    await until('mousepad to be gone', async () => !(await room.windows()).some((one) => one.ref === window.ref));
    await until(
      'its process to end',
      () => statOf(String(window.pid)) === '' || / Z /.test(statOf(String(window.pid))),
    );
  }
});

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // Ended: that is what was asked.
    return '';
  }
}
