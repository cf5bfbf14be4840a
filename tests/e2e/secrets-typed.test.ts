// @module-tag safety

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { HostRoom } from './support/host-room.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';
import { textsBelow } from './support/texts-below.js';

/** No piece of one is a piece of another, or of anything else that is ever written. */
const SECRETS = {
  four: 'q7Wz',
  six: 'xK"9%v',
  twelve: 'Zürich&84kq!',
  long: 'correct horse é battery "staple" %41 ＋ ünïcode 0123456789 zyxwvu9',
};
type Name = keyof typeof SECRETS;
const NAMES = Object.keys(SECRETS) as Name[];
const KITS = ['gtk3', 'gtk4', 'qt', 'chromium'] as const;

interface Holder {
  command(word: string, name?: string): Promise<unknown>;
  holds(field: string): Promise<string>;
  end(): Promise<void>;
}

let room: HostRoom;
const said: string[] = [];
beforeAll(async () => {
  const kept = NAMES.map(
    (name) => `  ${name}: { file: "~/kept/${name}", into: { app: ["/usr/bin/python3*", "*chromium*"] } }`,
  );
  const policy = `version: 1\nsecrets:\n${kept.join('\n')}\n  elsewhere: { file: "~/kept/four", into: { app: "/usr/bin/elsewhere" } }\n`;
  room = await HostRoom.open({}, '1280x900', policy);
  mkdirSync(join(room.base, 'kept'), { mode: 0o700 });
  for (const name of NAMES) writeFileSync(join(room.base, 'kept', name), `${SECRETS[name]}\n`, { mode: 0o600 });
});
afterAll(() => room?.close());

async function call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, json } = await room.call(tool, args);
  said.push(text, JSON.stringify(json));
  return text;
}

async function open(kit: (typeof KITS)[number]): Promise<Holder> {
  if (kit !== 'chromium') {
    const app = await FixtureApp.start('secrets.py', room.seatEnv, [kit]);
    return {
      command: (word, name = '') => app.command(`${word} ${name}`.trim()),
      holds: async (field) => {
        const before = app.diary.length;
        await app.command(`tell ${field}`);
        return String(app.diary.slice(before).findLast(({ holds }) => holds === field)?.text);
      },
      end: () => app.end(),
    };
  }
  const page = await PageServer.start('secrets-page.html');
  await room.launch('chromium', page.url);
  const run = (word: string, name = ''): Promise<unknown> =>
    page.run(`command(${JSON.stringify(word)}, ${JSON.stringify(name)})`);
  return {
    command: run,
    holds: async (field) => String(await run('tell', field)),
    end: async () => {
      await room.call('ui_window', { action: 'close', window: 'Secrets in' });
      await page.stop();
    },
  };
}

/** Every usual way to write it down. */
function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const base64 = [0, 1, 2].map((pad) => {
    const bytes = Buffer.concat([Buffer.alloc(pad), Buffer.from(value)]).toString('base64');
    return bytes.slice(pad === 0 ? 0 : 4).replace(/.{0,2}=*$/, '');
  });
  const forms = [value, value.toUpperCase(), value.toLowerCase(), json, encodeURIComponent(value), ...base64];
  return [...forms, ...(value.length > 8 ? [value.slice(0, -2), value.slice(0, 8), value.slice(-8)] : [])].filter(
    (form) => form.length >= 4,
  );
}

/** All bytes that came from us: answers, logs, state, everything below the runtime directory, arguments of processes. */
async function traces(): Promise<string[]> {
  const folders = ['run', '.local', '.config'].map((folder) => join(room.base, folder));
  const contents = await textsBelow(folders, ({ parentPath }) => !/[\\/]home[\\/]/.test(`${parentPath}/`));
  return [...said, ...contents, ...room.processes().map(({ command }) => command)];
}

describe.each(KITS)('in %s', (kit) => {
  let holder: Holder;
  beforeAll(async () => {
    holder = await open(kit);
    await room.snapshotUntil('its fields', (snapshot) => JSON.stringify(snapshot).includes('Password'), {
      window: 'Secrets in',
    });
  });
  afterAll(() => holder?.end());

  it.each(NAMES)('a secret, %s, is typed and comes back nowhere, however the app shows it', async (name) => {
    const value = SECRETS[name];
    for (const [field, tool] of [
      ['Password', 'ui_set_value'],
      ['Name', 'ui_type'],
    ] as const) {
      if (tool === 'ui_type')
        await call('ui_set_value', { target: `textbox:${field}`, window: 'Secrets in', value: '' });
      const text = await call(tool, { target: `textbox:${field}`, window: 'Secrets in', secret: name });
      expect(text).toMatch(/^(ok|unconfirmed|no change): /);
      await until('the app to have it', async () => (await holder.holds(field)) === value);
      if (field === 'Password') await holder.command('show');
      await holder.command('echo', field);
      await room.snapshotUntil('the echo', (snapshot) => JSON.stringify(snapshot).includes(`‹secret:${name}›`), {
        window: 'Secrets in',
      });
      await call('ui_list_windows');
      await call('ui_snapshot', { window: 'Secrets in' });
      await call('ui_describe', { target: `textbox:${field}`, window: 'Secrets in' });
      await call('ui_read', { target: `textbox:${field}`, window: 'Secrets in' });
      await call('ui_events');
      // Under six characters it is known only in its window, and not in what a caller says.
      if (value.length >= 6)
        await call('ui_click', { target: `button:${JSON.stringify(value)}`, window: 'Secrets in', timeoutMs: 100 });
    }
    const found = (await traces()).flatMap((trace) => formsOf(value).filter((form) => trace.includes(form)));
    expect(found).toEqual([]);
  });

  it('the number of change events does not reveal the length of a secret', async () => {
    const target = { target: 'textbox:Name', window: 'Secrets in' };
    await call('ui_set_value', { ...target, value: '' });
    await call('ui_snapshot', { window: 'Secrets in' });
    await call('ui_events');
    const { json } = await room.call('ui_type', { ...target, secret: 'twelve', method: 'input' });
    await until('the app to have it', async () => (await holder.holds('Name')) === SECRETS.twelve);
    const ofField = (told: unknown): unknown[] =>
      (told as { events: { what: string; element?: { name?: string } }[] }).events.filter(
        ({ what, element }) => what === 'changed' && element?.name === 'Name',
      );
    expect(ofField(json).length).toBeLessThanOrEqual(1);
    // Events after the answer are reported at most once more.
    const after = await room.call('ui_events');
    expect(ofField(after.json).length).toBeLessThanOrEqual(2);
    expect(after.text).not.toMatch(/changed \d+ times/);
  });

  it('a secret for another target is refused', async () => {
    const held = await holder.holds('Name');
    expect(await call('ui_type', { target: 'textbox:Name', window: 'Secrets in', secret: 'elsewhere' })).toMatch(
      /^failed: policy_denied\. The secret "elsewhere" is for another target\./,
    );
    expect(await holder.holds('Name')).toBe(held);
  });
});
