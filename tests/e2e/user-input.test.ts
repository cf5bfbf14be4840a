// @module-tag safety

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseKeys, type UserInputEvent } from '../../src/drivers/contract/index.js';
import { openInputDevice, type LinuxInputDevice, connect } from '../../src/drivers/linux/input/input-device.js';
import { watchUserInput } from '../../src/drivers/linux/input/user-input.js';
import { setLocks } from '../../src/drivers/linux/input/xtest-requests.js';
import { sendRequests, ServerState } from '../../src/drivers/linux/input/server-state.js';
import { Deadline } from '../../src/shared/index.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { startInputApp } from './support/input-app.js';
import { KEY, TestUser } from './support/test-user.js';
import { eventually, openXSeat, soon, startBareX, tool, type XSeat } from './support/x-seat.js';

let seat: XSeat;
let input: LinuxInputDevice;
let user: TestUser;
beforeAll(async () => {
  seat = await openXSeat();
  [input, user] = await Promise.all([openInputDevice(seat.env, soon()), TestUser.sitDown(seat.env)]);
});
afterAll(async () => {
  user?.leave();
  await input?.close();
  await seat?.stop();
});

describe('user input is distinguished from synthetic input', () => {
  let end: AbortController;
  let seen: string[];
  beforeEach(async () => {
    end = new AbortController();
    seen = [];
    const events = watchUserInput(seat.env, { signal: end.signal });
    void (async () => {
      for await (const event of events) seen.push(event.type === 'userInput' ? event.kind : event.type);
    })();
    await events.ready;
  });
  afterEach(() => end.abort());
  const noticed = (kind: string): Promise<void> => eventually(() => expect(seen).toContain(kind));
  /** Something that is noticed for sure: what came before it has been dealt with. */
  const marker = async (): Promise<void> => {
    await user.button(2, true);
    await user.button(2, false);
    await noticed('button');
  };

  test('motion', async () => {
    await user.move(7, 0);
    await noticed('motion');
  });

  test('a bump is no motion', async () => {
    await user.move(1, 1);
    await user.move(-1, 0);
    await marker();
    expect(seen).not.toContain('motion');
  });

  test('small steps add up', async () => {
    for (let step = 0; step < 5; step++) await user.move(1, 0);
    await noticed('motion');
  });

  test('buttons and keys', async () => {
    await marker();
    await user.tap(KEY.a);
    await noticed('key');
  });

  test('Escape twice is stop', async () => {
    await user.tap(KEY.escape);
    await user.tap(KEY.escape);
    await noticed('stop');
  });

  test('Escape once, Escape held, Escape with another key between is not', async () => {
    await user.tap(KEY.escape);
    await user.tap(KEY.a);
    await user.key(KEY.escape, true);
    await user.key(KEY.escape, true);
    await user.key(KEY.escape, false);
    await marker();
    expect(seen).not.toContain('stop');
  });

  test('our hands and other programs are not noticed', async () => {
    await input.move({ x: 300, y: 300 }, { deadline: soon() });
    await input.click({ x: 320, y: 310 }, { deadline: soon(), count: 2 });
    await input.press(parseKeys('Escape Escape a'), { deadline: soon() });
    await input.type('日', { deadline: soon() });
    await tool(seat.env, 'xdotool', 'mousemove', '50', '60', 'key', 'Escape', 'key', 'Escape');
    // A button of the user last: it comes through, and nothing but it.
    await marker();
    expect([...new Set(seen)]).toEqual(['button']);
  });

  test('also while a program has grabbed the keyboard and the pointer', async () => {
    const menu = await startInputApp('input-gtk3.py', seat.env);
    try {
      await menu.command('grab');
      await user.move(9, 9);
      await noticed('motion');
      await user.tap(KEY.a);
      await noticed('key');
    } finally {
      await menu.end();
    }
  });
});

test('who begins to watch hears of what was just before, if they ask for it', async () => {
  await user.move(7, 0);
  const first = async (recentMs?: number): Promise<UserInputEvent | undefined> => {
    const end = new AbortController();
    const events = watchUserInput(seat.env, { signal: end.signal, ...(recentMs !== undefined && { recentMs }) });
    await events.ready;
    // What waits is still read.
    end.abort();
    for await (const event of events) return event;
    return undefined;
  };
  expect(await first()).toBeUndefined();
  expect(await first(60_000)).toMatchObject({ type: 'userInput', kind: 'motion' });
  expect((await first(60_000))!.at).toBeLessThanOrEqual(Date.now());
});

test('reports it and ends when the display disappears', async () => {
  const bare = await startBareX();
  const told: UserInputEvent[] = [];
  const events = watchUserInput(bare.env, { signal: new AbortController().signal });
  const done = (async () => {
    for await (const event of events) told.push(event);
  })();
  await events.ready;
  await bare.stop();
  await done;
  expect(told.at(-1)).toMatchObject({ type: 'lost' });
});

describe('a user who holds something down', () => {
  const brief = (): Deadline => Deadline.in(3000);
  afterEach(async () => {
    await user.key(KEY.shift, false);
    await user.button(1, false);
  });

  test.each<[string, () => Promise<void>, () => Promise<unknown>, RegExp]>([
    [
      'Shift is in the way of typing',
      () => user.key(KEY.shift, true),
      () => input.type('abc', { deadline: brief() }),
      /holding down Shift/,
    ],
    [
      'Shift is in the way of keys',
      () => user.key(KEY.shift, true),
      () => input.press(parseKeys('ctrl+s'), { deadline: brief() }),
      /holding down Shift/,
    ],
    [
      'Shift is in the way of a click',
      () => user.key(KEY.shift, true),
      () => input.click({ x: 9, y: 9 }, { deadline: brief() }),
      /holding down Shift/,
    ],
    [
      'a button is in the way of a click',
      () => user.button(1, true),
      () => input.click({ x: 9, y: 9 }, { deadline: brief() }),
      /holding down a mouse button/,
    ],
    [
      'a button is in the way of a drag',
      () => user.button(1, true),
      () => input.drag({ x: 9, y: 9 }, { x: 90, y: 90 }, { deadline: brief() }),
      /holding down a mouse button/,
    ],
  ])('%s', async (_, hold, act, message) => {
    await hold();
    const before = await input.pointer({ deadline: soon() });
    await expect(act()).rejects.toMatchObject({ code: 'not_ready', delivered: 'no', retry: 'after' });
    await expect(act()).rejects.toThrow(message);
    expect(await input.pointer({ deadline: soon() })).toEqual(before);
  });

  test('and lets go soon is waited for', async () => {
    const app = await startInputApp('input-gtk3.py', seat.env);
    try {
      await app.command('focus entry');
      await user.key(KEY.shift, true);
      const typing = input.type('abc', { deadline: soon() });
      await user.key(KEY.shift, false);
      expect(await typing).toEqual({ typed: 3 });
      await eventually(() => expect(app.diary.at(-1)).toEqual({ entry: 'abc' }));
    } finally {
      await app.end();
    }
  });
});

describe('layouts', () => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await startInputApp('input-gtk3.py', seat.env);
  });
  afterAll(() => app?.end());
  afterEach(() => tool(seat.env, 'setxkbmap', 'us'));

  const TEXT = 'yz YZ äöü @€|{[]}\\~ ^`´ жщ Ω 1234567890 <>?';
  test.each<[string, (() => Promise<unknown>)[]]>([
    ['German, with AltGr and dead keys', [() => tool(seat.env, 'setxkbmap', 'de')]],
    ['French, with digits on Shift', [() => tool(seat.env, 'setxkbmap', 'fr')]],
    ['Russian', [() => tool(seat.env, 'setxkbmap', 'ru')]],
    [
      "another one on the user's keyboard, which was used last",
      [() => tool(seat.env, 'setxkbmap', '-device', String(user.keyboardId), 'fr'), () => user.tap(KEY.a)],
    ],
  ])('%s', async (_, steps) => {
    for (const step of steps) await step();
    await app.command('clear');
    await app.command('focus entry');
    const from = app.diary.length;
    await input.type(TEXT, { deadline: soon() });
    await eventually(() => expect(app.diary.slice(from).at(-1)).toEqual({ entry: TEXT }));
  });

  test('the second of two layouts, which stays chosen', async () => {
    await tool(seat.env, 'setxkbmap', 'us,ru');
    const client = await connect(seat.env, soon());
    try {
      const server = await ServerState.open(client);
      sendRequests(client, setLocks(server.opcodes, { mods: 0, group: 1 }));
      expect((await server.readState()).group).toBe(1);
      await app.command('clear');
      await app.command('focus entry');
      const from = app.diary.length;
      await input.type(TEXT, { deadline: soon() });
      await eventually(() => expect(app.diary.slice(from).at(-1)).toEqual({ entry: TEXT }));
      expect((await server.readState()).group).toBe(1);
    } finally {
      client.close();
    }
  });
});
