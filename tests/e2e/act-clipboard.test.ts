import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLinuxDriver } from '../../src/drivers/linux/index.js';
import { codeOf } from '../conformance/case.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { ActRoom, soon } from './support/act-room.js';
import { until } from './support/seat-room.js';

let room: ActRoom;
beforeAll(async () => {
  room = await ActRoom.open();
});
afterAll(() => room?.close());

const TEXT = 'héllo 日本 😀 Ω€\nzwei';
const LONG = 1_500_000;
const longText = (length: number): string =>
  [...'0123456789abcdef\u00e9\u65e5\u{1f600}'.repeat(Math.floor(length / 19) + 1)].slice(0, length).join('');
/** As the fixture apps report a long text. */
const told = (text: string): string => `${[...text].length} ${createHash('sha256').update(text).digest('hex')}`;

const read = (): Promise<string | undefined> => room.driver.clipboard!.read({ deadline: soon() });
const owner = (): Promise<unknown> => room.driver.clipboard!.owner!({ deadline: soon() });
const write = (text: string): Promise<void> => room.driver.clipboard!.write(text, { deadline: soon() });

test('reads no text from an empty clipboard', async () => {
  expect(await read()).toBeUndefined();
  expect(await owner()).toBeUndefined();
});

test('more than it takes is refused', async () => {
  expect(await codeOf(write('x'.repeat(10 * 1024 * 1024 + 1)))).toBe('bad_arguments');
});

describe.each(['gtk3', 'gtk4', 'qt'])('the clipboard and %s', (toolkit) => {
  let app: FixtureApp;
  beforeAll(async () => {
    app = await FixtureApp.start(`act-${toolkit}.py`, room.seat.env);
  });
  afterAll(() => app?.end());

  async function pasted(): Promise<unknown> {
    const from = app.diary.length;
    await app.command('paste');
    return (await app.wait('what is pasted', (line) => 'pasted' in line, from)).pasted;
  }

  test.each([TEXT, 'plain', 'naïve café'])('pastes what we wrote: %j', async (text) => {
    await write(text);
    expect(await pasted()).toBe(text);
    expect(await pasted()).toBe(text);
  });

  test('pastes a text that goes over in pieces', async () => {
    const text = longText(LONG);
    await write(text);
    expect(await pasted()).toBe(told(text));
  });

  test('copies, and we read it', async () => {
    await write('ours');
    // Qt copies with the time of the last thing that it heard: before it has heard of us, its copy would count as older.
    expect(await pasted()).toBe('ours');
    await app.command(`copy ${JSON.stringify(TEXT)}`);
    await until('the text of the app', async () => (await read()) === TEXT);
    expect(await owner()).toMatchObject({ pid: app.pid, program: expect.stringMatching(/python3/) as string });
    await write('ours again');
    expect(await owner()).toBeUndefined();
    expect(await pasted()).toBe('ours again');
  });

  // GTK 4.8 hangs when it has to transfer a text in pieces, to any requestor.
  test.skipIf(toolkit === 'gtk4')('copies a text that comes in pieces, and one that is too long', async () => {
    const text = longText(LONG);
    await app.command(`copy-many ${LONG}`);
    await until('the long text', async () => (await read()) === text);
    await app.command('copy-many 11000000');
    await until('a refusal', async () => (await codeOf(read())) === 'not_supported');
    await app.command('copy short');
    await until('the short text', async () => (await read()) === 'short');
  });

  test('reports a hung clipboard owner, and can still write the clipboard', async () => {
    await app.command('copy held');
    await until('the text of the app', async () => (await read()) === 'held');
    await app.freeze();
    expect(await codeOf(read())).toBe('app_hung');
    await write('mine');
    expect(await read()).toBe('mine');
    app.signal('SIGCONT');
    await until('the app to go on', async () => (await pasted()) === 'mine');
  });
});

test('two drivers on one desktop share it, and what a closed one wrote is gone', async () => {
  const other = await openLinuxDriver({ env: room.seat.env });
  await other.clipboard!.write('from the other', { deadline: soon() });
  expect(await read()).toBe('from the other');
  await other.close();
  await until('no text', async () => (await read()) === undefined);
  expect(await codeOf(other.clipboard!.read({ deadline: soon() }))).toBe('driver_unavailable');
});
