// @module-tag safety

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { HostRoom } from './support/host-room.js';
import { PageServer } from './support/page-server.js';
import { ask, until } from './support/seat-room.js';
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
/** The page that secrets are for, and one on another port. */
let bank: PageServer;
let other: PageServer;
const said: string[] = [];
beforeAll(async () => {
  [bank, other] = await Promise.all([PageServer.start('secrets-page.html'), PageServer.start('secrets-page.html')]);
  const kept = NAMES.flatMap((name) => [
    `  ${name}: { file: "~/kept/${name}", into: { app: "/usr/bin/python3*" } }`,
    `  ${name}-page: { file: "~/kept/${name}", into: { app: ["*chromium*", "*firefox*"], url: "${bank.url}*" } }`,
  ]);
  kept.push('  titled: { file: "~/kept/twelve", into: { app: ["*chromium*", "*firefox*"], window: "*Secrets*" } }');
  const policy = `version: 1\nlimits: { actsPerMinute: 10000 }\nsecrets:\n${kept.join('\n')}\n  elsewhere: { file: "~/kept/four", into: { app: "/usr/bin/elsewhere" } }\n`;
  room = await HostRoom.open({}, '1280x900', policy);
  mkdirSync(join(room.base, 'kept'), { mode: 0o700 });
  for (const name of NAMES) writeFileSync(join(room.base, 'kept', name), `${SECRETS[name]}\n`, { mode: 0o600 });
});
afterAll(async () => {
  await room?.close();
  await Promise.all([bank?.stop(), other?.stop()]);
});

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
  const page = bank;
  await room.launch('chromium', page.url);
  const run = (word: string, name = ''): Promise<unknown> =>
    page.run(`command(${JSON.stringify(word)}, ${JSON.stringify(name)})`);
  return {
    command: run,
    holds: async (field) => String(await run('tell', field)),
    end: async () => void (await room.call('ui_window', { action: 'close', window: 'Secrets in' })),
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

  const secretOf = (name: Name): string => (kit === 'chromium' ? `${name}-page` : name);

  it.each(NAMES)('a secret, %s, is typed and comes back nowhere, however the app shows it', async (name) => {
    const value = SECRETS[name];
    const secret = secretOf(name);
    for (const [field, tool] of [
      ['Password', 'ui_set_value'],
      ['Name', 'ui_type'],
    ] as const) {
      if (tool === 'ui_type')
        await call('ui_set_value', { target: `textbox:${field}`, window: 'Secrets in', value: '' });
      const text = await call(tool, { target: `textbox:${field}`, window: 'Secrets in', secret });
      expect(text).toMatch(/^(ok|unconfirmed|no change): /);
      await until('the app to have it', async () => (await holder.holds(field)) === value);
      if (field === 'Password') await holder.command('show');
      await holder.command('echo', field);
      await room.snapshotUntil(
        'the echo',
        (look) => new RegExp(`‹secret:${name}(-page)?›`).test(JSON.stringify(look)),
        {
          window: 'Secrets in',
        },
      );
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
    const { json } = await room.call('ui_type', { ...target, secret: secretOf('twelve'), method: 'input' });
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

  it('nothing is selected in a password field that the app shows, and what a user copies there is withheld', async () => {
    const field = { target: 'textbox:Password', window: 'Secrets in' };
    await call('ui_set_value', { ...field, secret: secretOf('twelve') });
    await call('ui_snapshot', { window: 'Secrets in' });
    await holder.command('show');
    await call('ui_snapshot', { window: 'Secrets in' });
    for (const keys of ['ctrl+a ctrl+c', 'End shift+Left'])
      expect(await call('ui_key', { ...field, keys })).toMatch(
        /^failed: policy_denied\. The password field "Password" may show/,
      );
    expect(await call('ui_click', { ...field, method: 'input' })).toMatch(/^(ok|unconfirmed|no change): /);
    // As a user would: two characters, too short to be recognised anywhere.
    await ask('xdotool', ['key', 'End', 'shift+Left', 'shift+Left', 'ctrl+c'], room.seatEnv);
    await until('the copy to be withheld', async () => (await call('ui_clipboard')).includes('‹secret:'));
    expect(await call('ui_clipboard')).not.toContain('q!');
    expect(await call('ui_key', { target: 'textbox:Name', window: 'Secrets in', keys: 'ctrl+v' })).toMatch(
      /^failed: policy_denied\. The text to paste may come from an app/,
    );
    expect(await holder.holds('Name')).not.toMatch(/q!.*q!/);
    await call('ui_clipboard', { text: 'mine' });
  });

  it('a secret for another target is refused', async () => {
    const held = await holder.holds('Name');
    expect(await call('ui_type', { target: 'textbox:Name', window: 'Secrets in', secret: 'elsewhere' })).toMatch(
      /^failed: policy_denied\. The secret "elsewhere" is for another target\./,
    );
    expect(await holder.holds('Name')).toBe(held);
  });
});

describe.each(['chromium', 'firefox-esr'])('a secret for a page, in %s', (browser) => {
  beforeAll(async () => {
    await room.launch(browser, other.url);
    await room.snapshotUntil('its fields', (look) => JSON.stringify(look).includes('Password'), {
      window: 'Secrets in',
    });
  });
  afterAll(() => room?.call('ui_window', { action: 'close', window: 'Secrets in' }));

  /** Types into a field of the page or of its frame, by keys and at once, and returns what the pages say arrived. */
  async function type(field: string, secret = 'twelve-page'): Promise<{ texts: string[]; arrived: string[] }> {
    await room.snapshotUntil(field, (look) => JSON.stringify(look).includes(JSON.stringify(field)), {
      window: 'Secrets in',
    });
    const before = [bank.typed.length, other.typed.length];
    const texts: string[] = [];
    for (const method of ['pattern', 'input'])
      texts.push(
        await call('ui_type', { target: `textbox:${JSON.stringify(field)}`, window: 'Secrets in', secret, method }),
      );
    return { texts, arrived: [...bank.typed.slice(before[0]), ...other.typed.slice(before[1])] };
  }
  const frame = (url: string): Promise<unknown> => bank.run(`command('frame', ${JSON.stringify(url)})`);

  it('is not typed into a page on another port, nor into its own page in a frame there', async () => {
    await other.run(`command('frame', ${JSON.stringify(bank.url)})`);
    for (const field of ['Name', 'Framed Name']) {
      const { texts, arrived } = await type(field);
      for (const text of texts) expect(text).toMatch(/^failed: policy_denied\. .* is for another page\./);
      expect(arrived, field).toEqual([]);
    }
    // From here on in its own page. Nothing was typed: the browser does not offer to save anything.
    await other.run(`setTimeout(() => (location = ${JSON.stringify(bank.url)})) && true`);
    await bank.run('true');
  });

  it('is typed there, and not by its title', async () => {
    const titled = await type('Password', 'titled');
    for (const text of titled.texts) expect(text).toMatch(/^failed: policy_denied\. .* its into has no url/);
    expect(titled.arrived).toEqual([]);
    const { texts, arrived } = await type('Password');
    expect(texts.filter((text) => /^(ok|unconfirmed|no change): /.test(text))).not.toEqual([]);
    await until('the page to have it', async () => String(await bank.run(`command('tell', 'Password')`)) !== '');
    expect(arrived.join()).toContain('Z');
  });

  it.each<[string, () => string, string]>([
    ['a frame of another port', () => other.url, 'Framed Password'],
    ['a frame without an address', () => '<label>Bare Password <input type="password"></label>', 'Bare Password'],
    ['a data: frame', () => 'data:text/html,<label>Data Password <input type="password"></label>', 'Data Password'],
  ])('is not typed into %s in its page', async (_, url, field) => {
    await frame(url());
    const { texts, arrived } = await type(field);
    for (const text of texts) expect(text).toMatch(/^failed: policy_denied\. .* is for another page\./);
    expect(arrived).toEqual([]);
  });

  it('is typed into a frame of its own page', async () => {
    await frame(bank.url);
    expect((await type('Framed Password')).arrived.join()).toContain('Z');
  });
});
