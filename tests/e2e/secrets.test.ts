// @module-tag safety

import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Element, Snapshot } from '../../src/tree/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { HostRoom } from './support/host-room.js';
import { PageServer } from './support/page-server.js';
import { everyElement } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

/** Letters only, so that no nonce, id or number can look like a piece of it; new in each run. */
const newCanary = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(97 + randomInt(26))).join('');

const SHORT = newCanary(11);
const LONG = newCanary(37);
const TYPED = newCanary(23);

let room: HostRoom;
/** Every byte that Deskproof gave out, with what was asked for it. */
const said: string[] = [];

beforeAll(async () => {
  room = await HostRoom.open({ DESKPROOF_DEBUG: '*' });
});
afterAll(() => room?.close());

/** One call through the host, in both forms. */
async function call(tool: string, args: Record<string, unknown>): Promise<{ text: string; json: unknown }> {
  const { text, json } = await room.call(tool, args);
  said.push(`${tool} ${JSON.stringify(args)}\n${text}\n${JSON.stringify(json)}`);
  return { text, json };
}

/** The same through the command line, whatever it ends with. */
async function cli(...words: string[]): Promise<string> {
  const { out, err } = await room.run(words);
  said.push(`deskproof ${words.join(' ')}\n${out}\n${err}`);
  return out;
}

function pieces(secret: string): string[] {
  const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')];
  // Base64 at each of its three alignments, without the ends that depend on what is around.
  for (let lead = 0; lead < 3; lead++) {
    const coded = Buffer.from('x'.repeat(lead) + secret).toString('base64');
    forms.push(coded.slice(4, -4));
  }
  return forms.flatMap((form) => Array.from({ length: form.length - 7 }, (_, at) => form.slice(at, at + 8)));
}

function expectNoSecret(outputs: readonly string[]): void {
  const forbidden = [SHORT, LONG, TYPED].flatMap(pieces);
  const leaks = outputs.flatMap((output) => {
    const piece = forbidden.find((one) => output.includes(one));
    // Bullets of a field reveal the length as well.
    const bullets = /[•●*∙]{4,}/.exec(output)?.[0];
    const leak = piece ?? bullets;
    return leak === undefined ? [] : [`${JSON.stringify(leak)} in ${output.slice(0, 400)}`];
  });
  expect(leaks).toEqual([]);
}

function field(snapshot: Snapshot, name: string): Element {
  const found = [...everyElement(snapshot)].filter(
    (element) => element.name === name && ['textbox', 'passwordbox'].includes(element.role),
  );
  if (found.length !== 1) throw new Error(`${found.length} fields are ${name}`);
  return found[0]!;
}

/** What is the same whatever the secret is. */
function facts({ states, role, name, value, patterns, range }: Element): unknown {
  const { focused: _focused, ...others } = states;
  return { states: others, role, name, value, patterns, range };
}

/** Everything that can be asked about a window and its secret fields. */
async function askEverything(title: string, names: string[]): Promise<void> {
  const window = { window: title };
  const shapes = [{}, { full: true }, { interactive: true }, { bounds: true }, { full: true, bounds: true }];
  for (const shape of shapes) await call('ui_snapshot', { ...window, ...shape, maxTokens: 6000 });
  const snapshot = await room.snapshot(window);
  for (const name of names) {
    const { ref, bounds } = field(snapshot, name);
    await call('ui_describe', { target: ref });
    await call('ui_describe', {
      x: (bounds!.x + bounds!.width / 2 - 1) >> 0,
      y: (bounds!.y + bounds!.height / 2) >> 0,
    });
    await call('ui_snapshot', { target: ref, full: true });
    await call('ui_read', { target: ref });
    for (const range of ['characters 0-100', 'rows 1-3', 'A1:B2']) await call('ui_read', { target: ref, range });
    // What lies inside of it, which may be an element of its own.
    for (const inner of everyElement(await room.snapshot({ target: ref, full: true })))
      if (inner.ref !== ref) await call('ui_read', { target: inner.ref, range: 'characters 0-100' });
  }
  // What is around them may offer the text of all that is in it.
  const around = [...everyElement(snapshot)].filter(({ role }) =>
    ['document', 'region', 'group', 'label'].includes(role),
  );
  for (const { ref } of around.slice(0, 30)) await call('ui_read', { target: ref, range: 'characters 0-3000' });
  await call('ui_events', {});
}

interface SecretApp {
  title: string;
  names: string[];
  fill(text: string): Promise<void>;
  focus(name: string): Promise<void>;
  /** What the app itself says that the field holds. */
  holds(name: string): Promise<string>;
  end(): Promise<void>;
}

async function fixture(kit: string, names: string[]): Promise<SecretApp> {
  const app = await FixtureApp.start('secrets.py', room.seatEnv, [kit]);
  return {
    title: `Secrets in ${kit}`,
    names,
    fill: (text) => app.command(`fill ${text}`),
    focus: (name) => app.command(`focus ${name}`),
    holds: async (name) => {
      const from = app.diary.length;
      await app.command(`tell ${name}`);
      return String((await app.wait(name, (line) => line.holds === name, from)).text);
    },
    end: () => app.end(),
  };
}

async function browser(): Promise<SecretApp> {
  const page = await PageServer.start('page.html');
  await room.ok('desktop', 'launch', '--', 'chromium', '--start-maximized', page.url);
  const ids: Record<string, string> = { Password: 'pass', 'API key': 'key', PIN: 'pin', Name: 'who' };
  await page.run(`document.querySelector('table').remove()`);
  const input = (id: string, label: string) => `<label for="${id}">${label}</label><input id="${id}">`;
  await page.run(`document.querySelector('form').insertAdjacentHTML('afterbegin',
    ${JSON.stringify(input('key', 'API key') + input('pin', 'PIN') + input('plain', 'Name'))})`);
  const names = ['Password', 'API key', 'PIN'];
  return {
    title: 'Orders',
    names,
    fill: async (text) => {
      for (const name of names) await page.run(`${ids[name]}.value = ${JSON.stringify(text)}`);
      await page.run(`plain.value = 'Ada'`);
    },
    focus: async (name) => void (await page.run(`${ids[name]}.focus(), ${ids[name]}.select()`)),
    holds: (name) => page.run<string>(`${ids[name]}.value`),
    end: () => page.stop(),
  };
}

const APPS: [string, () => Promise<SecretApp>][] = [
  ['GTK 3', () => fixture('gtk3', ['Password', 'API key', 'PIN'])],
  ['GTK 4', () => fixture('gtk4', ['Password', 'Passphrase', 'API key', 'PIN'])],
  ['Qt', () => fixture('qt', ['Password', 'API key', 'PIN'])],
  ['Chromium', browser],
];

describe.each(APPS)('secrets in %s', (_, start) => {
  let app: SecretApp;
  beforeAll(async () => {
    app = await start();
    await app.fill(SHORT);
    await room.snapshotUntil(`the fields of ${app.title}`, (snapshot) => shows(snapshot, true), { window: app.title });
  });
  afterAll(() => app?.end());

  /** The secret fields are filled (or not), and the harmless one, set last, shows its value. */
  function shows(snapshot: Snapshot, filled: boolean): boolean {
    const all = [...everyElement(snapshot)];
    const ready = app.names.every((name) => all.some((one) => one.name === name && one.states.filled === filled));
    return ready && all.some((one) => one.name === 'Name' && one.value === 'Ada');
  }

  it('says that they are filled, and never with what or how much', async () => {
    const { text, json } = await call('ui_snapshot', { window: app.title });
    for (const name of app.names)
      expect(text).toMatch(new RegExp(`e\\d+ textbox ${JSON.stringify(name)}[\\w ]* secret: filled$`, 'm'));
    expect(text).toMatch(/textbox "Name"[\w ]*: "Ada"$/m);
    const before = app.names.map((name) => facts(field(json as Snapshot, name)));
    for (const facts of before) expect(facts).not.toHaveProperty('value', expect.anything());
    await askEverything(app.title, app.names);
    await app.fill(LONG);
    await until('the longer one', async () => (await app.holds(app.names[0]!)) === LONG);
    const snapshot = await room.snapshot({ window: app.title });
    expect(app.names.map((name) => facts(field(snapshot, name)))).toEqual(before);
    await call('ui_snapshot', { window: app.title, since: (json as Snapshot).id });
    expectNoSecret(said);
  });

  it('is silent while they are typed', async () => {
    const following = [room.start('events', '--follow'), room.start('--json', 'events', '--follow')];
    try {
      // They run and report events, so that their silence about the secret means something.
      await until('followers to hear', async () => {
        for (const name of ['Name', app.names[0]!]) await app.focus(name);
        return following.every(({ said }) => said().includes('focus'));
      });
      for (const name of app.names) {
        const before = await room.snapshot({ window: app.title });
        await app.focus(name);
        await until('the focus', async () =>
          /states .*focused/.test((await call('ui_describe', { target: 'focused' })).text),
        );
        await ask('xdotool', ['type', '--delay', '12', TYPED], room.seatEnv);
        await until(`${name} to be typed`, async () => (await app.holds(name)) === TYPED);
        const { text } = await call('ui_describe', { target: 'focused' });
        expect(text).toMatch(new RegExp(`textbox ${JSON.stringify(name)}.* secret: filled`));
        await call('ui_snapshot', { window: app.title, since: before.id });
        await call('ui_read', { target: 'focused' });
        await call('ui_events', {});
      }
    } finally {
      for (const { child, said: heard } of following) {
        child.kill('SIGTERM');
        said.push(`events --follow\n${heard()}`);
      }
    }
    expectNoSecret(said);
    // As many "changed" as keys would reveal the length.
    for (const { said: heard } of following) {
      for (const name of app.names) {
        const changes = heard()
          .split('\n')
          .filter((line) => line.includes(JSON.stringify(name)) && line.includes('changed'));
        expect(changes.length).toBeLessThan(4);
        for (const line of changes) expect(line).not.toContain('times');
      }
    }
  });

  it('is silent on the command line, in failures and in its own files', async () => {
    const snapshot = await room.snapshot({ window: app.title });
    const { ref } = field(snapshot, app.names[0]!);
    await cli('snapshot', app.title, '--full', '--bounds');
    await cli('--json', 'describe', 'focused');
    await cli('read', ref, 'characters 0-100');
    await app.end();
    await cli('--json', 'describe', ref);
    expectNoSecret([...said, room.written()]);
  });
});

describe('secrets elsewhere', () => {
  it('are in no answer about the desktop', async () => {
    for (const tool of ['ui_list_windows', 'ui_capabilities', 'ui_events']) await call(tool, {});
    await cli('doctor');
    await cli('--json', 'doctor');
    await cli('--json', 'desktop', 'list');
    expect(said.length).toBeGreaterThan(100);
    expect(room.written()).toMatch(/\[deskproof /);
    expectNoSecret([...said, room.written()]);
    const leaks = [`a piece of it: ${TYPED.slice(9, 17)}`, Buffer.from(`its ${LONG}`).toString('base64'), '•••••'];
    for (const leak of leaks) expect(() => expectNoSecret([leak]), leak).toThrow();
  });
});
